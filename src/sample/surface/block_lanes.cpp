// Compares places with blocks, one vector of floats at a time. Uses only differences, products and
// comparisons, so that all instruction sets give the same results.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "sample/surface/block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/surface/block_lanes.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h.
#include "sample/surface/conflict_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::surface {
namespace HWY_NAMESPACE {
namespace {

using namespace dapple::HWY_NAMESPACE;

using Wide = Lanes<float, 16>;
using Index = Lanes<std::int32_t, Wide::count>;
using Corners = Lanes<float, 16>;

constexpr std::size_t corner_count = 16;  // fifteen corners, and the last one again

// Weights of the corners along both edges.
struct CornerWeights {
  std::array<float, corner_count> i{}, j{};
};
constexpr CornerWeights corner_weights = [] {
  CornerWeights weights;
  std::size_t n = 0;
  for (int j = 0; j <= parts_a_side; ++j) {
    for (int i = 0; i + j <= parts_a_side; ++i, ++n) {
      weights.i[n] = static_cast<float>(i) / parts_a_side;
      weights.j[n] = static_cast<float>(j) / parts_a_side;
    }
  }
  weights.j[n] = 1;
  return weights;
}();

// The bits 5 j + i of corners (i, j), by masks of the first eight corners and of the other seven.
constexpr auto corner_bits = [] {
  std::array<std::uint32_t, 16> place{};
  std::size_t n = 0;
  for (std::uint32_t j = 0; j <= parts_a_side; ++j) {
    for (std::uint32_t i = 0; i + j <= parts_a_side; ++i) place[n++] = 1u << (5 * j + i);
  }
  place[15] = 0;
  std::array<std::array<std::uint32_t, 256>, 2> table{};
  for (std::size_t bits = 0; bits < 256; ++bits) {
    for (std::size_t b = 0; b < 8; ++b) {
      if ((bits >> b & 1) == 0) continue;
      table[0][bits] |= place[b];
      table[1][bits] |= place[8 + b];
    }
  }
  return table;
}();

// Appends the lanes whose bits are set.
template <Apart apart>
HWY_INLINE void append(Wide x, Wide y, Wide z, Wide r, Index number, std::uint32_t bits,
                       Places& into) {
  store_kept(x, bits, &into.x()[into.count]);
  store_kept(y, bits, &into.y()[into.count]);
  store_kept(z, bits, &into.z()[into.count]);
  if constexpr (apart != Apart::one) store_kept(r, bits, &into.r()[into.count]);
  into.count += store_kept(number, bits, &into.number[into.count]);
}

template <Apart apart>
HWY_INLINE Wide radii(const Places& places, std::size_t i) {
  if constexpr (apart == Apart::one) return 1;
  return Wide::load(&places.r()[i]);
}

template <Apart apart>
void gather_by(const Tile& tile, const std::array<std::int32_t, 3>& from, const Places& places,
               std::size_t first, std::size_t end, float share, float given, Places& into) {
  if (first == end) return;
  into.make_room(end - first);
  const std::array<float, 3> moved = shift(from, tile.at);
  const Wide most = tile.most;
  const std::array<float, 3> low = tile.low;
  const std::array<float, 3> high = tile.high;
  for (std::size_t i = first; i < end; i += Wide::count) {
    const Wide x = Wide::load(&places.x()[i]) + moved[0];
    const Wide y = Wide::load(&places.y()[i]) + moved[1];
    const Wide z = Wide::load(&places.z()[i]) + moved[2];
    const Wide r = apart == Apart::given ? Wide(given) : radii<apart>(places, i);
    const Wide reach = asked<apart, Wide>(most, r, share);
    const auto inside = [&](Wide p, std::size_t axis) HWY_ATTR {
      return (p >= Wide(low[axis]) - reach) & (p <= Wide(high[axis]) + reach);
    };
    const std::uint32_t bits =
        bits_of(inside(x, 0) & inside(y, 1) & inside(z, 2)) & first_bits<Wide>(end - i);
    if (bits != 0) append<apart>(x, y, z, r, Index::load(&places.number[i]), bits, into);
  }
}

void gather(Apart apart, const Tile& tile, const std::array<std::int32_t, 3>& from,
            const Places& places, std::size_t first, std::size_t end, float share, float given,
            Places& into) {
  with_rule(apart, [&](auto rule) {
    gather_by<decltype(rule)::value>(tile, from, places, first, end, share, given, into);
  });
}

// Tests which places of a vector are near. It copies the reach, so that writing places cannot
// change the reach.
template <Apart apart>
struct Near {
  Wide x, y, z, radius;
  float share;
  Wide ball;
  explicit Near(const Reach& reach)
      : x(reach.center[0]),
        y(reach.center[1]),
        z(reach.center[2]),
        radius(reach.radius),
        share(reach.share),
        ball(reach.ball) {}
  HWY_INLINE auto operator()(Wide px, Wide py, Wide pz, Wide r) const {
    const Wide dx = px - x;
    const Wide dy = py - y;
    const Wide dz = pz - z;
    const Wide most = asked<apart, Wide>(radius, r, share) + ball;
    return dx * dx + dy * dy + dz * dz < most * most;
  }
};

template <Apart apart>
void select_near_by(const Places& from, std::size_t first, const Reach& reach, Places& found) {
  found.clear();
  found.make_room(from.count);
  const Near<apart> near(reach);
  for (std::size_t i = first; i < from.count; i += Wide::count) {
    const Wide x = Wide::load(&from.x()[i]);
    const Wide y = Wide::load(&from.y()[i]);
    const Wide z = Wide::load(&from.z()[i]);
    const Wide r = radii<apart>(from, i);
    const std::uint32_t bits = bits_of(near(x, y, z, r)) & first_bits<Wide>(from.count - i);
    if (bits != 0) append<apart>(x, y, z, r, Index::load(&from.number[i]), bits, found);
  }
}

void select_near(Apart apart, const Places& from, std::size_t first, const Reach& reach,
                 Places& found) {
  with_rule(apart,
            [&](auto rule) { select_near_by<decltype(rule)::value>(from, first, reach, found); });
}

template <Apart apart>
bool any_near_by(const Places& places, const Reach& reach) {
  const Near<apart> near(reach);
  for (std::size_t i = 0; i < places.count; i += Wide::count) {
    const std::uint32_t bits = bits_of(near(Wide::load(&places.x()[i]), Wide::load(&places.y()[i]),
                                            Wide::load(&places.z()[i]), radii<apart>(places, i)));
    if ((bits & first_bits<Wide>(places.count - i)) != 0) return true;
  }
  return false;
}

template <Apart apart>
std::size_t numbers_near_by(const Places& places, const Reach& reach,
                            std::vector<std::int32_t>& numbers) {
  if (numbers.size() < places.count + Wide::count) numbers.resize(2 * places.count + Wide::count);
  const Near<apart> near(reach);
  std::size_t count = 0;
  for (std::size_t i = 0; i < places.count; i += Wide::count) {
    const std::uint32_t bits = bits_of(near(Wide::load(&places.x()[i]), Wide::load(&places.y()[i]),
                                            Wide::load(&places.z()[i]), radii<apart>(places, i))) &
                               first_bits<Wide>(places.count - i);
    if (bits != 0) count += store_kept(Index::load(&places.number[i]), bits, &numbers[count]);
  }
  return count;
}

std::size_t numbers_near(Apart apart, const Places& places, const Reach& reach,
                         std::vector<std::int32_t>& numbers) {
  std::size_t count = 0;
  with_rule(apart, [&](auto rule) {
    count = numbers_near_by<decltype(rule)::value>(places, reach, numbers);
  });
  return count;
}

bool any_near(Apart apart, const Places& places, const Reach& reach) {
  bool found = false;
  with_rule(apart, [&](auto rule) { found = any_near_by<decltype(rule)::value>(places, reach); });
  return found;
}

// Returns the parts whose corners are all in `corners`.
HWY_INLINE std::uint32_t parts_between(std::uint32_t corners) {
  const std::uint32_t at = corner_bits[0][corners & 255] | corner_bits[1][corners >> 8 & 255];
  const std::uint32_t edge = at >> 1 & at >> 5;
  return (at & edge & upright_parts) | (edge & at >> 6 & turned_parts) << 16;
}

// The distance to a place minus the required distance is convex if the radius is linear. So a part
// is covered if its corners are. The larger of two radii is not linear, but each of them is, so
// both are tested alone.
template <Apart apart>
std::uint32_t uncovered_by(const Block& block, const PatchRadii& radii, const Places& places,
                           float share) {
  constexpr std::size_t vectors = corner_count / Corners::count;
  Corners x[vectors], y[vectors], z[vectors], r[vectors];
  for (std::size_t k = 0; k < vectors; ++k) {
    const Corners i = Corners::load(&corner_weights.i[k * Corners::count]);
    const Corners j = Corners::load(&corner_weights.j[k * Corners::count]);
    x[k] = block.ax + (i * block.ux + j * block.vx);
    y[k] = block.ay + (i * block.uy + j * block.vy);
    z[k] = block.az + (i * block.uz + j * block.vz);
    if constexpr (apart != Apart::one) r[k] = radii.r + (i * radii.ru + j * radii.rv);
  }
  std::uint32_t live = block.live;
  for (std::size_t p = 0; p < places.count && live != 0; ++p) {
    std::uint32_t near = 0;
    std::uint32_t near_own = 0;  // if only the radii of the corners count
    for (std::size_t k = 0; k < vectors; ++k) {
      const Corners dx = x[k] - places.x()[p];
      const Corners dy = y[k] - places.y()[p];
      const Corners dz = z[k] - places.z()[p];
      const Corners distance2 = dx * dx + dy * dy + dz * dz;
      Corners most = share;
      if constexpr (apart == Apart::mean || apart == Apart::least || apart == Apart::given) {
        most = asked<apart, Corners>(r[k], places.r()[p], share);
      }
      if constexpr (apart == Apart::most) {
        most = places.r()[p] * share;
        const Corners own = r[k] * share;
        near_own |= bits_of(distance2 < own * own) << (k * Corners::count);
      }
      near |= bits_of(distance2 < most * most) << (k * Corners::count);
    }
    live &= ~parts_between(near);
    if constexpr (apart == Apart::most) live &= ~parts_between(near_own);
  }
  return live;
}

std::uint32_t uncovered(Apart apart, const Block& block, const PatchRadii& radii,
                        const Places& places, float share) {
  std::uint32_t live = 0;
  with_rule(apart, [&](auto rule) {
    live = uncovered_by<decltype(rule)::value>(block, radii, places, share);
  });
  return live;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::surface
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::surface {

HWY_EXPORT(gather);
HWY_EXPORT(select_near);
HWY_EXPORT(any_near);
HWY_EXPORT(numbers_near);
HWY_EXPORT(uncovered);

void gather(Apart apart, const Tile& tile, const std::array<std::int32_t, 3>& from,
            const Places& places, std::size_t first, std::size_t end, float share, float given,
            Places& into) {
  HWY_DYNAMIC_DISPATCH(gather)(apart, tile, from, places, first, end, share, given, into);
}

void select_near(Apart apart, const Places& from, std::size_t first, const Reach& reach,
                 Places& found) {
  HWY_DYNAMIC_DISPATCH(select_near)(apart, from, first, reach, found);
}

bool any_near(Apart apart, const Places& places, const Reach& reach) {
  return HWY_DYNAMIC_DISPATCH(any_near)(apart, places, reach);
}

std::size_t numbers_near(Apart apart, const Places& places, const Reach& reach,
                         std::vector<std::int32_t>& numbers) {
  return HWY_DYNAMIC_DISPATCH(numbers_near)(apart, places, reach, numbers);
}

std::uint32_t uncovered(Apart apart, const Block& block, const PatchRadii& radii,
                        const Places& places, float share) {
  return HWY_DYNAMIC_DISPATCH(uncovered)(apart, block, radii, places, share);
}

void Places::resize(std::size_t least) {
  constexpr std::size_t columns = 4;
  const std::size_t room = least + least / 2;
  std::vector<float> values(columns * room);
  for (std::size_t c = 0; c < columns; ++c) {
    std::copy_n(values_.data() + c * room_, count, values.data() + c * room);
  }
  values_ = std::move(values);
  room_ = room;
  number.resize(room);
}

namespace {

// Sets the block in the frame of its tile, rounded once from double so that neighbors fit.
void set_place(Block& block, const Tiles& tiles, const Tile& tile) {
  const Piece& piece = tiles.pieces[block.piece];
  const double step = scale_of(block);
  const Weights at{block.i * step, block.j * step};
  const Vec3 a = tile.seen(place_of(piece, at));
  const double edge = block.sign * step * tile.per_unit;
  block.ax = static_cast<float>(a.x);
  block.ay = static_cast<float>(a.y);
  block.az = static_cast<float>(a.z);
  block.ux = static_cast<float>(piece.e1.x * edge);
  block.uy = static_cast<float>(piece.e1.y * edge);
  block.uz = static_cast<float>(piece.e1.z * edge);
  block.vx = static_cast<float>(piece.e2.x * edge);
  block.vy = static_cast<float>(piece.e2.y * edge);
  block.vz = static_cast<float>(piece.e2.z * edge);
}

}  // namespace

PatchRadii varying_radii(const Piece& piece, const Tile& tile, const Block& block) {
  const double step = scale_of(block);
  const double edge = block.sign * step * tile.per_unit;
  const auto rise = [&](std::size_t corner) {
    return static_cast<float>(static_cast<double>(piece.r[corner] - piece.r[0]) * edge);
  };
  const double r = piece.radius(block.i * step, block.j * step) * tile.per_unit;
  return {static_cast<float>(r), rise(1), rise(2)};
}

Block root_block(const Tiles& tiles, const Tile& tile, std::uint32_t piece) {
  Block block;
  block.piece = piece;
  block.key = tiles.pieces[piece].key;
  set_place(block, tiles, tile);
  return block;
}

Block child_block(const Tiles& tiles, const Tile& tile, const Block& block, int bit) {
  const Part part = part_of(bit);
  const int across = part.turned ? 1 : 0;
  Block child;
  child.piece = block.piece;
  child.level = static_cast<std::int16_t>(block.level + 1);
  child.sign = part.turned ? static_cast<std::int16_t>(-block.sign) : block.sign;
  child.i = parts_a_side * block.i + block.sign * (part.i + across);
  child.j = parts_a_side * block.j + block.sign * (part.j + across);
  child.key = hash(block.key, static_cast<std::uint64_t>(bit));
  set_place(child, tiles, tile);
  return child;
}

Weights in_piece(const Block& block, int bit, Weights in_part) {
  const Part part = part_of(bit);
  const double step = block.sign * scale_of(block);
  const auto along = [&](int corner, int first, double weight) {
    const double in_block = (first + (part.turned ? 1 - weight : weight)) / parts_a_side;
    return corner * std::abs(step) + in_block * step;
  };
  return {along(block.i, part.i, in_part.s), along(block.j, part.j, in_part.t)};
}

}  // namespace dapple::surface
#endif
