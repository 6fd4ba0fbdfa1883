// Reads recipes in output files. Such a file may come from a stranger: its recipe may name any file
// and contain commands for a machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/runner.hpp"

namespace dapple::app {

// The origin that a file records.
struct Origin {
  std::string recipe;
  int frame = -1;    // slice of a numbered file
  int tile = 0;      // number of a tile in its set
  std::string part;  // tile of a drawing
  std::string only;  // only output of an image, or only ink
  std::string name;  // of the file, or of the certified file
  std::string hash;  // SHA-256 from a certificate
};
// Throws Error(input) for a file that carries no recipe.
Origin origin_of(const std::string& path, Context& context);

// Returns true if `path` is a file that carries its recipe, not a recipe itself.
bool carries_recipe(const std::string& path);

// Returns the file for `name`: `given` by the user, or the file with the recorded name beside
// `file`. Opens no other file. Throws Error(input) if the file is missing; the message recommends
// `flag`.
std::string place_of(const std::string& name, const std::string& recorded, std::string_view given,
                     const std::string& file, const std::string& flag);

// Detect dangerous G-code, which moves hardware. The first function returns true if an output is
// G-code. The second returns the machine commands in the options, or "" if all are defaults.
bool moves_a_machine(const std::vector<std::string>& outputs);
std::string machine_commands(const OptionList& options);
// Returns the problem of `option`, which names a file whose recipe contains these commands.
Problem untrusted_commands(const std::string& option, const std::string& commands);

// Applies the recipe in `file` like take_recipe(). The recipe's files are searched beside `file`.
// Skips the names in `given`: options that the user sets, or `input`. Throws Error(usage) for
// machine commands if a machine would move, Error(input) for missing files.
void take_carried(const std::string& file, const std::vector<std::string>& given, Run& run,
                  std::uint64_t* seed, Context& context);

}  // namespace dapple::app
