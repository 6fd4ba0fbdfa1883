// Finds presets; a command lists and shows them.
#include "app/presets/presets.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/contact.hpp"
#include "app/error_text.hpp"
#include "app/help/help.hpp"
#include "app/json.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/preset_folders.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/outputs.hpp"
#include "app/run/progress.hpp"
#include "app/run/summary.hpp"
#include "core/text/hex_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t recipe_limit = 1 << 20;
constexpr int sheet_columns = 4;
constexpr double most_dots_on_sheet = 12000;  // more do not show at the size of its pictures

// Replaces the name of a palette file beside the preset by its colors, so that recipes in pictures
// need no file.
Recipe with_palette(Recipe recipe, const fs::path& folder) {
  for (Recipe::Setting& setting : recipe.settings) {
    if (setting.name != "palette" || !setting.text.starts_with("palettes/")) continue;
    const std::string file = (folder / setting.text).string();
    setting.text.clear();
    for (const palette::Rgb8& c : palette::parse(
             {file, std::make_shared<const std::string>(read_file(file, recipe_limit))})) {
      setting.text += (setting.text.empty() ? "#" : ",#") + hex_text(c);
    }
  }
  return recipe;
}

// Returns the *.toml files of all folders. If two have the same name, the first counts.
std::vector<std::pair<std::string, std::string>> preset_files() {
  std::vector<std::pair<std::string, std::string>> files;
  for (const fs::path& folder : preset_folders()) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing)) {
      if (entry.path().extension() != ".toml") continue;
      const std::string name = entry.path().stem().string();
      const bool known = std::any_of(files.begin(), files.end(),
                                     [&](const auto& file) { return file.first == name; });
      if (!known) files.emplace_back(name, entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the name without its first word, which is the command.
std::string_view short_name(std::string_view name) {
  const auto dash = name.find('-');
  return dash == std::string_view::npos ? name : name.substr(dash + 1);
}

std::string first_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

void warn_of_skipped(const Error& error, Context& context) {
  context.warn("a preset is skipped: " + text_of(error));
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
    describe_outputs(run_options, common, "{stem}-presets.png for a photo");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
    pairs_ = pairs;
  }

  int run(const std::vector<std::string>& operands) override {
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
  std::string for_;
};

}  // namespace

std::vector<Preset> all_presets(Context& context) {
  std::vector<Preset> presets;
  for (const auto& [name, path] : preset_files()) {
    try {
      presets.push_back(read_preset(path));
    } catch (const Error& error) {
      warn_of_skipped(error, context);
    }
  }
  return presets;
}

Preset read_preset(const std::string& path) {
  Recipe recipe = with_tools(parse_recipe(read_file(path, recipe_limit), path));
  return {stem_of(path), path, with_palette(std::move(recipe), fs::path(path).parent_path())};
}

Preset load_preset(const std::string& name, std::string_view command) {
  if (fs::path(name).has_parent_path() || name.ends_with(".toml")) return read_preset(name);
  const auto files = preset_files();
  for (const auto& [known, path] : files) {
    if (known == name) return read_preset(path);
  }
  std::vector<std::string> names;
  std::vector<Preset> meant;
  for (const auto& [known, path] : files) {
    names.push_back(known);
    names.emplace_back(short_name(known));
    if (short_name(known) == name) meant.push_back(read_preset(path));
  }
  const auto is_of_another = [&](const Preset& preset) { return preset.recipe.command != command; };
  if (!std::all_of(meant.begin(), meant.end(), is_of_another)) std::erase_if(meant, is_of_another);
  if (meant.size() == 1) return meant.front();
  std::string known;
  for (const Preset& preset : meant) known += (known.empty() ? "" : "' or '") + preset.name;
  const std::string near = meant.empty() ? nearest_word(name, names) : known;
  throw Error(ErrorKind::usage, "there is no preset '" + name + "'" +
                                    (near.empty() ? "; `dapple presets` lists them"
                                                  : "; did you mean '" + near + "'?"));
}

void note_origin(const Recipe& recipe, OptionList& options, const std::string& what) {
  for (const Recipe::Setting& setting : recipe.settings) {
    if (Option* option = options.find(setting.name)) option->comes_from = what;
  }
}

void require_command(const Recipe& recipe, std::string_view command, const std::string& what) {
  if (recipe.command.empty() || recipe.command == command) return;
  throw Error(ErrorKind::usage, what + " is for `dapple " + recipe.command + "`, not for `dapple " +
                                    std::string(command) + "`");
}

Command presets_command() {
  Command row;
  row.name = "presets";
  row.summary = "Lists presets, shows one, or draws a sheet of results";
  row.details =
      "A preset is a recipe: the options of one command, by their long names. The first word of "
      "its name may be left out. Copy a preset, edit it and give its path to --preset. Folders in "
      "DAPPLE_PRESET_PATH are searched first, then ~/.config/dapple/presets, where the studio "
      "saves looks and `dapple calibrate` its tools. `dapple presets pens` and `dapple presets "
      "machines` "
      "show the names that --pen and --machine take.\n\nA sheet shows the result of each preset "
      "for a photo, reduced to 1,120 pixels and drawn with at most 12,000 dots. With -o but "
      "without a photo, it shows the results of the presets for masks and "
      "textures.";
  row.operands = "[NAME|PHOTO]";
  row.max_operands = 1;
  row.examples = {{"presets", "every preset, by command"},
                  {"presets photo.jpg", "a sheet with the result of each preset for your photo"}};
  row.make = [] { return std::make_unique<PresetsInvocation>(); };
  return row;
}

}  // namespace dapple::app
