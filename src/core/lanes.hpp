// Wraps vectors of numbers so that a loop reads like its formula. A vector has as many lanes as the
// processor offers, up to a cap. Every operation is the plain one, lane by lane, so that every
// instruction set gives the same bytes.
//
// The file is compiled once per instruction set that Highway knows (the plainest has one lane).
// Hence it has no ordinary guard. A number stands for a vector of equal lanes: 2 * v.
//
// Friends name their instruction set. g++ 12 gives the namespace's set to members but not to
// friends of templates. Without inlining, a friend would then expect its vectors elsewhere than its
// caller puts them.
#if defined(DAPPLE_CORE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_CORE_LANES
#undef DAPPLE_CORE_LANES
#else
#define DAPPLE_CORE_LANES
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>
#include <type_traits>

#include "core/set_bit_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A mask: true or false per lane.
template <class Tag>
struct LaneMask {
  hn::Mask<Tag> raw;

  friend HWY_INLINE HWY_ATTR LaneMask operator&(LaneMask a, LaneMask b) {
    return {hn::And(a.raw, b.raw)};
  }
  friend HWY_INLINE HWY_ATTR LaneMask operator|(LaneMask a, LaneMask b) {
    return {hn::Or(a.raw, b.raw)};
  }
  friend HWY_INLINE HWY_ATTR bool any(LaneMask mask) { return !hn::AllFalse(Tag(), mask.raw); }
  friend HWY_INLINE HWY_ATTR bool all(LaneMask mask) { return hn::AllTrue(Tag(), mask.raw); }
  // Returns one bit per lane.
  friend HWY_INLINE HWY_ATTR std::uint32_t bits_of(LaneMask mask) {
    std::uint8_t bytes[8];
    hn::StoreMaskBits(Tag(), mask.raw, bytes);
    if constexpr (hn::MaxLanes(Tag()) <= 8) return bytes[0];
    std::conditional_t<hn::MaxLanes(Tag()) <= 16, std::uint16_t, std::uint32_t> bits;
    std::memcpy(&bits, bytes, sizeof bits);
    // g++ 12 spills a mask of 32 lanes as 32 bits but reads back 64. This keeps the mask in a
    // register of its own.
    if constexpr (hn::MaxLanes(Tag()) == 32) asm("" : "+r"(bits));
    return bits;
  }
};

// A vector of up to `most` numbers, at most 32.
template <class T, std::size_t most>
struct Lanes {
  using Value = T;
  using Tag = hn::CappedTag<T, most>;
  using Mask = LaneMask<Tag>;
  static constexpr std::size_t count = hn::MaxLanes(Tag());

  hn::Vec<Tag> raw;

  Lanes() = default;
  HWY_INLINE Lanes(hn::Vec<Tag> of) : raw(of) {}
  HWY_INLINE Lanes(T each) : raw(hn::Set(Tag(), each)) {}

  static HWY_INLINE Lanes load(const T* from) { return hn::LoadU(Tag(), from); }
  HWY_INLINE void store(T* to) const { hn::StoreU(raw, Tag(), to); }
  // Loads groups of three numbers. Returns the first, second and third numbers of the groups.
  static HWY_INLINE std::array<Lanes, 3> load_threes(const T* from) {
    std::array<Lanes, 3> parts;
    hn::LoadInterleaved3(Tag(), from, parts[0].raw, parts[1].raw, parts[2].raw);
    return parts;
  }
  // Returns from[at] for every lane of `at`.
  static HWY_INLINE Lanes gather(const T* from, Lanes<std::int32_t, most> at) {
    return hn::GatherIndex(Tag(), from, at.raw);
  }
  // Returns first, first + 1 and so on.
  static HWY_INLINE Lanes count_from(T first) { return hn::Iota(Tag(), first); }
  // Returns a mask of the first n lanes, or of all.
  static HWY_INLINE Mask first(std::size_t n) { return {hn::FirstN(Tag(), n)}; }

