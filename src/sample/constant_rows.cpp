// Darts of one radius: the passes over a row of cells, in vector code for the processor at hand.
//
// A point is two 16-bit numbers in one lane, so one multiply-add gives a squared distance, exactly:
// results are the same on every processor. Distances within `margin` of r count as too near for a
// dart and as uncovered for a square, so what is accepted is right whatever its finer digits are;
// what that leaves open is decided in double by find_exact().
//
// Darts of a pass that conflict with one another duel: the one of the higher random rank stays if
// no other beats it. That is dart throwing in random order (Blelloch, Fineman, Shun 2012) with
// losers thrown anew, so nothing depends on the order of cells.
#include "sample/constant.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/constant_rows.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <bit>
#include <cmath>
#include <hwy/highway.h>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace dapple::constant {
namespace HWY_NAMESPACE {
namespace {

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

// The vectors of these passes leave out the cells two off along both axes: what is accepted so near
// a corner is looked at again. `place` is seen from the corner of its cell.
template <class D, class V>
HWY_INLINE std::uint32_t in_corner(D d, const Ring& ring, V place) {
  const auto inward = lesser(d, place, minus(d, hn::Set(d, ring.extent), place));
  const auto off = excess(d, inward, hn::Set(d, ring.corner_zone));
  return bits_of(d, hn::Eq(off, hn::Zero(d)));
}

constexpr bool is_diagonal(std::size_t r, std::size_t c) {
  return (r == 0 || r == 4) && (c == 0 || c == 4);
}

void accept(const Around& around, std::size_t i, std::int32_t place) {
  Ring& ring = around.ring;
  ring.place[around.start[2] + i] = place;
  const std::int32_t in_cell = packed_difference(place, around.corner(i));
  const int x = packed_x(in_cell) * ring.sixteenth_x >> 20;
  const int y = packed_y(in_cell) * ring.sixteenth_y >> 20;
  const std::uint64_t* alive = &ring.alive[static_cast<std::size_t>(y * 16 + x) * 25];
  const hn::CappedTag<std::uint64_t, 4> d;
  for (std::size_t r = 0; r < 5; ++r) {
    std::uint64_t* live = &ring.live[around.start[r] + i - 2];
    for (std::size_t c = 0; c < 4; c += hn::Lanes(d)) {
      hn::StoreU(hn::And(hn::LoadU(d, live + c), hn::LoadU(d, alive + 5 * r + c)), d, live + c);
    }
    live[4] &= alive[5 * r + 4];
  }
  ring.live[around.start[2] + i] = 0;
}

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
std::int32_t rank_of_time(float time) {
  return std::numeric_limits<std::int32_t>::max() - std::bit_cast<std::int32_t>(time);
}

// Uniform in 0 .. n-1, from the upper 15 of 31 bits; n is at most 65536.
template <class D, class V>
HWY_INLINE V below(D d, V random, std::size_t n) {
  const hn::RebindToUnsigned<D> u;
  const auto half = hn::ShiftRight<16>(hn::BitCast(u, random));
  return hn::BitCast(d, hn::ShiftRight<15>(half * hn::Set(u, static_cast<std::uint32_t>(n))));
}

// ---- the first rounds: every cell throws into all of itself ----

// Leaves nothing in the cells of a row of places or darts, those beyond its ends among them.
void vacate(Ring& ring, std::int64_t row, std::vector<std::int32_t>& places) {
  const Wide d;
  std::int32_t* place = &places[ring.at(row) - ring.pad];
  const auto vacant = hn::Set(d, packed_sum(ring.vacant, ring.row_corner[ring.slot(row)]));
  for (std::size_t i = 0; i < ring.stride; i += hn::Lanes(d)) {
    hn::StoreU(sum(d, hn::LoadU(d, &ring.column_corner[i]), vacant), d, place + i);
  }
}

void clear_row(Ring& ring, std::int64_t row, bool inside) {
  const std::size_t start = ring.at(row) - ring.pad;
  ring.set_corner(row);
  vacate(ring, row, ring.place);
  vacate(ring, row, ring.dart);
  std::fill_n(&ring.live[start], ring.stride, inside ? ~std::uint64_t{0} : 0);
  ring.open[ring.slot(row)].clear();
  ring.darts[ring.slot(row)].clear();
  ring.exact[ring.slot(row)].clear();
}

HWY_NOINLINE void throw_first(Ring& ring, std::int64_t row) {
  const bool inside = row >= ring.first_row && row < ring.end_row;
  clear_row(ring, row, inside);
  if (!inside) return;
  const Wide d;
  const std::size_t start = ring.at(row);
  const std::uint64_t key = ring.random[0].at(ring.row_name(row));
  const Around around(ring, row);
  const auto extent = hn::Set(d, ring.extent);
  const auto down = hn::Set(d, around.row_corner);
  for (std::size_t i = 0; i < ring.columns; i += hn::Lanes(d)) {
    const auto random = random_lanes(d, hn::LoadU(d, &ring.column_name[i]), key);
    const auto corner = hn::Or(hn::LoadU(d, around.column_corner + i), down);
    const auto place = sum(d, scaled(d, random, extent), corner);
    const auto inside_row = hn::FirstN(d, ring.columns - i);
    hn::StoreU(hn::IfThenElse(inside_row, place, hn::LoadU(d, &ring.dart[start + i])), d,
               &ring.dart[start + i]);
    hn::StoreU(rank_lanes(d, random), d, &ring.rank[start + i]);
  }
}

bool is_beaten(const Around& around, std::size_t i) {
  const Ring& ring = around.ring;
  const Window d;
  const auto own = hn::Set(d, ring.dart[around.start[2] + i]);
  const auto limit = hn::Set(d, ring.too_near);
  auto best = hn::Zero(d);  // rank of what is too near
  for (std::size_t c = 0; c < window_size; c += hn::Lanes(d)) {
    auto here = hn::Zero(d);
    for (std::size_t r = 0; r < 5; ++r) {
      const std::size_t at = around.start[r] + i + c - 2;
      const auto square = squared(d, difference(d, own, hn::LoadU(d, &ring.dart[at])));
      auto near = hn::VecFromMask(d, hn::Gt(limit, square));
      if (r == 2) near = hn::And(near, hn::LoadU(d, &all_but_middle[c]));
      here = hn::Max(here, hn::And(near, hn::LoadU(d, &ring.rank[at])));
    }
    best = hn::Max(best, hn::And(here, hn::LoadU(d, &five[c])));
  }
  const auto rank = hn::Set(d, ring.rank[around.start[2] + i]);
  return !hn::AllTrue(d, hn::Gt(rank, best));
}

HWY_NOINLINE void duel_first(Ring& ring, std::int64_t row) {
  const Wide d;
  const Around around(ring, row);
  const std::int32_t* own = &ring.dart[around.start[2]];
  const std::int32_t* own_rank = &ring.rank[around.start[2]];
  const auto limit = hn::Set(d, ring.too_near);
  const auto down = hn::Set(d, around.row_corner);
  for (std::size_t i = 0; i < ring.columns; i += hn::Lanes(d)) {
    const auto place = hn::LoadU(d, own + i);
    auto best = hn::Zero(d);  // rank of what is too near
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* darts = &ring.dart[around.start[r] + i] - 2;
      const std::int32_t* ranks = &ring.rank[around.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; ++c) {
        if ((r == 2 && c == 2) || is_diagonal(r, c)) continue;
        const auto square = squared(d, difference(d, place, hn::LoadU(d, darts + c)));
        const auto near = hn::VecFromMask(d, hn::Gt(limit, square));
        best = hn::Max(best, hn::And(near, hn::LoadU(d, ranks + c)));
      }
    }
    const auto stays =
        hn::And(hn::Gt(hn::LoadU(d, own_rank + i), best), hn::FirstN(d, ring.columns - i));
    std::uint32_t bits = bits_of(d, stays);
    const auto corner = hn::Or(hn::LoadU(d, around.column_corner + i), down);
    for (auto doubtful = bits & in_corner(d, ring, difference(d, place, corner)); doubtful != 0;
         doubtful &= doubtful - 1) {
      const int lane = std::countr_zero(doubtful);
      if (is_beaten(around, i + static_cast<std::size_t>(lane))) bits ^= 1u << lane;
    }
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t k = i + static_cast<std::size_t>(std::countr_zero(bits));
      accept(around, k, own[k]);
    }
  }
}

