// Maps whole places beyond the ends of a line into it: on a circle, such as the pixels of a torus
// and the slices of a loop, or in a mirror.
#pragma once

namespace dapple {

// Returns `at` modulo `period`, in [0, period). The remainder of C++ is negative if `at` is.
template <class Integer>
constexpr Integer modulo(Integer at, Integer period) {
  return (at % period + period) % period;
}

// Returns which of `size` places is seen at `at` if both ends are mirrors.
constexpr int mirrored(int at, int size) {
  if (at >= 0 && at < size) return at;
  at = modulo(at, 2 * size);
  return at < size ? at : 2 * size - 1 - at;
}

}  // namespace dapple
