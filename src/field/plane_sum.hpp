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

// body(first, end) for [0, count) run by run, each so short that a cancel ends it soon.
template <class Body>
void in_runs(std::size_t count, const Context& context, const Body& body) {
  constexpr std::size_t run = 1 << 18;
  for (std::size_t first = 0; first < count; first += run) {
    context.check();
    body(first, std::min(count, first + run));
  }
}

// The same sum of a large one, which a cancel ends.
inline double sum_of(const Plane<float>& plane, const Context& context) {
  double sum = 0;
  in_runs(plane.size(), context, [&](std::size_t first, std::size_t end) {
    sum = added(sum, plane.values().subspan(first, end - first));
  });
  return sum;
}

}  // namespace dapple
