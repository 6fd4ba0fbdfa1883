// Writes the options of commands as JSON, for forms, plug-ins and bindings of other languages. The
// content is that of --help.
#include "app/help/schema.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/help/help.hpp"
#include "app/json.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

constexpr std::array<std::string_view, 9> type_names{
    "flag", "integer", "number", "text", "list", "image", "points", "mesh", "text-file"};
static_assert(type_names.size() == static_cast<std::size_t>(OptionType::text_file) + 1);

// Options of many commands that determine how a picture becomes target density.
constexpr std::array<std::string_view, 20> of_tone{
    "tones-from", "contrast",     "detail",       "sharpen",      "blur",
    "clean",      "as",           "tone",         "invert",       "channel",
    "black",      "white",        "gamma",        "mask",         "weight",
    "nan",        "white-cutoff", "invert-darks", "solid-blacks", "interpolation"};

// Options of commands that make a drawing, by their cost.
constexpr std::array<std::string_view, 2> of_number{"dots", "dot-size"};
constexpr std::array<std::string_view, 4> of_tone_of_dots{"size-from", "size-steps", "no-overlap",
                                                          "gap"};
constexpr std::array<std::string_view, 2> of_sizes{"shape", "pen"};
constexpr std::array<std::string_view, 27> of_drawing{
    "turn",       "each-path",  "order",       "longest-hop",  "registration", "plates",
    "size",       "touch",      "split",       "tiles",        "tile-overlap", "from",
    "ink",        "background", "speed",       "travel-speed", "acceleration", "pen-lift",
    "pen-change", "pen-up",     "pen-down",    "machine",      "laser-mode",   "laser-power",
    "laser-full", "dwell",      "line-corners"};

// The usual range of a number, for sliders. Used if the option has no bounds or wider ones.
struct Usual {
  std::string_view option;
  double lowest;
  double highest;
  bool by_factors;  // equal slider steps are equal factors
};
constexpr std::array<Usual, 17> usual_ranges{{{"dots", 500, 50000, true},
                                              {"count", 100, 50000, true},
                                              {"gamma", 0.25, 4, true},
                                              {"curve", 0.25, 4, true},
                                              {"black", 0, 0.5, false},
                                              {"white", 0.5, 1, false},
                                              {"white-cutoff", 0.5, 1, false},
                                              {"detail", 0, 3, false},
                                              {"sharpen", 0, 3, false},
                                              {"relief", 0, 10, false},
                                              {"gloss", 0, 2, false},
                                              {"normal-strength", 0, 10, false},
                                              {"levels", 2, 16, false},
                                              {"colours", 2, 64, true},
                                              {"split", 1, 20, false},
                                              {"dpi", 50, 600, true},
                                              {"frames", 1, 60, false}}};

// Returns the separators between the values of an alternative such as WxH+X+Y ("x++"), or of a list
// of any length such as SHARE,... (",*"). Names (NAME=) are no values.
std::string separators_of(std::string_view form) {
  if (form.ends_with(",...") && form.find('=') == std::string_view::npos) return ",*";
  const auto is_upper = [&](std::size_t i) {
    return i < form.size() && form[i] >= 'A' && form[i] <= 'Z';
  };
  std::string separators;
  for (std::size_t i = 1; i < form.size(); ++i) {
    const char c = form[i];
    if (c == '=') {
      if (!separators.empty()) separators.pop_back();
      break;
    }
    if (c == ':' || c == ',' || c == '+' || (c == 'x' && is_upper(i - 1) && is_upper(i + 1))) {
      separators += c;
    }
  }
  return separators;
}

// Returns how several values become the text of an option: the separators of each alternative of
// its form that has several values, without repeats.
std::vector<std::string> joins_of(const Option& option) {
  std::vector<std::string> joins;
  if (option.type == OptionType::list) joins.emplace_back(",*");
  for (std::string_view rest = option.meta; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    std::string separators = separators_of(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool is_known = std::find(joins.begin(), joins.end(), separators) != joins.end();
    if (!separators.empty() && !is_known) joins.push_back(std::move(separators));
  }
  return joins;
}

}  // namespace

std::string_view word_of_cost(Cost cost) {
  constexpr std::array<std::string_view, 5> words{"drawing", "sizes", "tone", "number", "all"};
  return words[static_cast<std::size_t>(cost)];
}

Cost cost_of(const Operation& operation, std::string_view option) {
  const auto is_in = [&](std::span<const std::string_view> names) {
    return std::find(names.begin(), names.end(), option) != names.end();
  };
  if (is_in(of_tone)) return Cost::tone;
  if (!operation.makes_drawing) return Cost::all;
  return is_in(of_number)         ? Cost::number
         : is_in(of_tone_of_dots) ? Cost::tone
         : is_in(of_sizes)        ? Cost::sizes
         : is_in(of_drawing)      ? Cost::drawing
                                  : Cost::all;
}

