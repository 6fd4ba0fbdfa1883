// The vector code of the dart sampler, compiled once for each set of instructions that Highway
// knows: four or eight floats at a time, by plain IEEE operations lane by lane, so that every set
// gives the same bytes.
//
// Included by files that Highway compiles several times, hence no ordinary guard.
#if defined(DAPPLE_SAMPLE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_LANES
#undef DAPPLE_SAMPLE_LANES
#else
#define DAPPLE_SAMPLE_LANES
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <hwy/highway.h>

#include "dapple/sample.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 8> floats;
using Lanes = hn::Vec<decltype(floats)>;
using LaneMask = hn::Mask<decltype(floats)>;
constexpr std::size_t lane_count = hn::MaxLanes(floats);

HWY_INLINE Lanes load(const float* from) {
  return hn::LoadU(floats, from);
}
HWY_INLINE void store(Lanes v, float* to) {
  hn::StoreU(v, floats, to);
}
HWY_INLINE Lanes lanes(float v) {
  return hn::Set(floats, v);
}
HWY_INLINE Lanes above_zero(Lanes v) {
  return hn::Max(v, hn::Zero(floats));
}
HWY_INLINE bool any(LaneMask mask) {
  return !hn::AllFalse(floats, mask);
}
// A bit a lane.
HWY_INLINE std::uint32_t bits_of(LaneMask mask) {
  std::uint8_t bits[8];
  hn::StoreMaskBits(floats, mask, bits);
  return bits[0];
}

// Which lanes are kept, one after the other, eight bits each; by the bits of a mask.
constexpr auto kept_lanes = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    int shift = 0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      if ((bits >> lane & 1) == 0) continue;
      table[bits] |= lane << shift;
      shift += 8;
    }
  }
  return table;
}();

// Stores the lanes whose bits are set, one after the other; writes whole lanes.
class Keep {
 public:
  explicit Keep(std::uint32_t bits) : bits_(bits) {}

  template <class Number>
  void operator()(const Number* from, Number* to) const {
    if constexpr (lane_count == 8) {
      constexpr hn::CappedTag<Number, 8> numbers;
      constexpr hn::CappedTag<std::int32_t, 8> ints;
      constexpr hn::Rebind<std::uint8_t, decltype(ints)> bytes;
      const auto lanes_kept = hn::PromoteTo(
          ints, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(&kept_lanes[bits_])));
      hn::StoreU(
          hn::TableLookupLanes(hn::LoadU(numbers, from), hn::IndicesFromVec(numbers, lanes_kept)),
          numbers, to);
    } else {
      for (std::uint32_t left = bits_; left != 0; left &= left - 1) {
        *to++ = from[std::countr_zero(left)];
      }
    }
  }

 private:
  std::uint32_t bits_;
};

// As conflict_of() for single numbers.
template <ConflictRule rule>
HWY_INLINE Lanes conflict_lanes(Lanes candidate, Lanes earlier) {
  if constexpr (rule == ConflictRule::mean) return lanes(0.5f) * (candidate + earlier);
  if constexpr (rule == ConflictRule::min) return hn::Min(candidate, earlier);
  if constexpr (rule == ConflictRule::max) return hn::Max(candidate, earlier);
  return candidate;
}

// Clears bits first .. end - 1 of a word a lane.
template <class Ints>
HWY_INLINE void erase_bits(std::uint64_t* words, Ints first, Ints end) {
#if HWY_TARGET == HWY_SCALAR
  const auto from_bit = [](auto at) {
    const int part = hn::GetLane(at) / 2;
    return ~std::uint64_t{0} << part << (hn::GetLane(at) - part);
  };
  *words &= ~(from_bit(first) & ~from_bit(end));
#else
  constexpr hn::Repartition<std::int64_t, decltype(floats)> wide;
  constexpr hn::RebindToUnsigned<decltype(wide)> unsigned_wide;
  constexpr hn::Rebind<std::int32_t, decltype(wide)> narrow;
  // All bits from `at` on; in two steps, as a shift by 64 means nothing.
  const auto from_bit = [&](auto at) HWY_ATTR {
    const auto count = hn::BitCast(unsigned_wide, hn::PromoteTo(wide, at));
    const auto part = hn::ShiftRight<1>(count);
    return (hn::Set(unsigned_wide, ~std::uint64_t{0}) << part) << (count - part);
  };
  const auto erase = [&](std::uint64_t* to, auto from, auto until) HWY_ATTR {
    const auto gone = hn::AndNot(from_bit(until), from_bit(from));
    hn::StoreU(hn::AndNot(gone, hn::LoadU(unsigned_wide, to)), unsigned_wide, to);
  };
  erase(words, hn::LowerHalf(narrow, first), hn::LowerHalf(narrow, end));
  erase(words + lane_count / 2, hn::UpperHalf(narrow, first), hn::UpperHalf(narrow, end));
#endif
}

// Clears the bits of those rectangles, 1 wide and `height` high, that lie in the disc round (x, y),
// in the eight rows from `row` on: bit i of rows[j] has its corner at (i, height (row + j)).
HWY_INLINE void erase_in_rows(std::uint64_t* rows, float row, float height, float x, float y,
                              float radius2) {
  constexpr hn::RebindToSigned<decltype(floats)> ints;
  const Lanes half = lanes(0.5f * height);
  // To a whole number from 0 to 64: above 2^23 floats are whole, and their last bits are it.
  const auto nearest = [&](Lanes v) HWY_ATTR {
    const Lanes whole = hn::Min(above_zero(v), lanes(64)) + lanes(0x1p23f);
    return hn::And(hn::BitCast(ints, whole), hn::Set(ints, 0x7f));
  };
  for (std::size_t j = 0; j < 8; j += lane_count) {
    const Lanes middle = hn::Iota(floats, row + static_cast<float>(j) + 0.5f) * lanes(height);
    const Lanes dy = hn::Abs(middle - lanes(y)) + half;
    const Lanes reach = hn::Sqrt(above_zero(lanes(radius2) - dy * dy));
    // From the first edge after the left end to the last before the right end.
    erase_bits(rows + j, nearest(lanes(x + 0.5f) - reach), nearest(lanes(x - 0.5f) + reach));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
