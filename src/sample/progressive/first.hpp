// Places the first few hundred points of a progressive set.
#pragma once

#include <cstdint>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// Distance that each next point keeps, as a part of that in a hexagonal lattice of as many points.
inline constexpr double first_spacing = 0.72;

// Adds points until they are as many as `first_spacing` allows at the radii of the field, or no
// place is found. Each keeps the rule of the field. `place` distinguishes runs of one seed. Returns
// the smallest distance / wanted distance of the new points. O(n^2): compares all pairs.
double add_first_points(Points& points, const DensityField& field, ConflictRule rule,
                        std::uint64_t place, Context& context);

}  // namespace dapple
