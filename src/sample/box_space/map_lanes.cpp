// Draws balls into maps, one vector of rows at a time.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "sample/box_space/map.hpp"
#include "sample/engine/live_bits.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/box_space/map_lanes.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h.
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::box_space {
namespace HWY_NAMESPACE {
namespace {

using namespace dapple::HWY_NAMESPACE;

using Wide = Lanes<float, map_side>;
using Index = Lanes<std::int32_t, Wide::count>;
using Rows = Lanes<std::uint16_t, Wide::count>;

// Share of a part by which balls shrink, so that rounding never clears a part outside a ball.
constexpr float margin = 1e-4f;

// A ball seen along rows, in parts from the low side of the box.
struct Ball {
  float place;
  float scale;  // parts per unit

  // Clears the covered parts. `square`: the squared half chord of the ball at each row.
  HWY_INLINE void clear(Wide square, std::uint16_t* rows) const {
    const Rows live = Rows::load(rows);
    if (!any(live != Rows(0))) return;
    const Wide half = sqrt(max(square, 0)) * Wide(scale) - Wide(margin);
    const auto at = [](Wide v) HWY_ATTR {
      return convert<Index>(min(max(v, 0), static_cast<float>(map_side)));
    };
    const Index first = at(Wide(place) - half + 1);
    const Index end = max(at(Wide(place) + half), first);
    const Index covered = (Index(1) << end) - (Index(1) << first);
    (live & ~convert<Rows>(covered)).store(rows);
  }
};

// Writes the squared distance of a place to the far side of each part; returns the least.
HWY_INLINE float far_squares(const float* middles, float half, float place, float* squares) {
  Wide least = std::numeric_limits<float>::infinity();
  for (std::size_t v = 0; v < map_side; v += Wide::count) {
    const Wide far = abs(Wide::load(middles + v) - place) + half;
    (far * far).store(squares + v);
    least = min(least, far * far);
  }
  return least_of(least);
}

template <std::size_t D>
HWY_INLINE void cover_map_lanes(std::uint16_t* rows, const HalfBox<D>& box, const Places<D>& places,
                                ConflictLimits reach) {
  VecF<D> half, low;
  float middles[D][map_side];
  for (std::size_t a = 0; a < D; ++a) {
    half[a] = box.half[a] / map_side;
    low[a] = box.middle[a] - box.half[a];
    const Wide first = low[a] + half[a];
    for (std::size_t v = 0; v < map_side; v += Wide::count) {
      (first + Wide::count_from(static_cast<float>(v)) * Wide(2 * half[a])).store(middles[a] + v);
    }
  }
  const float scale = 0.5f / half[0];
  for (std::size_t p = 0; p < places.count; ++p) {
    const Ball ball{(places.at(0)[p] - low[0]) * scale, scale};
    const float limit = D == 3 ? reach.limit(places.limit()[p]) : places.limit()[p];
    const float most = limit * limit;
    float squares[D][map_side];
    float least = 0;  // nothing in a slice is covered below this
    for (std::size_t a = 0; a < 2; ++a) {
      least += far_squares(middles[a], half[a], places.at(a)[p], squares[a]);
    }
    if (most <= least) continue;
    if constexpr (D == 3) far_squares(middles[2], half[2], places.at(2)[p], squares[2]);
    for (std::size_t s = 0; s < map_slices<D>; ++s) {
      float left = most;
      if constexpr (D == 3) left -= squares[2][s];
      if (left <= least) continue;
      for (std::size_t v = 0; v < map_side; v += Wide::count) {
        ball.clear(Wide(left) - Wide::load(squares[1] + v), rows + map_side * s + v);
      }
    }
  }
}

template <std::size_t D>
HWY_INLINE int count_live_lanes(const std::uint16_t* rows, std::array<int, map_slices<D>>& up_to) {
  constexpr std::size_t bytes = 2 * map_side;
  using Bytes = Lanes<std::uint8_t, bytes>;
  int all = 0;
  for (std::size_t s = 0; s < map_slices<D>; ++s) {
    ByteSums<bytes> sums;
    const auto* slice = reinterpret_cast<const std::uint8_t*>(rows + map_side * s);
    for (std::size_t b = 0; b < bytes; b += Bytes::count) {
      sums.add(bits_set(Bytes::load(slice + b)));
    }
    all += static_cast<int>(sums.total());
    up_to[s] = all;
  }
  return all;
}

// Highway dispatches functions, not templates.
#define DAPPLE_MAP_LANES(D)                                                              \
  void cover_map##D(std::uint16_t* rows, const HalfBox<D>& box, const Places<D>& places, \
                    ConflictLimits reach) {                                              \
    cover_map_lanes<D>(rows, box, places, reach);                                        \
  }                                                                                      \
  int count_live##D(const std::uint16_t* rows, std::array<int, map_slices<D>>& up_to) {  \
    return count_live_lanes<D>(rows, up_to);                                             \
  }
DAPPLE_MAP_LANES(2)
DAPPLE_MAP_LANES(3)
#undef DAPPLE_MAP_LANES

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::box_space
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::box_space {

#define DAPPLE_MAP_LANES(D)                                                               \
  HWY_EXPORT(cover_map##D);                                                               \
  HWY_EXPORT(count_live##D);                                                              \
  template <>                                                                             \
  void cover_map<D>(std::uint16_t * rows, const HalfBox<D>& box, const Places<D>& places, \
                    ConflictLimits reach) {                                               \
    HWY_DYNAMIC_DISPATCH(cover_map##D)(rows, box, places, reach);                         \
  }                                                                                       \
  template <>                                                                             \
  int count_live<D>(const std::uint16_t* rows, std::array<int, map_slices<D>>& up_to) {   \
    return HWY_DYNAMIC_DISPATCH(count_live##D)(rows, up_to);                              \
  }
DAPPLE_MAP_LANES(2)
DAPPLE_MAP_LANES(3)
#undef DAPPLE_MAP_LANES

namespace {

// Returns four rows as one number, with the first row in the lowest bits.
std::uint64_t four_rows(const std::uint16_t* rows) {
  std::uint64_t four = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&four, rows, sizeof four);
  } else {
    for (int row = 3; row >= 0; --row) four = four << map_side | rows[row];
  }
  return four;
}

}  // namespace

// Avoids branches on live bits, which would be mispredicted about half of the time.
template <std::size_t D>
std::array<int, D> nth_live(const std::uint16_t* rows, const std::array<int, map_slices<D>>& up_to,
                            int n) {
  int slice = 0;
  for (const int count : up_to) slice += count <= n ? 1 : 0;
  if (slice > 0) n -= up_to[static_cast<std::size_t>(slice - 1)];
  rows += map_side * slice;
  constexpr int fours = map_side / 4;
  std::array<std::uint64_t, fours> four;
  std::array<int, fours> before;
  int all = 0;
  for (std::size_t f = 0; f < fours; ++f) {
    four[f] = four_rows(rows + 4 * f);
    before[f] = all;
    all += bit_count(four[f]);
  }
  std::size_t f = 0;
  for (std::size_t later = 1; later < fours; ++later) f += before[later] <= n ? 1 : 0;
  const int bit = nth_bit(four[f], n - before[f]);
  std::array<int, D> at{bit % map_side, static_cast<int>(4 * f) + bit / map_side};
  if constexpr (D == 3) at[2] = slice;
  return at;
}
template std::array<int, 2> nth_live<2>(const std::uint16_t*, const std::array<int, 1>&, int);
template std::array<int, 3> nth_live<3>(const std::uint16_t*, const std::array<int, map_side>&,
                                        int);

}  // namespace dapple::box_space
#endif
