// Writes contact sheets: results of several settings side by side.
#pragma once

#include <string>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/record.hpp"
#include "app/run/runner.hpp"

namespace dapple::app {

// One result and the label below it.
struct Way {
  std::string label;
  Run run;
  std::uint64_t seed = 1;
  bool of_small_input = false;  // reduces a large input to twice the size of the picture
};

// Parses --variants; `ways` run row by row. A text is COLUMNSxROWS for the operation's default
// axes, or OPTION=V,V,... (V;V;... if values hold commas). Of two such texts, the first sets the
// columns and the second the rows. Throws Error(usage).
struct Variants {
  std::vector<Way> ways;
  int columns = 0;
};
Variants variants_of(const Run& base, const std::vector<std::string>& texts, std::uint64_t seed);

// Makes a picture for each way and writes all as one sheet under `names`. All ways have the same
// input. Leaves out failed ways with a warning. If all fail, throws the last Error.
struct SheetHead {
  std::string command;
  std::string title;
  std::string made_by;  // the command, with the options that made the sheet
};
Record write_contact_sheet(const SheetHead& head, std::vector<Way> ways, int columns,
                           const std::vector<std::string>& names, const RunOptions& options,
                           Context& context);

}  // namespace dapple::app
