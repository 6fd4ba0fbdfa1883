// `dapple presets`: lists, shows and saves presets, and draws their results on a sheet.
#include "app/command.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/contact.hpp"
#include "app/error_text.hpp"
#include "app/help/help.hpp"
#include "app/json.hpp"
#include "app/presets/embedded_recipe.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/preset_folders.hpp"
#include "app/presets/presets.hpp"
#include "app/presets/settings.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/outputs.hpp"
#include "app/run/progress.hpp"
#include "app/run/summary.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr int sheet_columns = 4;
constexpr double most_dots_on_sheet = 12000;  // more do not show at the size of its pictures

std::string first_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

// Returns an option that differs from its default, or nullptr.
const Option* find_set(const OptionList& options, std::string_view name) {
  const Option* const option = options.find(name);
  return option == nullptr || option->is_default() ? nullptr : option;
}

// Lowers the number of dots to what a picture of the sheet can show. A pen's number follows the
// ink.
void limit_dots(OptionList& options) {
  for (const char* const other : {"pen", "style", "dot-size"}) {
    if (find_set(options, other) != nullptr) return;
  }
  const Option* const dots = find_set(options, "dots");
  if (dots != nullptr && std::strtod(dots->get().c_str(), nullptr) <= most_dots_on_sheet) return;
  if (Option* const number = options.find("dots")) number->set(shortest(most_dots_on_sheet));
}

// Returns true if a length is in pixels of the photo, which a reduced photo would change.
bool counts_pixels(const OptionList& options) {
  if (find_set(options, "paper") != nullptr) return false;
  constexpr std::array<std::string_view, 6> lengths{"dot-size", "gap",    "pen",
                                                    "blur",     "margin", "crop"};
  return std::any_of(lengths.begin(), lengths.end(), [&](std::string_view name) {
    const Option* const option = find_set(options, name);
    const std::string text = option == nullptr ? "" : option->get();
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.back())) != 0;
  });
}

constexpr std::array pairs{
    PairRule{"names", Pair::excludes, "NAME", "which prints one recipe"},
};

class PresetsInvocation : public Invocation {
 public:
  PresetsInvocation() {
    own_.group("Presets");
    own_.add("names", names_, "Print only the names");
    own_.add("for", for_, "Show only the presets of this command, such as worley")
        .metavar("COMMAND");
    own_.add("from", from_,
             "With save: the recipe to save, in a recipe file, a preset or an output of dapple, "
             "such as out.svg; - reads a recipe from standard input")
        .metavar("FILE|NAME");
    own_.add("describe", comment_,
             "With save: what the preset makes, and for whom; the list of presets shows the first "
             "sentence")
        .metavar("TEXT");
    describe_outputs(run_options, common, "{stem}-presets.png for a photo");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
    pairs_ = pairs;
  }

  void set(const Command& command, const Arguments& arguments,
           std::vector<Problem>& problems) override {
    Command row = command;
    if (!saves(arguments.operands)) row.max_operands = 1;
    Invocation::set(row, arguments, problems);
    replaces_ =
        std::any_of(arguments.assignments.begin(), arguments.assignments.end(),
                    [&](const auto& given) { return given.option == common.find("overwrite"); });
  }

  int run(const std::vector<std::string>& operands) override {
    if (saves(operands)) {
      save(operands);
      return 0;
    }
    refuse_all_but({"names", "for"}, "without save: dapple presets save NAME --from FILE");
    if (!for_.empty() && find_operation(for_) == nullptr) {
      throw Error(ErrorKind::usage, Problem{"for", "'" + for_ + "' is not a command with presets"});
    }
    const bool tools = !operands.empty() && (operands[0] == "pens" || operands[0] == "machines");
    if (tools) {
      print_text(tools_text(operands[0]));
    } else if (!run_options.outputs.empty() || (!operands.empty() && is_photo(operands[0]))) {
      draw(operands.empty() ? "" : operands[0]);
    } else if (!operands.empty()) {
      if (!for_.empty())
        throw Error(ErrorKind::usage, "--for filters the list of presets, but '" + operands[0] +
                                          "' names one preset: leave one of them out");
      show(load_preset(operands[0], ""));
    } else if (names_) {
      for (const Preset& preset : wanted()) print_text(preset.name + "\n");
      tell_warnings();
    } else {
      list(wanted());
      tell_warnings();
    }
    return 0;
  }

