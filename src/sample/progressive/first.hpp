// The first few hundred points of a progressive set.
#pragma once

#include <cstdint>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// The distance that each next point is to keep, in parts of that in a hexagonal lattice of as many.
inline constexpr double first_spacing = 0.72;

// Adds points until there are as many as have `first_spacing` at the radii of the field, or no
// place is found. Each keeps the rule of the field. `place` tells runs of one seed apart. Returns
// the smallest distance / wanted distance of the new points. Compares all pairs.
double add_first_points(PointSet& points, const DensityField& field, ConflictRule rule,
                        std::uint64_t place, Context& context);

}  // namespace dapple
