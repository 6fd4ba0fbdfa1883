// Four floats at once, by the vector types that GCC and Clang share: any processor, no intrinsics,
// and the same results lane by lane as plain floats give.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "sample/conflict.hpp"

namespace dapple {

using Lanes = float __attribute__((vector_size(16)));
using LaneMask = std::int32_t __attribute__((vector_size(16)));  // a lane: -1 or 0
inline constexpr std::size_t lane_count = 4;

inline Lanes load(const float* from) {
  Lanes v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline Lanes lanes(float v) {
  return Lanes{v, v, v, v};
}
inline Lanes magnitude(Lanes v) {
  return std::bit_cast<Lanes>(std::bit_cast<LaneMask>(v) & 0x7fffffff);
}
// v where it is above 0, else 0; exact, and free of branches.
inline Lanes above_zero(Lanes v) {
  return 0.5f * (v + magnitude(v));
}
inline bool any(LaneMask mask) {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(mask);
  return (halves[0] | halves[1]) != 0;
}

// As conflict_of() for single numbers.
template <ConflictRule rule>
Lanes conflict_lanes(Lanes candidate, Lanes earlier) {
  if constexpr (rule == ConflictRule::mean) return 0.5f * (candidate + earlier);
  if constexpr (rule == ConflictRule::min) return candidate < earlier ? candidate : earlier;
  if constexpr (rule == ConflictRule::max) return candidate > earlier ? candidate : earlier;
  return candidate;
}

}  // namespace dapple
