// Finds presets, which are recipes in a folder, by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/forward.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

struct Run;

struct Preset {
  std::string name;  // the file's name without folder and extension
  std::string path;
  Recipe recipe;  // after with_tools(), with palettes as colors
};

constexpr std::int64_t recipe_limit = 1 << 20;  // bytes of the file

// Warns that a preset cannot be used.
void warn_of_skipped(const Error& error, Context& context);

// Returns all presets by name. If two have the same name, the first counts. Skips files that cannot
// be read, with a warning.
std::vector<Preset> all_presets(Context& context);

// Reads the preset or recipe in a file. Throws Error(input) or Error(usage) if it is wrong.
Preset read_preset(const std::string& path);

// Loads a preset by name, or by path if `name` contains a / or ends in .toml. The first word of a
// name is optional; `command` selects among presets with the same rest. Throws Error(usage) with
// the nearest name if the preset does not exist.
Preset load_preset(const std::string& name, std::string_view command);

// Returns true if the preset lies in `folder`, or where earlier builds saved the user's presets.
bool is_own(const Preset& preset, const std::filesystem::path& folder);

// Writes the run's options that differ from their defaults, and such a seed of `context`, as a
// preset, whole or not at all. Returns its path. Throws Error(usage) for a name that is no plain
// word or that would hide or be mistaken for another preset, and Error(output). `overwrite` tells
// what happens to a preset of the user with this name.
std::string save_preset(const std::filesystem::path& folder, const std::string& name,
                        const std::string& comment, const Run& run, Overwrite overwrite,
                        Context& context);

// Marks the recipe's options as set by `what`, for error messages.
void note_origin(const Recipe& recipe, OptionList& options, const std::string& what);

// Throws Error(usage) if the recipe is for another command; `what` names it in the message.
void require_command(const Recipe& recipe, std::string_view command, const std::string& what);

}  // namespace dapple::app
