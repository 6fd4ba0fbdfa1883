// Packed numbers in vectors, for the sampler of one radius: two of 16 bits a lane, compiled once
// for each set of instructions that Highway knows. All is arithmetic of integers, so every set
// gives the same.
//
// Included by files that Highway compiles several times, hence no ordinary guard.
#if defined(DAPPLE_SAMPLE_CONSTANT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_CONSTANT_LANES
#undef DAPPLE_SAMPLE_CONSTANT_LANES
#else
#define DAPPLE_SAMPLE_CONSTANT_LANES
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>

#include "sample/darts/constant.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::constant {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// As many cells as the processor takes, and five of a row round a cell (with three that are none).
using Wide = hn::ScalableTag<std::int32_t>;
using Window = hn::CappedTag<std::int32_t, 8>;
constexpr std::size_t window_size = 8;

// Packed numbers: saturating where that can happen.
#if HWY_TARGET == HWY_SCALAR
template <class D, class V, class Function>
HWY_INLINE V of_both(D d, V a, V b, Function function) {
  const auto one = [&](int x, int y) { return std::clamp(function(x, y), -32768, 32767); };
  const std::int32_t p = hn::GetLane(a);
  const std::int32_t q = hn::GetLane(b);
  return hn::Set(d, pack(one(packed_x(p), packed_x(q)), one(packed_y(p), packed_y(q))));
}
template <class D, class V>
HWY_INLINE V minus(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return x - y; });
}
template <class D, class V>
HWY_INLINE V plus(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return x + y; });
}
template <class D, class V>
HWY_INLINE V magnitude(D d, V a) {
  return of_both(d, a, a, [](int x, int) { return std::abs(x); });
}
// How far apart; saturates at the most, not at the least.
template <class D, class V>
HWY_INLINE V apart(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return std::abs(x - y); });
}
// By how much it is more, of numbers not below zero.
template <class D, class V>
HWY_INLINE V excess(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return std::max(x - y, 0); });
}
template <class D, class V>
HWY_INLINE V not_below_zero(D d, V a) {
  return of_both(d, a, a, [](int x, int) { return std::max(x, 0); });
}
template <class D, class V>
HWY_INLINE V lesser(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return std::min(x, y); });
}
// The high halves of products, all of them without a sign.
template <class D, class V>
HWY_INLINE V scaled(D d, V a, V b) {
  return of_both(d, a, b, [](int x, int y) { return (x & 0xffff) * (y & 0xffff) >> 16; });
}
template <class D, class V>
HWY_INLINE V squared(D d, V a) {
  const std::int32_t p = hn::GetLane(a);
  const auto square = [](int v) { return static_cast<std::uint32_t>(v * v); };
  return hn::Set(d, static_cast<std::int32_t>(square(packed_x(p)) + square(packed_y(p))));
}
// Modulo 2^16.
template <class D, class V>
HWY_INLINE V difference(D d, V a, V b) {
  return hn::Set(d, packed_difference(hn::GetLane(a), hn::GetLane(b)));
}
template <class D, class V>
HWY_INLINE V sum(D d, V a, V b) {
  return hn::Set(d, packed_sum(hn::GetLane(a), hn::GetLane(b)));
}
#else
template <class D>
using Narrow = hn::Repartition<std::int16_t, D>;

