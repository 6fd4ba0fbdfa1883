// The parts of way_bound() that tests look at.
#pragma once

#include <span>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The least weight of a tree that joins all points, its edges weighing their length and the
// penalties of both ends. Exact for any penalties. The points best lie along a curve that keeps
// near ones together.
double least_tree(const PointSet& points, std::span<const double> penalties, Context& context);

}  // namespace dapple
