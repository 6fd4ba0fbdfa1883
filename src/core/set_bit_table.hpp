#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dapple {

// The positions of the set bits of each number below 256, in ascending order, one byte each.
inline constexpr auto bit_order = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    int shift = 0;
    for (std::uint64_t bit = 0; bit < 8; ++bit) {
      if ((bits >> bit & 1) == 0) continue;
      table[bits] |= bit << shift;
      shift += 8;
    }
  }
  return table;
}();

}  // namespace dapple
