// Counts bits of a number, such as bits for live parts. It avoids the popcount instruction, which
// plain processors lack, and for which std::popcount makes a call.
#pragma once

#include <cstdint>

#include "core/set_bit_table.hpp"

namespace dapple {
namespace live {

constexpr std::uint64_t ones = 0x0101010101010101;  // one in each byte

// Returns, in each byte, how many bits are set in it and in the bytes below.
constexpr std::uint64_t bits_up_to(std::uint64_t bits) {
  bits -= bits >> 1 & 0x55 * ones;
  bits = (bits & 0x33 * ones) + (bits >> 2 & 0x33 * ones);
  return ((bits + (bits >> 4)) & 0x0f * ones) * ones;
}

}  // namespace live

// Returns the number of set bits.
constexpr int bit_count(std::uint64_t bits) {
  return static_cast<int>(live::bits_up_to(bits) >> 56);
}

// Returns the place of the n-th set bit, from 0; more than n bits must be set. Finds the bytes that
// end before it all at once (Vigna 2008).
constexpr int nth_bit(std::uint64_t bits, int n) {
  using live::ones;
  const std::uint64_t sums = live::bits_up_to(bits);
  const std::uint64_t before =
      (((static_cast<std::uint64_t>(n) * ones) | 0x80 * ones) - sums) >> 7 & ones;
  const int at = static_cast<int>(before * ones >> 56) * 8;
  n -= static_cast<int>(sums << 8 >> at & 255);
  return at + static_cast<int>(bit_order[bits >> at & 255] >> 8 * n & 255);
}

}  // namespace dapple
