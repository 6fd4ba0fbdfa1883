// Computes with packed numbers in vectors, two of 16 bits per lane, for the sampler of one radius.
// All arithmetic is of integers, so every set of instructions gives the same result.
//
// Files that Highway compiles several times include this header, so it has no ordinary guard.
#if defined(DAPPLE_SAMPLE_CONSTANT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_CONSTANT_LANES
#undef DAPPLE_SAMPLE_CONSTANT_LANES
#else
#define DAPPLE_SAMPLE_CONSTANT_LANES
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/lanes.hpp"
#include "sample/darts/constant.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::constant {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;

// Wide has as many cells as the processor takes. Window has five cells of a row and three unused.
using Wide = Lanes<std::int32_t, 16>;
using Window = Lanes<std::int32_t, 8>;
constexpr std::size_t window_size = 8;

// Applies change(a, b) to vectors of both numbers of every lane, and packs the results.
template <class Number, class V, class Change>
HWY_INLINE V of_both(V a, V b, const Change& change) {
#if HWY_TARGET == HWY_SCALAR
  // Vectors have room for only one number, so both are changed one after the other.
  using Numbers = Lanes<Number, 1>;
  const auto changed = [&](int shift) {
    const Numbers x = static_cast<Number>(first_of(a) >> shift);
    const Numbers y = static_cast<Number>(first_of(b) >> shift);
    return first_of(change(x, y));
  };
  return pack(changed(0), changed(16));
#else
  using Numbers = Lanes<Number, 2 * V::count>;
  return as<V>(change(as<Numbers>(a), as<Numbers>(b)));
#endif
}

// Subtract and add modulo 2^16.
template <class V>
HWY_INLINE V difference(V a, V b) {
  return of_both<std::int16_t>(a, b, [](auto x, auto y) HWY_ATTR { return x - y; });
}
template <class V>
HWY_INLINE V sum(V a, V b) {
  return of_both<std::int16_t>(a, b, [](auto x, auto y) HWY_ATTR { return x + y; });
}
// Subtract and add with saturation.
template <class V>
HWY_INLINE V minus(V a, V b) {
  return of_both<std::int16_t>(a, b,
                               [](auto x, auto y) HWY_ATTR { return saturated_difference(x, y); });
}
template <class V>
HWY_INLINE V plus(V a, V b) {
  return of_both<std::int16_t>(a, b, [](auto x, auto y) HWY_ATTR { return saturated_sum(x, y); });
}
template <class V>
HWY_INLINE V lesser(V a, V b) {
  return of_both<std::int16_t>(a, b, [](auto x, auto y) HWY_ATTR { return min(x, y); });
}
template <class V>
HWY_INLINE V not_below_zero(V a) {
  return of_both<std::int16_t>(a, a, [](auto x, auto) HWY_ATTR { return max(x, 0); });
}
template <class V>
HWY_INLINE V magnitude(V a) {
  return of_both<std::int16_t>(a, a, [](auto x, auto) HWY_ATTR { return abs(x); });
}
// Returns |a - b|, saturated at the largest number.
template <class V>
HWY_INLINE V apart(V a, V b) {
  return of_both<std::int16_t>(a, b, [](auto x, auto y) HWY_ATTR {
    return max(saturated_difference(x, y), saturated_difference(y, x));
  });
}
// Returns a - b, or 0 if b is larger, for numbers not below zero.
template <class V>
HWY_INLINE V excess(V a, V b) {
  return of_both<std::uint16_t>(a, b,
                                [](auto x, auto y) HWY_ATTR { return saturated_difference(x, y); });
}
// Returns the high halves of unsigned products.
template <class V>
HWY_INLINE V scaled(V a, V b) {
  return of_both<std::uint16_t>(a, b, [](auto x, auto y) HWY_ATTR { return high_product(x, y); });
}
// Returns x^2 + y^2; below zero if both are -32768.
template <class V>
HWY_INLINE V squared(V a) {
#if HWY_TARGET == HWY_SCALAR
  const auto square = [](int v) { return static_cast<std::uint32_t>(v * v); };
  const std::int32_t p = first_of(a);
  return static_cast<std::int32_t>(square(packed_x(p)) + square(packed_y(p)));
#else
  constexpr typename V::Tag tag;
  const auto both = as<Lanes<std::int16_t, 2 * V::count>>(a).raw;
  auto odd = hn::Zero(tag);
  const auto even = hn::ReorderWidenMulAccumulate(tag, both, both, hn::Zero(tag), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
#endif
}

constexpr std::int32_t too_near = (units_per_radius + margin) * (units_per_radius + margin);

// The rows around a cell: the starts of five rows, from two above to two below.
struct Around {
  Around(Ring& of, std::int64_t row)
      : ring(of),
        column_corner(of.column_corner.data() + of.pad),
        row_corner(of.row_corner[of.slot(row)]) {
    for (std::size_t r = 0; r < 5; ++r) start[r] = of.at(row + static_cast<std::int64_t>(r) - 2);
  }
  std::int32_t corner(std::size_t i) const { return column_corner[i] | row_corner; }
  template <class V = Wide>
  HWY_INLINE V corners(std::size_t i) const {
    return V::load(column_corner + i) | row_corner;
  }

  Ring& ring;
  const std::int32_t* column_corner;
  std::int32_t row_corner;
  std::array<std::size_t, 5> start;
};

constexpr std::uint32_t five_bits = 31;
constexpr std::array<std::int32_t, window_size> five{-1, -1, -1, -1, -1, 0, 0, 0};
constexpr std::array<std::int32_t, window_size> all_but_middle{-1, -1, 0, -1, -1, -1, -1, -1};

// ---- random numbers: the mixer of Ettinger (2018), keyed twice ----

template <class V>
using BitsOf = Lanes<std::uint32_t, V::count>;

template <class V>
HWY_INLINE V random_lanes(V names, std::uint64_t key) {
  BitsOf<V> v = as<BitsOf<V>>(names) * 0x9e3779b1u + static_cast<std::uint32_t>(key);
  v = (v ^ shift_right<16>(v)) * 0x21f0aaadu;
  v = (v ^ shift_right<15>(v)) + static_cast<std::uint32_t>(key >> 32);
  v *= 0xd35a2d97u;
  return as<V>(v ^ shift_right<15>(v));
}

// Returns the number that decides a duel, from the one that decided the place; not below zero.
template <class V>
HWY_INLINE V rank_lanes(V random) {
  BitsOf<V> v = as<BitsOf<V>>(random);
  v = (v ^ shift_right<16>(v)) * 0x21f0aaadu;
  return as<V>(shift_right<1>(v ^ shift_right<15>(v)));
}

// Returns a rank that is higher for earlier darts, so the earliest stays.
inline std::int32_t rank_of_time(float time) {
  return std::numeric_limits<std::int32_t>::max() - std::bit_cast<std::int32_t>(time);
}

// Returns uniform numbers in 0 .. n-1, from the upper 15 of 31 bits; n is at most 65536.
template <class V>
HWY_INLINE V below(V random, std::size_t n) {
  const BitsOf<V> half = shift_right<16>(as<BitsOf<V>>(random));
  return as<V>(shift_right<15>(half * static_cast<std::uint32_t>(n)));
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::constant
HWY_AFTER_NAMESPACE();

#endif
