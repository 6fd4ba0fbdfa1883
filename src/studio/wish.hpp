// What a page wants to see: a command with its settings, as texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/run/runner.hpp"
#include "studio/brush.hpp"

namespace dapple::studio {

struct Wish {
  int number = 0;  // of the page's changes, counted up
  std::string command = "stipple";
  std::string preset;                           // "": none
  std::map<std::string, std::string> settings;  // by option; `seed` among them
  std::string input;                            // path; "": none
  Strokes strokes{};                            // of the brush over it

  // The same for two wishes that give the same result.
  std::string key() const;
};

// But for its strokes, which whoever keeps them adds. Throws Error(usage) for what is no wish.
Wish wish_of(const app::Json& message, const std::string& input);

// The run that a wish stands for, its seed in the context. `as`: an operation of the same options
// to take in place of the command's. Throws Error(usage) with all problems.
app::Run run_of(const Wish& wish, Context& context, const Operation* as = nullptr);

// The command line that does the same and writes these files.
std::string command_line(const Wish& wish, const std::vector<std::string>& outputs);

}  // namespace dapple::studio