Json schema_of(const Option& option, const Operation* operation) {
  Json object = Json::object();
  object["name"] = option.name;
  object["doc"] = as_flags(option.doc);
  object["type"] = type_names[static_cast<std::size_t>(option.type)];
  object["group"] = option.group;
  // Values are texts as typed, which is portable and exact.
  object["default"] = option.default_text;
  if (!option.meta.empty()) object["form"] = option.meta;
  if (auto joins = joins_of(option); !joins.empty()) object["joins"] = std::move(joins);
  if (!option.unit_name.empty()) object["unit"] = option.unit_name;
  if (!option.choices.empty()) object["choices"] = option.choices;
  if (!option.other_form.empty()) object["other_form"] = option.other_form;
  if (option.minimum) object["minimum"] = *option.minimum;
  if (option.maximum) object["maximum"] = *option.maximum;
  const bool is_number = option.type == OptionType::integer || option.type == OptionType::number;
  const auto* const usual =
      std::find_if(usual_ranges.begin(), usual_ranges.end(),
                   [&](const Usual& range) { return range.option == option.name; });
  if (is_number && usual != usual_ranges.end()) {
    object["usual"] = {{"minimum", usual->lowest},
                       {"maximum", usual->highest},
                       {"logarithmic", usual->by_factors}};
  }
  if (option.short_name != 0) object["letter"] = std::string(1, option.short_name);
  if (!option.other_name.empty()) object["other_name"] = option.other_name;
  object["repeats"] = option.repeats;
  object["essential"] = option.is_essential;
  if (operation != nullptr) object["cost"] = word_of_cost(cost_of(*operation, option.name));
  return object;
}

namespace {

Json schema_of_command(const Command& command) {
  Json object = json_head(command.name);
  object["summary"] = command.summary;
  object["details"] = as_flags(command.details);
  object["operands"] = command.operands;
  object["examples"] = Json::array();
  for (const Example& example : command.examples) {
    object["examples"].push_back(
        {{"line", "dapple " + as_flags(example.command)}, {"doc", as_flags(example.says)}});
  }
  object["options"] = Json::array();
  const auto invocation = command.make();
  const Operation* const operation = find_operation(command.name);
  for (const OptionSection& section : sections_of(*invocation)) {
    for (const Option* option : section.options) {
      // Options of every run, except the seed. Other callers have their own in place of these.
      const bool is_common = invocation->common.find(option->name) == option;
      const bool is_of_result = !is_common || option->name == "seed";
      object["options"].push_back(schema_of(*option, is_of_result ? operation : nullptr));
      object["options"].back()["common"] = is_common;
    }
  }
  return object;
}

class SchemaInvocation : public Invocation {
 public:
  SchemaInvocation() {
    own_.group("Schema");
    own_.add(
            "json-schema", kind_,
            "Print a JSON Schema (2020-12) of recipes or of batch files, by which editors complete "
            "and check them")
        .words({"recipe", "batch"})
        .metavar("recipe|batch");
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& operands) override {
    if (!kind_.empty()) {
      print(json_schema_text(kind_, operands.empty() ? "" : operands[0]));
      return 0;
    }
    if (!operands.empty()) {
      const Command* command = find_command(operands[0]);
      if (command == nullptr) {
        const std::string near = nearest_command(operands[0]);
        throw Error(ErrorKind::usage, "there is no command '" + operands[0] + "'" +
                                          (near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
      print(text_of(schema_of_command(*command)));
      return 0;
    }
    print(schema_text());
    return 0;
  }

 private:
  std::string kind_;
};

}  // namespace

std::string schema_text() {
  Json object = json_head("schema");
  object["commands"] = Json::array();
  for (const Command& command : commands())
    object["commands"].push_back(schema_of_command(command));
  return text_of(object);
}

Command schema_command() {
  Command row;
  row.name = "schema";
  row.summary = "Prints the options of a command, or of all, as JSON";
  row.details =
      "For forms, plug-ins and other languages. Lists each option with its name, type, default, "
      "unit, choices, bounds, usual range, group and text, as in --help. Values are texts, as "
      "typed on the command line. `joins` lists the separators between several values: 'x' for "
      "WxH, "
      "'x++' for WxH+X+Y; ',*' joins any number. `cost` says how much of a result a change of the "
      "option affects "
      "at most. For a stippling it is 'drawing' (such as the ink), 'sizes' (of the dots), 'tone' "
      "(where the dots are), 'number' (of dots) or 'all'.";
  row.operands = "[COMMAND]";
  row.max_operands = 1;
  row.examples = {{"schema stipple", "what `dapple stipple` takes"},
                  {"schema > dapple.json", "all commands"},
                  {"schema `json-schema` recipe > recipe.schema.json",
                   "for editors, which then complete and check recipes and presets"}};
  row.make = [] { return std::make_unique<SchemaInvocation>(); };
  return row;
}

}  // namespace dapple::app
