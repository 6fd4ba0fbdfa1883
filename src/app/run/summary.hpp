// Summarizes a run for the user, one line per file.
#pragma once

#include <string>
#include <vector>

#include "app/run/record.hpp"

namespace dapple::app {

// Returns a line such as `a.png: 640 x 480 px, 10000 points`.
std::string summary_of(const Record& record, const WrittenOutput& output);
// Returns lines for all outputs except standard output. Numbered files share a line with the first
// and the last name.
std::vector<std::string> summaries_of(const Record& record);

}  // namespace dapple::app
