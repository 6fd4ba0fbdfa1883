// Pens and machines by name: tables of the options that a name stands for, in files of the folders
// of presets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

// tools/KIND.toml of each folder of presets, KIND being pens or machines, one after the other.
std::string tools_text(std::string_view kind);

// What a machine is set to. Throws Error(usage) with the nearest name for one that is not there.
Recipe machine_settings(const std::string& name);

// The same settings, with those that the name of a pen or a machine stands for in its place. Others
// that are given win over them. Throws as machine_settings() does.
Recipe with_tools(Recipe recipe);
std::vector<Arguments::Assignment> with_tools(std::vector<Arguments::Assignment> assignments,
                                              const OptionList& options);

}  // namespace dapple::app
