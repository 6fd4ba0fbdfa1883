// Bits of a number, as what is live of parts: counted without the instruction that plain
// processors lack, for which std::popcount takes a call.
#pragma once

#include <cstdint>

#include "core/set_bit_table.hpp"

namespace dapple {
namespace live {

constexpr std::uint64_t ones = 0x0101010101010101;  // one in each byte

// Of each byte, how many bits of it and those below are set.
constexpr std::uint64_t bits_up_to(std::uint64_t bits) {
  bits -= bits >> 1 & 0x55 * ones;
  bits = (bits & 0x33 * ones) + (bits >> 2 & 0x33 * ones);
  return ((bits + (bits >> 4)) & 0x0f * ones) * ones;
}

}  // namespace live

// How many are set.
constexpr int bit_count(std::uint64_t bits) {
  return static_cast<int>(live::bits_up_to(bits) >> 56);
}

// The place of the n-th that is set, from 0; there must be more than n. Vigna 2008: which bytes end
// before it, all at once.
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
