// Reads and writes recipes: one run as flat TOML, with options by their long names. A preset is a
// recipe, the command line edits one, and an output carries the recipe that it came from.
//
//     # what it makes, for whom
//     command = "worley"
//     seed = 7
//     size = "512x512"
//     outputs = ["f1", "id"]
//
// Other keys: command, version, seed, input, input_hash, and NAME_hash for the file that option
// NAME names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/forward.hpp"

namespace dapple {

struct Recipe {
  std::string command = {};     // "" if the recipe fits any command that has its options
  std::string version = {};     // of Dapple, as written into outputs
  std::string comment = {};     // the leading comment, without #
  std::string input = {};       // "" = none
  std::string input_hash = {};  // of the input's bytes, as written into outputs
  // Hashes of the files that options name, by option; written as NAME_hash.
  std::vector<std::pair<std::string, std::string>> file_hashes = {};
  std::uint64_t seed = 1;
  bool has_seed = false;
  struct Setting {
    std::string name = {};
    std::string text = {};
    int line = 0;  // its place in the file, from 1; 0 = not from a file
    int column = 0;
  };
  std::vector<Setting> settings = {};
};

// Reads TOML; `file` is for messages, which give file:line:column. Throws Error(usage).
Recipe parse_recipe(std::string_view toml, const std::string& file);
// Applies settings to options. Throws one Error(usage) that lists every problem with
// file:line:column, and the nearest valid name for an unknown name.
void apply(const Recipe& recipe, OptionList& options, const std::string& file);
// Returns the recipe of options that have a value; with `all`, defaults are included.
Recipe make_recipe(std::string_view command, const OptionList& options, bool all);
// Returns TOML that parse_recipe reads back to the same settings.
std::string to_toml(const Recipe& recipe, const OptionList& options);

}  // namespace dapple
