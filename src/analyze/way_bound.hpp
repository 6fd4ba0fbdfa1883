// Declares the parts of way_bound() that tests use.
#pragma once

#include <span>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the least weight of a tree that joins all points. An edge weighs its length and the
// penalties of both ends. Exact for any penalties. Faster if the points lie along a curve that
// keeps near points together.
double least_tree(const PointSet& points, std::span<const double> penalties, Context& context);

}  // namespace dapple