  friend HWY_INLINE HWY_ATTR Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator/(Lanes a, Lanes b) { return hn::Div(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator&(Lanes a, Lanes b) { return hn::And(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator|(Lanes a, Lanes b) { return hn::Or(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator^(Lanes a, Lanes b) { return hn::Xor(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator~(Lanes a) { return hn::Not(a.raw); }
  friend HWY_INLINE HWY_ATTR Lanes operator<<(Lanes a, Lanes by) { return a.raw << by.raw; }
  friend HWY_INLINE HWY_ATTR Lanes operator-(Lanes a) { return hn::Neg(a.raw); }
  HWY_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  HWY_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }

  friend HWY_INLINE HWY_ATTR Mask operator<(Lanes a, Lanes b) { return {hn::Lt(a.raw, b.raw)}; }
  friend HWY_INLINE HWY_ATTR Mask operator>(Lanes a, Lanes b) { return {hn::Gt(a.raw, b.raw)}; }
  friend HWY_INLINE HWY_ATTR Mask operator<=(Lanes a, Lanes b) { return {hn::Le(a.raw, b.raw)}; }
  friend HWY_INLINE HWY_ATTR Mask operator>=(Lanes a, Lanes b) { return {hn::Ge(a.raw, b.raw)}; }
  friend HWY_INLINE HWY_ATTR Mask operator==(Lanes a, Lanes b) { return {hn::Eq(a.raw, b.raw)}; }
  friend HWY_INLINE HWY_ATTR Mask operator!=(Lanes a, Lanes b) { return {hn::Ne(a.raw, b.raw)}; }

  // Returns the number of set bits of each lane.
  friend HWY_INLINE HWY_ATTR Lanes bits_set(Lanes a) { return hn::PopulationCount(a.raw); }

  friend HWY_INLINE HWY_ATTR Lanes min(Lanes a, Lanes b) { return hn::Min(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes max(Lanes a, Lanes b) { return hn::Max(a.raw, b.raw); }
  friend HWY_INLINE HWY_ATTR Lanes abs(Lanes a) { return hn::Abs(a.raw); }
  friend HWY_INLINE HWY_ATTR Lanes sqrt(Lanes a) { return hn::Sqrt(a.raw); }
  friend HWY_INLINE HWY_ATTR Lanes copy_sign(Lanes size, Lanes sign) {
    return hn::CopySign(size.raw, sign.raw);
  }
  friend HWY_INLINE HWY_ATTR Lanes saturated_sum(Lanes a, Lanes b) {
    return hn::SaturatedAdd(a.raw, b.raw);
  }
  friend HWY_INLINE HWY_ATTR Lanes saturated_difference(Lanes a, Lanes b) {
    return hn::SaturatedSub(a.raw, b.raw);
  }
  // Returns the high halves of the products.
  friend HWY_INLINE HWY_ATTR Lanes high_product(Lanes a, Lanes b) {
    return hn::MulHigh(a.raw, b.raw);
  }
  // Returns how far a distance from the middle exceeds `half`, at least 0.
  friend HWY_INLINE HWY_ATTR Lanes beyond(Lanes distance, Lanes half) {
    return max(abs(distance) - half, 0);
  }

  // Returns lanes of `yes` where the mask (of any type) is set, otherwise lanes of `no`.
  template <class Other>
  friend HWY_INLINE HWY_ATTR Lanes select(LaneMask<Other> where, Lanes yes, Lanes no) {
    return hn::IfThenElse(hn::RebindMask(Tag(), where.raw), yes.raw, no.raw);
  }
  // Returns the lanes of `a` where the mask is set, otherwise 0.
  template <class Other>
  friend HWY_INLINE HWY_ATTR Lanes keep(LaneMask<Other> where, Lanes a) {
    return hn::IfThenElseZero(hn::RebindMask(Tag(), where.raw), a.raw);
  }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  // Returns the minima of eight groups of lanes.
  static HWY_INLINE hn::Vec<hn::CappedTag<T, 8>> eight_least(Lanes a) {
    if constexpr (count > 8) {
      const hn::Half<Tag> half;
      return Lanes<T, count / 2>::eight_least(
          hn::Min(hn::LowerHalf(half, a.raw), hn::UpperHalf(half, a.raw)));
    } else {
      return a.raw;
    }
  }
#endif
  friend HWY_INLINE HWY_ATTR T first_of(Lanes a) {
    return hn::GetLane(a.raw);
  }
  friend HWY_INLINE HWY_ATTR T least_of(Lanes a) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
    // One instruction finds the smallest of eight lanes. Highway does not use it.
    if constexpr (std::is_same_v<T, std::uint16_t> && count >= 8) {
      return static_cast<T>(_mm_cvtsi128_si32(_mm_minpos_epu16(eight_least(a).raw)));
    }
#endif
    return hn::GetLane(hn::MinOfLanes(Tag(), a.raw));
  }
  friend HWY_INLINE HWY_ATTR T greatest_of(Lanes a) {
    return hn::GetLane(hn::MaxOfLanes(Tag(), a.raw));
  }
};

#if HWY_TARGET == HWY_WASM
// Highway 1.0 has no doubles for WebAssembly, but vectors of the compiler have. Holds the
// operations on doubles that the library uses.
template <std::size_t most>
struct Lanes<double, most> {
  static constexpr std::size_t count = most < 2 ? 1 : 2;
  using Value = double;
  using Raw = double __attribute__((vector_size(8 * count)));
  struct Mask {
    decltype(Raw() < Raw()) raw;
  };

  Raw raw;

  Lanes() = default;
  HWY_INLINE Lanes(Raw of) : raw(of) {}
  HWY_INLINE Lanes(double each) : raw(each - Raw{}) {}

  static HWY_INLINE Lanes load(const double* from) {
    Raw raw;
    std::memcpy(&raw, from, sizeof raw);
    return raw;
  }
  HWY_INLINE void store(double* to) const { std::memcpy(to, &raw, sizeof raw); }
  static HWY_INLINE std::array<Lanes, 3> load_threes(const double* from) {
    std::array<Lanes, 3> parts;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t part = 0; part < 3; ++part) parts[part].raw[i] = from[3 * i + part];
    }
    return parts;
  }

  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return a.raw + b.raw; }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return a.raw - b.raw; }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return a.raw * b.raw; }
  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return a.raw / b.raw; }
  HWY_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  friend HWY_INLINE Mask operator>=(Lanes a, Lanes b) { return {a.raw >= b.raw}; }

  friend HWY_INLINE Lanes select(Mask where, Lanes yes, Lanes no) {
    return where.raw ? yes.raw : no.raw;
  }
  friend HWY_INLINE Lanes min(Lanes a, Lanes b) { return a.raw < b.raw ? a.raw : b.raw; }
  friend HWY_INLINE Lanes max(Lanes a, Lanes b) { return a.raw > b.raw ? a.raw : b.raw; }
  friend HWY_INLINE Lanes abs(Lanes a) { return __builtin_elementwise_abs(a.raw); }
};
#endif

template <int bits, class T, std::size_t most>
HWY_INLINE Lanes<T, most> shift_left(Lanes<T, most> a) {
  return hn::ShiftLeft<bits>(a.raw);
}
template <int bits, class T, std::size_t most>
HWY_INLINE Lanes<T, most> shift_right(Lanes<T, most> a) {
  return hn::ShiftRight<bits>(a.raw);
}

// Returns the lanes of `table` with the indices `at`.
template <class T, std::size_t most>
HWY_INLINE Lanes<T, most> look_up(Lanes<T, most> table, Lanes<std::int32_t, most> at) {
  constexpr typename Lanes<T, most>::Tag tag;
  return hn::TableLookupLanes(table.raw, hn::IndicesFromVec(tag, at.raw));
}

// Returns the same bits as another type of as many bytes.
template <class To, class T, std::size_t most>
HWY_INLINE To as(Lanes<T, most> a) {
  return hn::BitCast(typename To::Tag(), a.raw);
}
// Returns the same numbers, rounded towards 0, as another type of as many lanes.
template <class To, class T, std::size_t most>
HWY_INLINE To convert(Lanes<T, most> a) {
  constexpr typename To::Tag tag;
  constexpr std::size_t size = sizeof(hn::TFromD<typename To::Tag>);
  if constexpr (size > sizeof(T)) {
    return hn::PromoteTo(tag, a.raw);
  } else if constexpr (size < sizeof(T)) {
    return hn::DemoteTo(tag, a.raw);
  } else {
    return hn::ConvertTo(tag, a.raw);
  }
}
#if HWY_TARGET == HWY_WASM
template <class To, class T, std::size_t most>
HWY_INLINE To convert(Lanes<T, most> a) requires(std::is_same_v<T, double> ||
                                                 std::is_same_v<typename To::Value, double>) {
  std::array<T, To::count> from;
  std::array<typename To::Value, To::count> to;
  a.store(from.data());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<typename To::Value>(from[i]);
  return To::load(to.data());
}
#endif

// Sums bytes, one vector at a time.
template <std::size_t most>
class ByteSums {
 public:
  HWY_INLINE ByteSums() : sums_(hn::Zero(Tag())) {}
  HWY_INLINE void add(Lanes<std::uint8_t, most> a) { sums_ = hn::Add(sums_, hn::SumsOf8(a.raw)); }
  HWY_INLINE std::int64_t total() const {
    return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(Tag(), sums_)));
  }

