// Columns for objects, of points in the plane, in a volume or on a surface. The first `kept` values
// of a column that is there stay as they are.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dapple/sample.hpp"

namespace dapple {

// From `low` to `high`, which options.size is in the unit of the radii, by chance or by those.
// Throws Error(usage) for sizes that are none.
void add_sizes(const std::vector<float>& radii, const ScatterOptions& options, double low,
               double high, std::size_t kept, std::vector<float>& sizes, const Context& context);
// Degrees, by a text such as 30 or 0:360.
void add_rotations(std::size_t count, std::string_view text, std::size_t kept,
                   std::vector<float>& rotations, const Context& context);

}  // namespace dapple
