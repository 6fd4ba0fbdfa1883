// The sum of a plane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

inline double added(double sum, std::span<const float> values) {
  for (const float v : values) sum += static_cast<double>(v);
  return sum;
}

// In rows, in doubles: the same to the last bit wherever a picture's ink is counted.
inline double sum_of(const Plane<float>& plane) {
  return added(0, plane.values());
}

// The same sum of a large one, which a cancel ends.
inline double sum_of(const Plane<float>& plane, const Context& context) {
  constexpr std::size_t between_checks = 1 << 20;
  const std::span<const float> values = plane.values();
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); i += between_checks) {
    context.check();
    sum = added(sum, values.subspan(i, std::min(between_checks, values.size() - i)));
  }
  return sum;
}

}  // namespace dapple
