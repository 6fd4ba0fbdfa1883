// Finds pens and machines by name. Tables in the preset folders list the options of each name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

// Returns tools/KIND.toml of all preset folders, concatenated. `kind` is pens or machines.
std::string tools_text(std::string_view kind);

// Returns the options of a machine. Throws Error(usage) with the nearest name if it does not exist.
Recipe machine_settings(const std::string& name);

// A table of tools/KIND.toml: its name, and its lines without the heading.
struct ToolTable {
  std::string name;
  std::string body;
};
// Writes tables to tools/KIND.toml of the user's own preset folder, in place of those of the same
// names. Returns the path of the file. Throws Error(output).
std::string save_tools(std::string_view kind, const std::vector<ToolTable>& tables);

// Replaces the name of a pen or a machine by its options. Explicitly given options take precedence.
// Throws like machine_settings().
Recipe with_tools(Recipe recipe);
std::vector<Arguments::Assignment> with_tools(std::vector<Arguments::Assignment> assignments,
                                              const OptionList& options);

}  // namespace dapple::app