 private:
  static bool saves(const std::vector<std::string>& operands) {
    return !operands.empty() && operands[0] == "save";
  }

  void save(const std::vector<std::string>& operands) {
    refuse_all_but({"from", "describe"}, "with save");
    if (operands.size() < 2 || from_.empty()) {
      throw Error(ErrorKind::usage,
                  "save needs a name and a recipe: dapple presets save NAME --from FILE");
    }
    if (!run_options.outputs.empty()) {
      throw Error(ErrorKind::usage,
                  Problem{"out",
                          "draws a sheet of presets, but save writes a preset: leave out one "
                          "of them"});
    }
    configure(context, run_options);
    const Recipe recipe = recipe_to_save();
    const Operation* const operation = find_operation(recipe.command);
    if (operation == nullptr || operation->make == nullptr) {
      throw Error(ErrorKind::usage,
                  recipe.command.empty()
                      ? "its recipe names no command: add a line such as command = \"stipple\""
                      : "there is no command '" + recipe.command + "' for its recipe",
                  from_);
    }
    Run run(*operation);
    take_recipe(recipe, "recipe of '" + from_ + "'", from_, run, &context.seed);
    if (const std::string commands = machine_commands(run.options);
        !commands.empty() && carries_recipe(from_)) {
      throw Error(ErrorKind::usage, untrusted_commands("from", commands));
    }
    for (const auto& option : run.options) {
      for (const Option::File& file : option->files()) {
        if (fs::path(file.path).is_absolute()) continue;
        context.warn("the preset names the file '" + file.path + "' (`" + option->name +
                     "`), which each run searches in its current folder");
      }
    }
    const std::string& name = operands[1];
    const std::string path =
        save_preset(user_presets(), name, comment_.empty() ? recipe.comment : comment_, run,
                    replaces_ ? run_options.overwrite : Overwrite::never, context);
    tell_warnings();
    if (run_options.json) return show(read_preset(path));
    if (run_options.quiet) return;
    note("preset '" + name + "' is saved; use it with dapple " + recipe.command + " --preset " +
         name);
    note(path);
  }

  // Returns the recipe in the file or preset that --from names.
  Recipe recipe_to_save() {
    if (carries_recipe(from_)) {
      return parse_recipe(origin_of(from_, context).recipe, from_ + " (its recipe)");
    }
    const bool is_file = from_ == "-" || fs::exists(from_);
    return (is_file ? read_preset(from_) : load_preset(from_, "")).recipe;
  }

  std::vector<Preset> wanted() {
    std::vector<Preset> presets = all_presets(context);
    if (!for_.empty()) {
      std::erase_if(presets, [&](const Preset& preset) { return preset.recipe.command != for_; });
    }
    return presets;
  }

  void tell_warnings() const {
    if (run_options.quiet) return;
    for (const std::string& warning : context.warnings()) note("warning: " + as_flags(warning));
  }

  // Returns true if `name` is a file but not a recipe; no preset has such a name.
  static bool is_photo(const std::string& name) {
    std::error_code ignored;
    const std::string extension = extension_of(name);
    return !extension.empty() && extension != "toml" && fs::is_regular_file(name, ignored);
  }

