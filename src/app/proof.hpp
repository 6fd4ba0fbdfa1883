// Proves the spacing and coverage of points from any source.
#pragma once

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple::app {

// Throws Error(verification) with the failing place unless the points keep their distance and leave
// no gap. Points lie in a plane or a volume. Throws Error(usage) if their radii differ. O(N).
void prove_even(const Points& points, ConflictRule rule, Context& context);

}  // namespace dapple::app