bool is_free(const Around& around, std::size_t i, std::int32_t place) {
  for (std::size_t r = 0; r < 5; r += 4) {
    for (std::size_t c = 0; c < 5; c += 4) {
      const std::int32_t other = around.ring.place[around.start[r] + i + c - 2];
      const std::int32_t apart = packed_difference(place, other);
      const std::int64_t x = packed_x(apart);
      const std::int64_t y = packed_y(apart);
      if (x * x + y * y < too_near) return false;
    }
  }
  return true;
}

HWY_NOINLINE void throw_again(Ring& ring, int pass, std::int64_t row) {
  const Wide d;
  const Around around(ring, row);
  const std::uint64_t key = ring.random[static_cast<std::size_t>(pass)].at(ring.row_name(row));
  const auto extent = hn::Set(d, ring.extent);
  const auto limit = hn::Set(d, too_near);
  const auto down = hn::Set(d, around.row_corner);
  const auto vacant = hn::Set(d, ring.vacant);
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  for (std::size_t i = 0; i < ring.columns; i += hn::Lanes(d)) {
    const auto random = random_lanes(d, hn::LoadU(d, &ring.column_name[i]), key);
    const auto corner = hn::Or(hn::LoadU(d, around.column_corner + i), down);
    const auto in_cell = scaled(d, random, extent);
    const auto place = sum(d, in_cell, corner);
    auto nearest = limit;
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* places = &ring.place[around.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; ++c) {
        if (is_diagonal(r, c)) continue;
        const auto square = squared(d, difference(d, place, hn::LoadU(d, places + c)));
        nearest = hn::Min(nearest, square);
      }
    }
    const auto fits = hn::And(hn::Eq(nearest, limit), hn::FirstN(d, ring.columns - i));
    hn::StoreU(hn::IfThenElse(fits, place, sum(d, vacant, corner)), d, dart + i);
    hn::StoreU(rank_lanes(d, random), d, &ring.rank[around.start[2] + i]);
    std::uint32_t bits = bits_of(d, fits);
    for (auto doubtful = bits & in_corner(d, ring, in_cell); doubtful != 0;
         doubtful &= doubtful - 1) {
      const int lane = std::countr_zero(doubtful);
      const std::size_t k = i + static_cast<std::size_t>(lane);
      if (is_free(around, k, dart[k])) continue;
      dart[k] = packed_sum(ring.vacant, around.corner(k));
      bits ^= 1u << lane;
    }
    for (; bits != 0; bits &= bits - 1) {
      thrown.push_back(static_cast<std::int32_t>(i) + std::countr_zero(bits));
    }
  }
}

