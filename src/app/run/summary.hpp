// What people are told of a run, a line a file.
#pragma once

#include <string>
#include <vector>

#include "app/run/record.hpp"

namespace dapple::app {

// Such as `a.png: 640 x 480 px, 10000 points`.
std::string summary_of(const Record& record, const WrittenOutput& output);
// Of all outputs but standard output: numbered files share a line, which names the first and the
// last.
std::vector<std::string> summaries_of(const Record& record);

}  // namespace dapple::app
