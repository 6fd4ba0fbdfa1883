// Points along a curve that keeps neighbors together (Morton 1966), so that passes over them find
// what they need next in the cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dapple {

// Bits of v to the even places.
constexpr std::uint64_t spread_bits(std::uint32_t v) {
  std::uint64_t x = v;
  x = (x | (x << 16)) & 0x0000ffff0000ffffULL;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ffULL;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fULL;
  x = (x | (x << 2)) & 0x3333333333333333ULL;
  return (x | (x << 1)) & 0x5555555555555555ULL;
}

// Indices of the points in Morton order of their places, cut into 2^22 x 2^22 squares over what the
// points take up, and a square that holds many of them into squares of its own; points of one
// square stay in the order given. Linear, but for sets whose extent is millions of times their
// spacing.
std::vector<std::uint32_t> morton_order(std::span<const double> x, std::span<const double> y);

}  // namespace dapple