HWY_NOINLINE void duel(Ring& ring, std::int64_t row) {
  const Around around(ring, row);
  for (const std::int32_t column : ring.darts[ring.slot(row)]) {
    const auto i = static_cast<std::size_t>(column);
    if (!is_beaten(around, i)) accept(around, i, ring.dart[around.start[2] + i]);
  }
}

// ---- gaps: squares that no single point covers, halved until a dart fits or none are left ----

class GapSearch {
 public:
  enum class Outcome { covered, fits, open };

  explicit GapSearch(const Around& around)
      : around_(around), squares_(around.ring.squares), parts_(around.ring.parts) {
    const double w = around.ring.lattice.width_units();
    const double h = around.ring.lattice.height_units();
    last_ = pack(static_cast<int>(w) - 1, static_cast<int>(h) - 1);
    middle_ = pack(static_cast<int>(w / 2), static_cast<int>(h / 2));
    half_cell_ = pack(static_cast<int>(w / 2) + 2, static_cast<int>(h / 2) + 2);
  }

  // Down to squares of the last level. `place` is the first dart that fits, `time` when it came:
  // darts fall on all cells at one rate per area. Randomness comes from `name`.
  Outcome search(std::size_t i, std::uint64_t live, int last_level, std::uint64_t name,
                 std::int32_t& place, float& time) {
    corner_ = around_.corner(i);
    gather(i);
    if (squares_.size() < 64 + 2 * window_size) squares_.resize(64 + 2 * window_size);
    list_squares(live);
    float past = 0;
    float squares_in_first = 1;
    for (int level = 0;; ++level) {
      const SquareSize& size = around_.ring.square_size[static_cast<std::size_t>(level)];
      keep_uncovered(size);
      if (count_ == 0) return Outcome::covered;
      const std::uint64_t key = hash(name, static_cast<std::uint64_t>(level));
      const float pace = squares_in_first / static_cast<float>(count_);
      const int thrown = throw_darts(size, key, place);
      if (thrown < darts_at_once) {
        place = packed_sum(place, corner_);
        time = past +
               (static_cast<float>(thrown) + static_cast<float>(key & 0xffff) * 0x1p-16f) * pace;
        return Outcome::fits;
      }
      if (level == last_level) return Outcome::open;
      past += darts_at_once * pace;
      squares_in_first *= 4;
      quarter(around_.ring.square_size[static_cast<std::size_t>(level + 1)]);
    }
  }

