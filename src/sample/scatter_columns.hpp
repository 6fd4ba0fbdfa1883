// Adds columns for objects to points in the plane, in a volume or on a surface. The first `kept`
// values of an existing column do not change.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dapple/sample.hpp"

namespace dapple {

// Adds sizes from `low` to `high`, at random or by `radii`. Both are options.size in the unit of
// the radii. Throws Error(usage) for invalid sizes.
void add_sizes(const std::vector<float>& radii, const ScatterOptions& options, double low,
               double high, std::size_t kept, std::vector<float>& sizes, const Context& context);
// Adds rotations in degrees, from a text such as 30 or 0:360.
void add_rotations(std::size_t count, std::string_view text, std::size_t kept,
                   std::vector<float>& rotations, const Context& context);

}  // namespace dapple
