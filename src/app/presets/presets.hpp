// Finds presets, which are recipes in a folder, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/recipe.hpp"

namespace dapple::app {

struct Preset {
  std::string name;  // the file's name without folder and extension
  std::string path;
  Recipe recipe;  // after with_tools(), palettes written out
};

// Returns all presets by name; of two with the same name, the first found. Throws Error(usage) or
// Error(input) if a file cannot be read.
std::vector<Preset> all_presets();

// Loads a preset by name, or by path if `name` holds a / or ends in .toml. The first word of a name
// is optional; `command` selects among presets with the same rest. Throws Error(usage) with the
// nearest name if none exists.
Preset load_preset(const std::string& name, std::string_view command);

// Marks options that the recipe sets as coming from `what`, so that error messages can say so.
void note_origin(const Recipe& recipe, OptionList& options, const std::string& what);

// Throws Error(usage) if the recipe is for another command; `what` names it in the message.
void require_command(const Recipe& recipe, std::string_view command, const std::string& what);

}  // namespace dapple::app
