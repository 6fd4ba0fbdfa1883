// Reads the domain of points from a comment in a file.
#pragma once

#include <string_view>

#include "dapple/points.hpp"

namespace dapple {

// Reads the domain from `domain WIDTHxHEIGHT[xDEPTH[xEXTENT]][ torus|flat]`. Returns false and
// changes nothing for any other text. Throws Error(input) for infinite sides.
bool read_domain_text(std::string_view text, PointSet& points);

}  // namespace dapple
