// Sheets of results made in several ways, to choose from.
#pragma once

#include <string>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/record.hpp"
#include "app/run/runner.hpp"

namespace dapple::app {

// One of the results, and what is written below it.
struct Way {
  std::string label;
  Run run;
  std::uint64_t seed = 1;
};

// The ways that --variants asks for, row by row. Each text is COLUMNSxROWS, the operation's own
// choice, or OPTION=V,V,... (V;V;... where values hold commas), which may come twice: columns,
// rows. Throws Error(usage).
struct Variants {
  std::vector<Way> ways;
  int columns = 0;
};
Variants variants_of(const Run& base, const std::vector<std::string>& texts, std::uint64_t seed);

// Makes a picture in each way and writes them as one sheet under these names. All ways have the
// same input. A way that cannot be made is left out with a warning; where none can, the Error of
// the last is thrown.
struct SheetHead {
  std::string command;
  std::string title;
  std::string made_by;  // the command with what made the sheet
};
Record write_contact_sheet(const SheetHead& head, std::vector<Way> ways, int columns,
                           const std::vector<std::string>& names, const RunOptions& options,
                           Context& context);

}  // namespace dapple::app