  // What the last search left open.
  std::span<const std::int32_t> squares() const { return {squares_.data(), count_}; }

 private:
  static constexpr int darts_at_once = window_size;
  static constexpr std::int32_t far_away = pack(32767, 32767);

  // The centres of the squares whose bit is set.
  void list_squares(std::uint64_t live) {
    const Window d;
    count_ = 0;
    for (std::size_t y = 0; live != 0; ++y, live >>= 8) {
      const auto row = static_cast<std::uint32_t>(live & 0xff);
      if (row == 0) continue;
      for (std::size_t c = 0; c < window_size; c += hn::Lanes(d)) {
        const auto centre = hn::LoadU(d, &around_.ring.square_centre[8 * y + c]);
        count_ += keep_lanes(d, centre, row >> c & lanes_mask(d), &squares_[count_]);
      }
    }
  }

  // Darts into the squares. The number of the first one that fits, darts_at_once where none does.
  int throw_darts(const SquareSize& size, std::uint64_t key, std::int32_t& place) {
    const Window d;
    const auto extent = hn::Set(d, size.extent);
    const auto half = hn::Set(d, size.half);
    const auto last = hn::Set(d, last_);
    alignas(32) std::array<std::int32_t, window_size> darts;
    std::uint32_t fits = 0;
    for (std::size_t c = 0; c < window_size; c += hn::Lanes(d)) {
      const auto names = hn::Iota(d, static_cast<std::int32_t>(c));
      const auto random = random_lanes(d, names, key);
      const auto aside = minus(d, scaled(d, random, extent), half);
      const auto centre = look_up(d, below(d, rank_lanes(d, random), count_));
      const auto dart = lesser(d, not_below_zero(d, plus(d, centre, aside)), last);
      auto nearest = hn::Set(d, too_near);
      for (std::size_t k = 0; k < size_; k += 2) {
        nearest = hn::Min(nearest, squared(d, minus(d, dart, hn::Set(d, near_[k]))));
        nearest = hn::Min(nearest, squared(d, minus(d, dart, hn::Set(d, near_[k + 1]))));
      }
      hn::Store(dart, d, &darts[c]);
      fits |= bits_of(d, hn::Eq(nearest, hn::Set(d, too_near))) << c;
    }
    if (fits == 0) return darts_at_once;
    const int k = std::countr_zero(fits);
    place = darts[static_cast<std::size_t>(k)];
    return k;
  }

