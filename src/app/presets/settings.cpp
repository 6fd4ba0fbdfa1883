#include "app/presets/settings.hpp"

#include <filesystem>

#include "app/presets/plotter_profiles.hpp"
#include "app/presets/preset_folders.hpp"
#include "app/presets/presets.hpp"
#include "app/run/options.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {

void take_recipe(const Recipe& recipe, const std::string& what, const std::string& file, Run& run,
                 std::uint64_t* seed) {
  require_command(recipe, run.operation->name, what);
  if (recipe.has_seed && seed != nullptr) *seed = recipe.seed;
  if (!recipe.input.empty()) run.input = recipe.input;
  apply(recipe, run.options, file);
  note_origin(recipe, run.options, what);
}

void take_preset(const std::string& name, Run& run, std::uint64_t* seed) {
  const Preset preset = load_preset(name, run.operation->name);
  run.preset = preset.name;
  run.recipes.push_back(preset.path);
  take_recipe(preset.recipe, "preset '" + name + "'", preset.path, run, seed);
}

void set_option(const std::string& name, const std::string& text, Run& run) {
  Recipe one;
  one.settings.push_back({name, text, 0, 0});
  for (const Recipe::Setting& setting : with_tools(std::move(one)).settings) {
    Option* const option = run.options.find(setting.name);
    if (option == nullptr) {
      refuse_option(setting.name, run.operation->name, run.options.nearest(setting.name));
    }
    option->set(setting.text);
    option->comes_from.clear();
  }
}

void take_user_settings(OptionList& common) {
  if (common.find("threads") == nullptr) return;
  const std::filesystem::path folder = user_folder("XDG_CONFIG_HOME", ".config");
  const std::string file = (folder / "settings.toml").string();
  std::error_code unknown;
  if (folder.empty() || !std::filesystem::is_regular_file(file, unknown)) return;
  const Recipe settings = parse_recipe(read_file(file, recipe_limit), file);
  RunOptions unused;
  OptionList machine;
  describe_machine(unused, machine);
  std::string others = settings.has_seed ? "seed" : settings.command.empty() ? "" : "command";
  for (const Recipe::Setting& setting : settings.settings) {
    if (machine.find(setting.name) == nullptr) others = setting.name;
  }
  if (!others.empty()) {
    std::string names;
    for (const auto& option : machine) names += (names.empty() ? "" : ", ") + option->name;
    throw Error(ErrorKind::usage,
                "may set only " + names + ", which never change results; put '" + others +
                    "' into a preset",
                file);
  }
  apply(settings, common, file);
}

void refuse_option(std::string_view name, std::string_view whose, const std::string& nearest) {
  throw Error(
      ErrorKind::usage,
      Problem{std::string(name), "is not an option of " + std::string(whose) +
                                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?")});
}

}  // namespace dapple::app
