// Finds presets, which are recipes in a folder, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

struct Preset {
  std::string name;  // the file's name without folder and extension
  std::string path;
  Recipe recipe;  // after with_tools(), with palettes as colors
};

// Returns all presets by name. If two have the same name, the first counts. Skips files that cannot
// be read, with a warning.
std::vector<Preset> all_presets(Context& context);

// Reads the preset or recipe in a file. Throws Error(input) or Error(usage) if it is wrong.
Preset read_preset(const std::string& path);

// Loads a preset by name, or by path if `name` contains a / or ends in .toml. The first word of a
// name is optional; `command` selects among presets with the same rest. Throws Error(usage) with
// the nearest name if the preset does not exist.
Preset load_preset(const std::string& name, std::string_view command);

// Marks the recipe's options as set by `what`, for error messages.
void note_origin(const Recipe& recipe, OptionList& options, const std::string& what);

// Throws Error(usage) if the recipe is for another command; `what` names it in the message.
void require_command(const Recipe& recipe, std::string_view command, const std::string& what);

}  // namespace dapple::app
