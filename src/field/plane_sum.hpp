// The sum of a plane.
#pragma once

#include "dapple/plane.hpp"

namespace dapple {

// In rows, in doubles: the same to the last bit wherever a picture's ink is counted.
inline double sum_of(const Plane<float>& plane) {
  double sum = 0;
  for (const float v : plane.values()) sum += static_cast<double>(v);
  return sum;
}

}  // namespace dapple
