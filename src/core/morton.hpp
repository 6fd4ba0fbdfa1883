// Orders points along a curve that keeps neighbors together (Morton 1966). Passes over the points
// then find their data in the cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dapple {

// Spreads the bits of v to the even places.
constexpr std::uint64_t spread_bits(std::uint32_t v) {
  std::uint64_t x = v;
  x = (x | (x << 16)) & 0x0000ffff0000ffffULL;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ffULL;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fULL;
  x = (x | (x << 2)) & 0x3333333333333333ULL;
  return (x | (x << 1)) & 0x5555555555555555ULL;
}

// Returns the indices of the points in Morton order, in 2^22 x 2^22 squares over their extent. A
// square that holds many points is cut into squares of its own. Points of one square stay in the
// given order. Takes O(n), except for sets whose extent is millions of times their spacing.
std::vector<std::uint32_t> morton_order(std::span<const double> x, std::span<const double> y);

}  // namespace dapple
