// Whole places beyond the ends of a line: on a circle, as pixels of a torus and slices of a loop
// are, or in a mirror.
#pragma once

namespace dapple {

// 0 <= result < period, for any `at`; the remainder of C++ is negative below 0.
template <class Integer>
constexpr Integer modulo(Integer at, Integer period) {
  return (at % period + period) % period;
}

// Which of `size` places mirrors at both ends show at place `at`.
constexpr int mirrored(int at, int size) {
  if (at >= 0 && at < size) return at;
  at = modulo(at, 2 * size);
  return at < size ? at : 2 * size - 1 - at;
}

}  // namespace dapple
