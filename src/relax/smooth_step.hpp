#pragma once

#include <algorithm>

namespace dapple {

// Rises from 0 at `from` to 1 at `to`, with slope 0 at each; constant beyond. `from` may be larger.
inline double smooth_step(double from, double to, double at) {
  const double t = std::clamp((at - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace dapple
