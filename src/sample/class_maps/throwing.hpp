// Darts of classes with maps, in windows of time, and their proof.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "sample/class_maps/near.hpp"

namespace dapple::mixed {

struct Points {
  std::vector<Vec2> at;
  std::vector<std::int32_t> class_id;
  std::vector<std::int32_t> window;  // in which it fell

  std::size_t size() const { return at.size(); }
};

// Points that leave no place for one of any class beside `obstacles`; `head_start`: as of
// sample/poisson_windows/darts_in_time.hpp.
Points throw_darts(const Classes& classes, const Near& obstacles,
                   const std::vector<double>& head_start, Context& context);

ClassCertificate prove(const Classes& classes, const Near& obstacles, const PointSet& points,
                       double tolerance, Context& context);

}  // namespace dapple::mixed