 private:
  using Tag = hn::CappedTag<std::uint64_t, (Lanes<std::uint8_t, most>::count + 7) / 8>;
  hn::Vec<Tag> sums_;
};

// Sums products of integers of 16 bits, in 32 bits.
template <std::size_t most>
class ProductSums {
 public:
  HWY_INLINE ProductSums() : even_(hn::Zero(Wide())), odd_(hn::Zero(Wide())) {}
  HWY_INLINE void add(Lanes<std::int16_t, most> a, Lanes<std::int16_t, most> b) {
    even_ = hn::ReorderWidenMulAccumulate(Wide(), a.raw, b.raw, even_, odd_);
  }
  HWY_INLINE std::int32_t total() const {
    return hn::GetLane(hn::SumOfLanes(Wide(), hn::Add(even_, odd_)));
  }

 private:
  using Wide = hn::RepartitionToWide<typename Lanes<std::int16_t, most>::Tag>;
  hn::Vec<Wide> even_, odd_;
};

// Calls visit(vector, i) for vectors of the numbers from i on, until all `count` are visited. The
// last vector repeats some. Fewer numbers than lanes come one by one, in vectors of one lane.
template <class T, std::size_t most, class Visit>
HWY_INLINE void each_vector(std::ptrdiff_t count, const Visit& visit) {
  constexpr auto step = static_cast<std::ptrdiff_t>(Lanes<T, most>::count);
  if (count < step) {
    for (std::ptrdiff_t i = 0; i < count; ++i) visit(Lanes<T, 1>(), i);
    return;
  }
  for (std::ptrdiff_t i = 0; i < count - step; i += step) visit(Lanes<T, most>(), i);
  visit(Lanes<T, most>(), count - step);
}

