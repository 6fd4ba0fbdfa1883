// The sum of a plane.
#pragma once

#include <cstddef>
#include <span>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// In rows, in doubles: the same to the last bit wherever a picture's ink is counted.
inline double sum_of(const Plane<float>& plane) {
  double sum = 0;
  for (const float v : plane.values()) sum += static_cast<double>(v);
  return sum;
}

// The same sum of a large one, which a cancel ends.
inline double sum_of(const Plane<float>& plane, const Context& context) {
  constexpr std::size_t between_checks = 1 << 20;
  const std::span<const float> values = plane.values();
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % between_checks == 0) context.check();
    sum += static_cast<double>(values[i]);
  }
  return sum;
}

}  // namespace dapple
