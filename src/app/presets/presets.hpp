// Presets: recipes in a folder, found by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/recipe.hpp"

namespace dapple::app {

struct Preset {
  std::string name;  // the file's name without folder and extension
  std::string path;
  Recipe recipe;  // with_tools(), and palettes written out
};

// Every preset by name; of two of one name the one found first. A file that cannot be read throws
// Error(usage) or Error(input).
std::vector<Preset> all_presets();

// A preset by its name, or by the path of its file (whatever holds a / or ends in .toml). The first
// word of a name may be left out: of several with the same rest, the one of `command` is meant.
// Throws Error(usage) with the nearest name for one that does not exist.
Preset load_preset(const std::string& name, std::string_view command);

// Refusals name who said what the user did not: options that the recipe sets come from `what`.
void note_origin(const Recipe& recipe, OptionList& options, const std::string& what);

// Throws Error(usage) where a recipe (`what`: how it was named) is for another command.
void require_command(const Recipe& recipe, std::string_view command, const std::string& what);

}  // namespace dapple::app