  // Some of the squares.
  template <class D, class V>
  V look_up(D d, V which) const {
    if (hn::Lanes(d) == window_size && count_ <= window_size) {
      return hn::TableLookupLanes(hn::LoadU(d, squares_.data()), hn::IndicesFromVec(d, which));
    }
    return hn::GatherIndex(d, squares_.data(), which);
  }

  // The points that can matter to the cell, seen from it.
  void gather(std::size_t i) {
    const Window d;
    const auto corner = hn::Set(d, corner_);
    const auto middle = hn::Set(d, middle_);
    const auto half = hn::Set(d, half_cell_);
    size_ = 0;
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* places = &around_.ring.place[around_.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; c += hn::Lanes(d)) {
        const auto seen = difference(d, hn::LoadU(d, places + c), corner);
        const auto gap = excess(d, apart(d, seen, middle), half);
        const auto matters = hn::Gt(hn::Set(d, too_near), squared(d, gap));
        const std::uint32_t bits = bits_of(d, matters) & five_bits >> c;
        size_ += keep_lanes(d, seen, bits, &near_[size_]);
      }
    }
    near_[size_] = far_away;  // they are taken in pairs
  }

  // Keeps the squares that no point surely covers.
  void keep_uncovered(const SquareSize& size) {
    const Window d;
    const auto half = hn::Set(d, size.safe);
    const auto limit = hn::Set(d, units_per_radius * units_per_radius);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; k += hn::Lanes(d)) {
      const auto centre = hn::LoadU(d, &squares_[k]);
      auto nearest = limit;
      for (std::size_t p = 0; p < size_; p += 2) {
        const auto far = plus(d, magnitude(d, minus(d, centre, hn::Set(d, near_[p]))), half);
        const auto next = plus(d, magnitude(d, minus(d, centre, hn::Set(d, near_[p + 1]))), half);
        nearest = hn::Min(nearest, hn::Min(squared(d, far), squared(d, next)));
      }
      std::uint32_t open = bits_of(d, hn::Eq(nearest, limit));
      if (count_ - k < hn::Lanes(d)) open &= (1u << (count_ - k)) - 1;
      kept += keep_lanes(d, centre, open, &squares_[kept]);
    }
    count_ = kept;
  }

  void quarter(const SquareSize& size) {
    const hn::CappedTag<std::int32_t, 4> d;
    if (parts_.size() < 4 * count_ + 2 * window_size) parts_.resize(8 * count_ + 2 * window_size);
    for (std::size_t k = 0; k < count_; ++k) {
      const auto centre = hn::Set(d, squares_[k]);
      for (std::size_t c = 0; c < 4; c += hn::Lanes(d)) {
        hn::StoreU(plus(d, centre, hn::LoadU(d, &size.aside[c])), d, &parts_[4 * k + c]);
      }
    }
    count_ *= 4;
    std::swap(squares_, parts_);
  }

  const Around& around_;
  std::vector<std::int32_t>& squares_;
  std::vector<std::int32_t>& parts_;
  std::int32_t last_, middle_, half_cell_;
  std::int32_t corner_ = 0;
  alignas(64) std::array<std::int32_t, 25 + 3 * window_size> near_;
  std::size_t size_ = 0;   // of near_
  std::size_t count_ = 0;  // of squares_
};

