// Keeps the marks of a pen apart.
#pragma once

#include <algorithm>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple::stippling {

// Returns the excess (mm) by which a gap is widened, because files round coordinates.
inline double slack_of(double gap) {
  return std::min(0.004, gap / 20);
}

// Moves dots inside their domain, as little as possible, until their rims are at least `gap` apart.
// `rims` are distances from the centers. Returns false if there are too many dots for that.
bool push_apart(Points& dots, const std::vector<double>& rims, double gap, Context& context);

// As above, but without a gap, and stops after fewer sweeps. Dots that are held do not move, even
// if they overlap.
void part_where_light(Points& dots, const std::vector<double>& rims, const std::vector<char>& held,
                      Context& context);

}  // namespace dapple::stippling