  // Draws a sheet with the results of presets. With a photo it uses the presets that need one,
  // otherwise the others.
  void draw(const std::string& photo) {
    configure(context, run_options);
    std::vector<std::string> names = run_options.outputs;
    if (names.empty()) names.emplace_back("{stem}-presets.png");
    // Dots come first, since the sheet is mostly drawn for them.
    std::vector<Preset> presets = wanted();
    std::stable_partition(presets.begin(), presets.end(), [](const Preset& preset) {
      const Operation* operation = find_operation(preset.recipe.command);
      return operation != nullptr && operation->makes_drawing;
    });
    std::vector<Way> ways;
    for (const Preset& preset : presets) {
      const Operation* operation = find_operation(preset.recipe.command);
      if (operation == nullptr || (operation->input == InputKind::image) == photo.empty()) continue;
      Way way{preset.name, Run(*operation), preset.recipe.has_seed ? preset.recipe.seed : 1};
      way.run.input = photo;
      try {
        apply(preset.recipe, way.run.options, preset.path);
      } catch (const Error& error) {
        warn_of_skipped(error, context);
        continue;
      }
      limit_dots(way.run.options);
      way.of_small_input = !counts_pixels(way.run.options);
      ways.push_back(std::move(way));
    }
    if (ways.empty()) {
      throw Error(
          ErrorKind::usage,
          photo.empty()
              ? "a sheet of these presets needs a photo: dapple presets photo.jpg -o sheet.png"
              : "none of these presets takes a photo: leave the photo out");
    }
    Record record;
    {
      const Interrupt interrupt(context);
      const Progress progress(context, run_options.progress, run_options.quiet);
      record = write_contact_sheet(
          {"presets", photo.empty() ? "Presets" : "Presets for " + stem_of(photo),
           "dapple presets"},
          std::move(ways), sheet_columns, names, run_options, context);
    }
    if (run_options.json) print(json_of(record));
    if (run_options.quiet) return;
    for (const std::string& warning : record.warnings) note("warning: " + warning);
    if (run_options.json) return;
    for (const std::string& line : summaries_of(record)) note(line);
  }

  void show(const Preset& preset) const {
    const std::string text = read_file(preset.path, recipe_limit);
    if (!run_options.json) return print_text(text);
    Json object = json_head("presets");
    object["name"] = preset.name;
    object["path"] = preset.path;
    object["recipe"] = text;
    print(text_of(object));
  }

  void list(const std::vector<Preset>& presets) const {
    if (run_options.json) {
      Json object = json_head("presets");
      object["presets"] = Json::array();
      for (const Preset& preset : presets) {
        object["presets"].push_back({{"name", preset.name},
                                     {"command", preset.recipe.command},
                                     {"summary", first_sentence(preset.recipe.comment)},
                                     {"path", preset.path}});
      }
      object["warnings"] = context.warnings();
      return print(text_of(object));
    }
    std::size_t widest = 0;
    for (const Preset& preset : presets) widest = std::max(widest, preset.name.size());
    std::string text;
    for (const Command& command : commands()) {
      bool headed = false;
      for (const Preset& preset : presets) {
        if (preset.recipe.command != command.name) continue;
        if (!headed) text += (text.empty() ? "" : "\n") + command.name + "\n";
        headed = true;
        text += "  " + preset.name + std::string(widest - preset.name.size() + 2, ' ') +
                wrapped(first_sentence(preset.recipe.comment), widest + 4) + "\n";
      }
    }
    if (presets.empty()) text = "no presets were found; DAPPLE_PRESET_PATH can name more folders\n";
    print_text(text);
  }

  bool names_ = false;
  bool replaces_ = false;  // --overwrite is given
  std::string for_, from_, comment_;
};

}  // namespace

Command presets_command() {
  Command row;
  row.name = "presets";
  row.summary = "Lists presets, shows one, or draws a sheet of results";
  row.details =
      "A preset is a recipe: the options of one command, by their long names. The first word of "
      "its name may be left out. Copy a preset, edit it and give its path to --preset. Folders in "
      "DAPPLE_PRESET_PATH are searched first, then your own presets in "
      "~/.local/share/dapple/presets, where the studio saves looks and `dapple calibrate` its "
      "tools, then ~/.config/dapple/presets. `dapple presets pens` and `dapple presets machines` "
      "show the names that --pen and --machine take.\n\n`dapple presets save NAME --from FILE` "
      "saves a preset of your own. It holds the options that differ from their defaults, and such "
      "a seed, but no names of inputs and outputs. --overwrite always replaces a preset of yours; "
      "presets of the program keep their names. To delete a preset, remove its file.\n\nA sheet "
      "shows the result of each preset "
      "for a photo, reduced to 1,120 pixels and drawn with at most 12,000 dots. With -o but "
      "without a photo, it shows the results of the presets for masks and "
      "textures.";
  row.operands = "[NAME|PHOTO|save NAME]";
  row.max_operands = 2;
  row.examples = {
      {"presets", "every preset, by command"},
      {"presets photo.jpg", "a sheet with the result of each preset for your photo"},
      {"presets save my-ink `from` out.svg", "the options of a drawing, for --preset my-ink"}};
  row.make = [] { return std::make_unique<PresetsInvocation>(); };
  return row;
}

}  // namespace dapple::app