// The columns of cells with a live square.
void list_open(Ring& ring, std::int64_t row) {
  const std::uint64_t* live = &ring.live[ring.at(row)];
  std::vector<std::int32_t>& open = ring.open[ring.slot(row)];
  open.resize(ring.columns + window_size);
  const Window d;
  const hn::CappedTag<std::uint64_t, 4> masks;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ring.columns; i += hn::Lanes(d)) {
    std::uint32_t bits = 0;
    for (std::size_t c = 0; c < hn::Lanes(d); c += hn::Lanes(masks)) {
      bits |= bits_of(masks, hn::Ne(hn::LoadU(masks, live + i + c), hn::Zero(masks))) << c;
    }
    if (bits == 0) continue;
    kept += keep_lanes(d, hn::Iota(d, static_cast<std::int32_t>(i)), bits, &open[kept]);
  }
  while (kept > 0 && static_cast<std::size_t>(open[kept - 1]) >= ring.columns) --kept;
  open.resize(kept);
}

// The k-th of the bits that are set, from 0 (Vigna 2008); `count` is their number.
struct Bits {
  explicit Bits(std::uint64_t set) : all(set) {
    std::uint64_t sums = set - (set >> 1 & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
    up_to = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones;
    count = static_cast<std::uint32_t>(up_to >> 56);
  }
  std::size_t at(std::uint32_t k) const {
    // The first byte up to whose end there are more than k.
    const std::uint64_t more = (up_to + (127 - k) * ones) & 0x8080808080808080u;
    const int shift = std::countr_zero(more) & 0x38;
    const auto before = static_cast<std::uint32_t>(up_to << 8 >> shift & 0xff);
    const auto& order = lane_order[all >> shift & 0xff];
    return static_cast<std::size_t>(shift + order[k - before]);
  }

  static constexpr std::uint64_t ones = 0x0101010101010101u;
  std::uint64_t all, up_to;
  std::uint32_t count;
};

// Every cell with a live square throws one dart into one of them.
HWY_NOINLINE void throw_at_live(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Window d;
  const Around around(ring, row);
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::int32_t* rank = &ring.rank[around.start[2]];
  const std::uint64_t* live = &ring.live[around.start[2]];
  vacate(ring, row, ring.dart);
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  const SquareSize& size = ring.square_size[0];
  const auto extent = hn::Set(d, size.extent);
  const auto half = hn::Set(d, size.half);
  const auto last = hn::Set(d, ring.extent - pack(1, 1));
  for (const std::int32_t column : ring.open[ring.slot(row)]) {
    const auto i = static_cast<std::uint32_t>(column);
    const std::uint64_t name = random.at(ring.cell(row_name, i));
    const Bits squares(live[i]);
    const auto place = static_cast<std::uint32_t>(name);
    const auto chance = static_cast<std::uint32_t>(name >> 32);
    const std::size_t square = squares.at((chance & 0xffff) * squares.count >> 16);
    const auto aside =
        minus(d, scaled(d, hn::Set(d, static_cast<std::int32_t>(place)), extent), half);
    const auto centre = hn::Set(d, ring.square_centre[square]);
    const auto in_cell = lesser(d, not_below_zero(d, plus(d, centre, aside)), last);
    const auto thrown_at = sum(d, in_cell, hn::Set(d, around.corner(i)));
    std::uint32_t near = 0;
    for (std::size_t c = 0; c < window_size; c += hn::Lanes(d)) {
      auto nearest = hn::Set(d, too_near);
      for (std::size_t r = 0; r < 5; ++r) {
        const auto other = hn::LoadU(d, &ring.place[around.start[r] + i + c - 2]);
        nearest = hn::Min(nearest, squared(d, difference(d, thrown_at, other)));
      }
      near |= bits_of(d, hn::Gt(hn::Set(d, too_near), nearest)) << c;
    }
    if ((near & five_bits) != 0) continue;
    dart[i] = hn::GetLane(thrown_at);
    // Darts fall on all live squares at one rate: -log2 of a random number, its mantissa taken as
    // the logarithm of itself, over the number of squares.
    const auto number = static_cast<float>((chance >> 16 << 16 | (place & 0xffff)) | 1);
    const auto log = static_cast<float>(0x4f800000 - std::bit_cast<std::int32_t>(number));
    rank[i] = rank_of_time(log / static_cast<float>(squares.count));
    thrown.push_back(column);
  }
}

constexpr int first_levels = 4;  // before neighbours have thrown

HWY_NOINLINE void throw_into_gaps(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Around around(ring, row);
  GapSearch gap(around);
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::int32_t* rank = &ring.rank[around.start[2]];
  std::uint64_t* live = &ring.live[around.start[2]];
  vacate(ring, row, ring.dart);
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  for (const std::int32_t column : ring.open[ring.slot(row)]) {
    const auto i = static_cast<std::uint32_t>(column);
    const std::uint64_t name = random.at(ring.cell(row_name, i));
    float time = 0;
    const GapSearch::Outcome outcome = gap.search(i, live[i], first_levels, name, dart[i], time);
    if (outcome == GapSearch::Outcome::covered) live[i] = 0;
    if (outcome == GapSearch::Outcome::fits) {
      rank[i] = rank_of_time(time);
      thrown.push_back(column);
    } else {
      dart[i] = packed_sum(ring.vacant, around.corner(i));
    }
  }
}

int third_of(std::int64_t i) {
  return static_cast<int>((i % 3 + 3) % 3);
}

// Every third row, every third cell of it at a time, in the order of cells: what is left is little.
HWY_NOINLINE void complete(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Around around(ring, row);
  GapSearch gap(around);
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  const std::vector<std::int32_t>& open = ring.open[ring.slot(row)];
  for (int third = 0; third < 3; ++third) {
    for (const std::int32_t column : open) {
      const auto i = static_cast<std::uint32_t>(column);
      if (third_of(ring.first_column + i) != third) continue;
      std::uint64_t& live = ring.live[around.start[2] + i];
      std::int32_t place = 0;
      float time = 0;
      GapSearch::Outcome outcome =
          gap.search(i, live, square_levels - 1, random.at(ring.cell(row_name, i)), place, time);
      if (outcome == GapSearch::Outcome::open) {
        std::uint32_t fraction = 0;
        outcome = GapSearch::Outcome::covered;
        if (find_exact(ring, row, i, gap.squares(), place, fraction)) {
          outcome = GapSearch::Outcome::fits;
          ring.exact[ring.slot(row)].push_back({i, fraction});
        }
      }
      if (outcome == GapSearch::Outcome::fits) accept(around, i, place);
      live = 0;
    }
  }
}

}  // namespace

