// Writes reports of figures as JSON for programs.
#pragma once

#include <string>

#include "dapple/analyze.hpp"

namespace dapple {

// Returns the JSON of `dapple analyze --json`: kind, verdict, measurements with units and targets,
// notes and curves. A value that is not finite is null.
std::string report_json(const QualityReport& report);

}  // namespace dapple
