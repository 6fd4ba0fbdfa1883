// Keeping the marks of a pen clear of each other.
#pragma once

#include <algorithm>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple::stippling {

// What a gap (mm) is widened by, so that it is there in files too, which round.
inline double slack_of(double gap) {
  return std::min(0.004, gap / 20);
}

// Moves dots inside their domain by as little as it takes until rims, at these distances from their
// centers, are no nearer than `gap`. False where that was not reached: too many dots for the place.
bool push_apart(PointSet& dots, const std::vector<double>& rims, double gap, Context& context);

// The same without a gap for those dots alone that may move, some of the way: those that are held
// lie where they lie, over each other or not.
void part_where_light(PointSet& dots, const std::vector<double>& rims,
                      const std::vector<char>& held, Context& context);

}  // namespace dapple::stippling