// Stores the lanes whose bits are set, one after the other, and returns their number. Writes a
// whole vector to `to`, which may be the place that `from` was loaded from.
template <class T, std::size_t most>
HWY_INLINE std::size_t store_kept(Lanes<T, most> from, std::uint32_t bits, T* to) {
  constexpr std::size_t count = Lanes<T, most>::count;
  static_assert(count <= 16);
  if constexpr (count > 8) {
    // Instruction sets with more than 8 lanes of 32 bits have an instruction for this.
    constexpr typename Lanes<T, most>::Tag tag;
    const auto two_bytes = static_cast<std::uint16_t>(bits);
    std::uint8_t bytes[8];
    std::memcpy(bytes, &two_bytes, sizeof two_bytes);
    from = hn::Compress(from.raw, hn::LoadMaskBits(tag, bytes));
  } else if constexpr (count > 1) {
    const auto* order = reinterpret_cast<const std::uint8_t*>(&bit_order[bits]);
    from =
        look_up(from, convert<Lanes<std::int32_t, most>>(Lanes<std::uint8_t, count>::load(order)));
  }
  from.store(to);
  return static_cast<std::size_t>(std::popcount(bits));
}

// Calls visit(from, bits) for every 64 places from `begin` to `end`. A bit is set if wanted() is
// true for its place; wanted(i) returns the mask of the vector of `step` lanes at i. Wanted places
// stay bits, because a packed list cannot be read at once: a load waits for all stores to its
// bytes.
template <std::size_t step, class Wanted, class Visit>
HWY_INLINE void each_word(std::size_t begin, std::size_t end, const Wanted& wanted,
                          const Visit& visit) {
  constexpr std::size_t word = 64;
  for (std::size_t from = begin; from < end; from += word) {
    const std::size_t count = std::min(word, end - from);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; i += step) {
      bits |= std::uint64_t{bits_of(wanted(from + i))} << i;
    }
    if (count < word) bits &= (std::uint64_t{1} << count) - 1;
    visit(from, bits);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
