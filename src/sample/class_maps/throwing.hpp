// Throws darts of classes with maps, in windows of time, and proves the points.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "sample/class_maps/near.hpp"

namespace dapple::class_maps {

template <class Ground>
struct Sampled : Placed<Ground> {
  std::vector<std::int32_t> window;  // window in which each point was accepted
};

// Both are defined for all grounds of this folder.

// Returns points around `obstacles` that leave no place for one more of any class. `head_start`: as
// in sample/engine/darts_in_time.hpp.
template <class Ground>
Sampled<Ground> throw_darts(const Classes<Ground>& classes, const NearOf<Ground>& obstacles,
                            const std::vector<double>& head_start, Context& context);

template <class Ground>
Certificate prove(const Classes<Ground>& classes, const NearOf<Ground>& obstacles,
                  const Placed<Ground>& points, double tolerance, Context& context);

}  // namespace dapple::class_maps
