// Places on a circle of whole steps: pixels of a torus, slices of a loop.
#pragma once

namespace dapple {

// 0 <= result < period, for any `at`; the remainder of C++ is negative below 0.
template <class Integer>
constexpr Integer modulo(Integer at, Integer period) {
  return (at % period + period) % period;
}

}  // namespace dapple
