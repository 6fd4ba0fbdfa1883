// Reads the domain of points as people write it into a comment of a file.
#pragma once

#include <string_view>

#include "dapple/points.hpp"

namespace dapple {

// Reads the domain from `domain WIDTHxHEIGHT[xDEPTH[xEXTENT]][ torus|flat]`. Returns false for any
// other text and changes nothing. Throws Error(input) for sides that are infinite.
bool read_domain_text(std::string_view text, PointSet& points);

}  // namespace dapple
