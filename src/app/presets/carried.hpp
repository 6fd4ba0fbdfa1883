// Recipes that files carry: what dapple made says how it was made. Such a file may come from a
// stranger, whose recipe may name any file and hold commands for a machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/runner.hpp"

namespace dapple::app {

// The origin that a file gives for itself.
struct Origin {
  std::string recipe;
  int frame = -1;    // of a numbered file: which slice it is
  int tile = 0;      // of a set: its number
  std::string part;  // of a drawing in tiles: which it is
  std::string only;  // of an image: the one output that it holds
  std::string name;  // of the file; of a certificate the one it certifies
  std::string hash;  // of a certificate: the file's SHA-256
};
// Throws Error(input) for a file that carries no recipe.
Origin origin_of(const std::string& path, Context& context);

// Whether the name is of a file that carries its recipe, rather than one that is a recipe.
bool carries_recipe(const std::string& path);

// The file that a carried recipe names for `name`: the one that the user gave, or that lies beside
// `file` under that name; no other is opened. Throws Error(input) where it is not there, with the
// `flag` that names it.
std::string place_of(const std::string& name, const std::string& recorded, std::string_view given,
                     const std::string& file, const std::string& flag);

// G-code moves whatever a machine has: whether such is written, and the options' commands for it,
// "" where they are the program's own.
bool moves_a_machine(const std::vector<std::string>& outputs);
std::string machine_commands(const OptionList& options);

// As take_recipe() does with the recipe that `file` carries. Files that it names lie beside it,
// but for those of `given`: options that the user sets, and `input`. Throws Error(usage) for
// commands for a machine, where one is to be moved, and Error(input) for files that are not there.
void take_carried(const std::string& file, const std::vector<std::string>& given, Run& run,
                  std::uint64_t* seed, Context& context);

}  // namespace dapple::app
