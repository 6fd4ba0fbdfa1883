// The first few hundred points of a progressive set.
#pragma once

#include <cstdint>

#include "dapple/sample.hpp"

namespace dapple {

// Of the distance in a hexagonal lattice of as many points: what each next point is to keep.
inline constexpr double first_spacing = 0.72;

// Adds points until there are as many as have `first_spacing` at the radii of the field, or no
// place is found. Each keeps the rule of the field. `place` tells runs of one seed apart. Returns
// the smallest distance / wanted distance of the new points. Compares all pairs.
double add_first_points(PointSet& points, const DensityField& field, ConflictRule rule,
                        std::uint64_t place, Context& context);

}  // namespace dapple