void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y) {
  // Its points and their columns.
  const Window d;
  const auto begin = static_cast<std::size_t>(ring.range.x0 - ring.first_column);
  const auto end = static_cast<std::size_t>(ring.range.x1 - ring.first_column);
  const Around around(ring, row);
  const auto down = hn::Set(d, around.row_corner);
  const std::int32_t* place = &ring.place[ring.at(row)];
  ring.places_kept.resize(end - begin + window_size);
  ring.columns_kept.resize(end - begin + window_size);
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto corner = hn::Or(hn::LoadU(d, around.column_corner + i), down);
    const auto here = difference(d, hn::LoadU(d, place + i), corner);
    const auto sign = hn::And(here, hn::Set(d, 0x8000));  // of x: a vacant place is far away
    std::uint32_t bits = bits_of(d, hn::Eq(sign, hn::Zero(d)));
    if (end - i < hn::Lanes(d)) bits &= (1u << (end - i)) - 1;
    keep_lanes(d, hn::Iota(d, static_cast<std::int32_t>(i)), bits, &ring.columns_kept[count]);
    count += keep_lanes(d, here, bits, &ring.places_kept[count]);
  }

  const std::size_t before = x.size();
  x.resize(before + count);
  y.resize(before + count);
  const std::uint64_t key = ring.fine_random.at(ring.row_name(row));
  ring.fractions.resize(count + window_size);
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(ring.columns_kept[k]);
    ring.fractions[k] = static_cast<std::int32_t>(ring.fine_of(key, i));
  }
  for (const Ring::Fine& known : ring.exact[ring.slot(row)]) {
    const auto column = static_cast<std::int32_t>(known.column);
    const auto here = ring.columns_kept.begin();
    const auto at =
        std::lower_bound(here, here + static_cast<std::ptrdiff_t>(count), column) - here;
    if (at < static_cast<std::ptrdiff_t>(count) && here[at] == column) {
      ring.fractions[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(known.fraction);
    }
  }
  const hn::CappedTag<double, 4> wide;
  const hn::Rebind<std::int32_t, decltype(wide)> narrow;
  const auto first = hn::Set(wide, static_cast<double>(ring.first_column));
  const auto width = hn::Set(wide, ring.lattice.cell_width);
  const auto top = hn::Set(wide, static_cast<double>(row) * ring.lattice.cell_height);
  const auto unit = hn::Set(wide, ring.lattice.unit() * 0x1p-16);
  alignas(32) std::array<double, 4> last_x, last_y;
  const std::size_t lanes = hn::Lanes(wide);
  for (std::size_t k = 0; k < count; k += lanes) {
    // 16 bits of whole units above 16 bits of fractions.
    const auto at = hn::LoadU(narrow, &ring.places_kept[k]);
    const auto fine = hn::LoadU(narrow, &ring.fractions[k]);
    const auto low = hn::Set(narrow, 0xffff);
    const auto column = hn::PromoteTo(wide, hn::LoadU(narrow, &ring.columns_kept[k]));
    const auto in_x = hn::PromoteTo(wide, hn::Or(hn::ShiftLeft<16>(at), hn::And(fine, low)));
    const auto in_y =
        hn::PromoteTo(wide, hn::Or(hn::AndNot(low, at), hn::And(hn::ShiftRight<16>(fine), low)));
    const auto px = (first + column) * width + in_x * unit;
    const auto py = top + in_y * unit;
    if (k + lanes <= count) {
      hn::StoreU(px, wide, &x[before + k]);
      hn::StoreU(py, wide, &y[before + k]);
    } else {
      hn::Store(px, wide, last_x.data());
      hn::Store(py, wide, last_y.data());
      std::copy_n(last_x.data(), count - k, &x[before + k]);
      std::copy_n(last_y.data(), count - k, &y[before + k]);
    }
  }
}

void do_pass(Ring& ring, int pass, std::int64_t row) {
  constexpr int first_aimed = 2 + 2 * whole_rounds;
  constexpr int first_gap = first_aimed + 2 * aimed_rounds;
  constexpr int first_complete = first_gap + 2 * gap_rounds;
  if (pass == 0) return throw_first(ring, row);
  if (row < ring.first_row || row >= ring.end_row) return;
  if (pass == 1) return duel_first(ring, row);
  if (pass >= first_complete) {
    if (third_of(row) == pass - first_complete) complete(ring, pass, row);
    return;
  }
  if (pass % 2 == 1) return duel(ring, row);
  if (pass >= first_gap) return throw_into_gaps(ring, pass, row);
  if (pass >= first_aimed) return throw_at_live(ring, pass, row);
  throw_again(ring, pass, row);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::constant
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::constant {

HWY_EXPORT(do_pass);
HWY_EXPORT(add_points);

void do_pass(Ring& ring, int pass, std::int64_t row) {
  HWY_DYNAMIC_DISPATCH(do_pass)(ring, pass, row);
}

void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y) {
  HWY_DYNAMIC_DISPATCH(add_points)(ring, row, x, y);
}

}  // namespace dapple::constant
#endif
