// Finds, reads and saves presets.
#include "app/presets/presets.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "app/error_text.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/preset_folders.hpp"
#include "app/run/outputs.hpp"
#include "app/run/runner.hpp"
#include "core/text/hex_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "generate/dither/palette.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void warn_of_skipped(const Error& error, Context& context) {
  context.warn("a preset is skipped: " + text_of(error));
}

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

bool is_own(const Preset& preset, const fs::path& folder) {
  const fs::path own = fs::path(preset.path).parent_path();
  return own == folder || own == former_user_presets();
}

std::string save_preset(const fs::path& folder, const std::string& name, const std::string& comment,
                        const Run& run, Overwrite overwrite, Context& context) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
  };
  constexpr std::array words{"save", "pens", "machines"};  // `dapple presets` reads them itself
  // Windows and shells give other characters a meaning.
  if (name.empty() || name.size() > 200 || !is_letter(name[0]) ||
      !std::all_of(name.begin(), name.end(),
                   [&](char c) { return is_letter(c) || c == '-' || c == '_'; }) ||
      std::find(words.begin(), words.end(), name) != words.end()) {
    throw Error(ErrorKind::usage,
                "'" + name +
                    "' cannot be the name of a preset: choose a word of letters, digits, - and _ "
                    "that begins with a letter or digit, and none of save, pens and machines");
  }
  for (const Preset& other : all_presets(context)) {
    const bool own = is_own(other, folder);
    if (own && other.name == name && overwrite == Overwrite::never) {
      throw Error(ErrorKind::usage, "you have a preset '" + name +
                                        "' already: choose another name, or replace it (on the "
                                        "command line with `overwrite` always)");
    }
    const std::string_view rest = short_name(other.name);
    const bool is_alike = rest == name || other.name == name ||
                          (rest == short_name(name) && other.recipe.command == run.operation->name);
    if (own ? rest != name || other.name == name : !is_alike) continue;
    throw Error(ErrorKind::usage, "'" + name + "' is taken by the preset '" + other.name +
                                      "', which is also found by the name '" + std::string(rest) +
                                      "': choose another name");
  }
  Recipe recipe = make_recipe(run.operation->name, run.options, false);
  recipe.has_seed = context.seed != Context().seed;
  recipe.seed = context.seed;
  recipe.comment = utf8_of_name(comment);
  std::replace_if(
      recipe.comment.begin(), recipe.comment.end(),
      [](char c) { return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f); }, ' ');
  make_user_folder(folder);
  const std::string path = (folder / (name + ".toml")).string();
  write_file(path, to_toml(recipe, run.options), overwrite);
  return path;
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

}  // namespace dapple::app
