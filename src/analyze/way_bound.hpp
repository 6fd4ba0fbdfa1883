// Declares the parts of way_bound() that tests use.
#pragma once

#include <span>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the least weight of a tree that joins all points, exactly for any penalties. An edge
// weighs its length plus the penalties of both ends. Faster if consecutive points are near each
// other.
double least_tree(const Points& points, std::span<const double> penalties, Context& context);

}  // namespace dapple
