// Sums planes.
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

// Sums values in doubles, in order. All sums of ink do so, and thus agree to the last bit.
inline double sum_of(const Plane<float>& plane) {
  return added(0, plane.values());
}

// Calls body(first, end) for runs of [0, count) that are so short that a cancel ends them soon.
template <class Body>
void in_runs(std::size_t count, const Context& context, const Body& body) {
  constexpr std::size_t run = 1 << 18;
  for (std::size_t first = 0; first < count; first += run) {
    context.check();
    body(first, std::min(count, first + run));
  }
}

// As above, for a large plane: a cancel ends the sum.
inline double sum_of(const Plane<float>& plane, const Context& context) {
  double sum = 0;
  in_runs(plane.size(), context, [&](std::size_t first, std::size_t end) {
    sum = added(sum, plane.values().subspan(first, end - first));
  });
  return sum;
}

}  // namespace dapple