template <class D, class V>
HWY_INLINE V minus(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::SaturatedSub(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
template <class D, class V>
HWY_INLINE V plus(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::SaturatedAdd(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
template <class D, class V>
HWY_INLINE V magnitude(D d, V a) {
  return hn::BitCast(d, hn::Abs(hn::BitCast(Narrow<D>(), a)));
}
template <class D, class V>
HWY_INLINE V apart(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(
      d, hn::Max(hn::BitCast(narrow, minus(d, a, b)), hn::BitCast(narrow, minus(d, b, a))));
}
template <class D, class V>
HWY_INLINE V excess(D d, V a, V b) {
  const hn::Repartition<std::uint16_t, D> narrow;
  return hn::BitCast(d, hn::SaturatedSub(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
template <class D, class V>
HWY_INLINE V not_below_zero(D d, V a) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::Max(hn::BitCast(narrow, a), hn::Zero(narrow)));
}
template <class D, class V>
HWY_INLINE V lesser(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::Min(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
// The high halves of products, all of them without a sign.
template <class D, class V>
HWY_INLINE V scaled(D d, V a, V b) {
  const hn::Repartition<std::uint16_t, D> narrow;
  return hn::BitCast(d, hn::MulHigh(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
// Modulo 2^16.
template <class D, class V>
HWY_INLINE V difference(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::Sub(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
template <class D, class V>
HWY_INLINE V sum(D d, V a, V b) {
  const Narrow<D> narrow;
  return hn::BitCast(d, hn::Add(hn::BitCast(narrow, a), hn::BitCast(narrow, b)));
}
// x^2 + y^2; below zero where both are -32768.
template <class D, class V>
HWY_INLINE V squared(D d, V a) {
  const auto both = hn::BitCast(Narrow<D>(), a);
  V odd = hn::Zero(d);
  const V even = hn::ReorderWidenMulAccumulate(d, both, both, hn::Zero(d), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}
#endif

// A bit a lane.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  alignas(8) std::array<std::uint8_t, 8> bytes{};
  hn::StoreMaskBits(d, mask, bytes.data());
  return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8);
}

// The lanes whose bit is set, into `to`, which may be where they came from; whole vectors are
// written.
template <class D, class V>
HWY_INLINE std::size_t keep_lanes(D d, V from, std::uint32_t bits, std::int32_t* to) {
  const auto order = hn::SetTableIndices(d, lane_order[bits].data());
  hn::StoreU(hn::TableLookupLanes(from, order), d, to);
  return static_cast<std::size_t>(std::popcount(bits));
}

template <class D>
HWY_INLINE std::uint32_t lanes_mask(D d) {
  return (1u << hn::Lanes(d)) - 1;
}

constexpr std::int32_t too_near = (units_per_radius + margin) * (units_per_radius + margin);

// The rows round a cell: where the two above to the two below start.
struct Around {
  Around(Ring& of, std::int64_t row)
      : ring(of),
        column_corner(of.column_corner.data() + of.pad),
        row_corner(of.row_corner[of.slot(row)]) {
    for (std::size_t r = 0; r < 5; ++r) start[r] = of.at(row + static_cast<std::int64_t>(r) - 2);
  }
  std::int32_t corner(std::size_t i) const { return column_corner[i] | row_corner; }

  Ring& ring;
  const std::int32_t* column_corner;
  std::int32_t row_corner;
  std::array<std::size_t, 5> start;
};

constexpr std::uint32_t five_bits = 31;
alignas(32) constexpr std::array<std::int32_t, window_size> five{-1, -1, -1, -1, -1, 0, 0, 0};
alignas(32) constexpr std::array<std::int32_t, window_size> all_but_middle{-1, -1, 0,  -1,
                                                                           -1, -1, -1, -1};

// ---- random numbers: the mixer of Ettinger (2018), keyed twice ----

template <class D, class V>
HWY_INLINE V random_lanes(D d, V names, std::uint64_t key) {
  const hn::RebindToUnsigned<D> u;
  auto v =
      hn::BitCast(u, names) * hn::Set(u, 0x9e3779b1u) + hn::Set(u, static_cast<std::uint32_t>(key));
  v = hn::Xor(v, hn::ShiftRight<16>(v)) * hn::Set(u, 0x21f0aaadu);
  v = hn::Xor(v, hn::ShiftRight<15>(v)) + hn::Set(u, static_cast<std::uint32_t>(key >> 32));
  v = v * hn::Set(u, 0xd35a2d97u);
  return hn::BitCast(d, hn::Xor(v, hn::ShiftRight<15>(v)));
}

// A number that decides a duel, from the one that decided the place; not below zero.
template <class D, class V>
HWY_INLINE V rank_lanes(D d, V random) {
  const hn::RebindToUnsigned<D> u;
  auto v = hn::BitCast(u, random);
  v = hn::Xor(v, hn::ShiftRight<16>(v)) * hn::Set(u, 0x21f0aaadu);
  return hn::BitCast(d, hn::ShiftRight<1>(hn::Xor(v, hn::ShiftRight<15>(v))));
}

// The earliest stays.
inline std::int32_t rank_of_time(float time) {
  return std::numeric_limits<std::int32_t>::max() - std::bit_cast<std::int32_t>(time);
}

// Uniform in 0 .. n-1, from the upper 15 of 31 bits; n is at most 65536.
template <class D, class V>
HWY_INLINE V below(D d, V random, std::size_t n) {
  const hn::RebindToUnsigned<D> u;
  const auto half = hn::ShiftRight<16>(hn::BitCast(u, random));
  return hn::BitCast(d, hn::ShiftRight<15>(half * hn::Set(u, static_cast<std::uint32_t>(n))));
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::constant
HWY_AFTER_NAMESPACE();

#endif
