#include "studio/wish.hpp"

#include <nlohmann/json.hpp>

#include "app/batch/batch.hpp"
#include "app/presets.hpp"
#include "app/tools.hpp"
#include "dapple/error.hpp"

namespace dapple::studio {
namespace {

using app::Json;

std::string text_at(const Json& object, const char* name, const std::string& otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

void set(const std::string& name, const std::string& text, app::Run& run,
         std::vector<Problem>& problems) {
  try {
    Recipe one;
    one.settings.push_back({name, text, 0, 0});
    for (const Recipe::Setting& setting : app::with_tools(std::move(one)).settings) {
      Option* const option = run.options.find(setting.name);
      if (option == nullptr) {
        throw Error(ErrorKind::usage,
                    Problem{name, "is no option of " + std::string(run.operation->name)});
      }
      option->set(setting.text);
      option->comes_from.clear();
    }
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

void take_preset(const Wish& wish, app::Run& run, Context& context) {
  if (wish.preset.empty()) return;
  const app::Preset preset = app::load_preset(wish.preset, wish.command);
  app::require_command(preset.recipe, wish.command, "preset '" + wish.preset + "'");
  run.preset = preset.name;
  if (preset.recipe.has_seed) context.seed = preset.recipe.seed;
  apply(preset.recipe, run.options, preset.path);
  app::note_origin(preset.recipe, run.options, "preset '" + wish.preset + "'");
}

}  // namespace

std::string Wish::key() const {
  Json object{{"command", command}, {"preset", preset}, {"settings", settings}, {"input", input}};
  return object.dump();
}

Wish wish_of(const Json& message, const std::string& input) {
  Wish wish;
  wish.command = text_at(message, "command", "");
  wish.preset = text_at(message, "preset", "");
  const auto number = message.find("number");
  const auto settings = message.find("settings");
  if (number == message.end() || !number->is_number_integer() || settings == message.end() ||
      !settings->is_object()) {
    throw Error(ErrorKind::usage, "a wish has a number and settings");
  }
  wish.number = number->get<int>();
  for (const auto& [name, text] : settings->items()) {
    if (!text.is_string()) throw Error(ErrorKind::usage, Problem{name, "is set by a text"});
    wish.settings[name] = text.get<std::string>();
  }
  const Operation* const operation = find_operation(wish.command);
  if (operation == nullptr) {
    throw Error(ErrorKind::usage, "there is no operation '" + wish.command + "'");
  }
  if (operation->input != InputKind::none) wish.input = input;
  return wish;
}

app::Run run_of(const Wish& wish, Context& context) {
  app::Run run(*find_operation(wish.command));
  tell_needs(run.operation->pairs, run.options);
  take_preset(wish, run, context);
  run.input = wish.input;
  std::vector<Problem> problems;
  for (const auto& [name, text] : wish.settings) {
    if (name != "seed") {
      set(name, text, run, problems);
      continue;
    }
    try {
      OptionList list;
      list.add("seed", context.seed, "").set(text);
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  if (const std::string problem = app::input_problem(run); !problem.empty()) {
    throw Error(ErrorKind::usage, wish.command + " needs a picture: dapple studio PICTURE");
  }
  check_together(run.operation->pairs, {&run.options}, run.operation->input_name,
                 !run.input.empty());
  if (auto idle = app::idle_problems(run); !idle.empty()) {
    throw Error(ErrorKind::usage, std::move(idle));
  }
  return run;
}

std::string command_line(const Wish& wish, const std::vector<std::string>& outputs) {
  std::string line = "dapple " + wish.command;
  const auto add = [&](const std::string& word) { line += " " + app::shell_quoted(word); };
  if (!wish.input.empty()) add(wish.input);
  if (!wish.preset.empty()) {
    add("--preset");
    add(wish.preset);
  }
  const app::Run run(*find_operation(wish.command));
  for (const auto& [name, text] : wish.settings) {
    const Option* const option = run.options.find(name);
    if (option != nullptr && option->type == OptionType::flag) {
      add((text == "true" ? "--" : "--no-") + name);
      continue;
    }
    add("--" + name);
    add(text);
  }
  for (const std::string& output : outputs) {
    add("-o");
    add(output);
  }
  return line;
}

}  // namespace dapple::studio
