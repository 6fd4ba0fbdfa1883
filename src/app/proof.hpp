// Proofs of points that are given, by whoever made them.
#pragma once

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple::app {

// Throws Error(verification) with the place at fault unless points of one radius, in a plane or a
// volume, keep their distance and leave no room for another; Error(usage) where radii differ. O(N).
void prove_even(const PointSet& points, ConflictRule rule, Context& context);

}  // namespace dapple::app
