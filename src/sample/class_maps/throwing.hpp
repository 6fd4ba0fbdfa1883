// Throws darts of classes with maps, in windows of time, and proves the points.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "sample/class_maps/near.hpp"

namespace dapple::class_maps {

struct Sampled {
  std::vector<Vec2> at;
  std::vector<std::int32_t> class_id;
  std::vector<std::int32_t> window;  // window in which each point was accepted

  std::size_t size() const { return at.size(); }
};

// Returns points around `obstacles` that leave no place for one more of any class. `head_start`: as
// in sample/engine/darts_in_time.hpp.
Sampled throw_darts(const Classes& classes, const Near& obstacles,
                    const std::vector<double>& head_start, Context& context);

Certificate prove(const Classes& classes, const Near& obstacles, const Points& points,
                  double tolerance, Context& context);

}  // namespace dapple::class_maps
