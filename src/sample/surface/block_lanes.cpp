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

using Corners = Many;

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

template <Apart apart>
void gather_by(const Tile& tile, const std::array<std::int32_t, 3>& from, const Places& places,
               std::size_t first, std::size_t end, float share, float given, Places& into) {
  if (first == end) return;
  const Columns<3> columns(places);
  Writer<3, apart != Apart::one> writer(into, end - first);
  const std::array<float, 3> shifted = shift(from, tile.at);
  const auto moved = [&](Many along, std::size_t a) HWY_ATTR { return along + shifted[a]; };
  const Many most = tile.most;
  const std::array<float, 3> low = tile.low;
  const std::array<float, 3> high = tile.high;
  for (std::size_t i = first; i < end; i += Many::count) {
    const Many r = apart == Apart::given ? Many(given) : Many::load(columns.limit + i);
    const Many reach = asked<apart, Many>(most, r, share);
    const auto inside = [&](std::size_t a) HWY_ATTR {
      const Many p = moved(Many::load(columns.at[a] + i), a);
      return (p >= Many(low[a]) - reach) & (p <= Many(high[a]) + reach);
    };
    const std::uint32_t bits = bits_of(inside(0) & inside(1) & inside(2)) & first_bits(end - i);
    if (bits != 0) writer.add(places, columns, i, bits, r, moved);
  }
  writer.end();
}

void gather(Apart apart, const Tile& tile, const std::array<std::int32_t, 3>& from,
            const Places& places, std::size_t first, std::size_t end, float share, float given,
            Places& into) {
  with_rule(apart, [&](auto rule) {
    gather_by<decltype(rule)::value>(tile, from, places, first, end, share, given, into);
  });
}

// The distance from the center of a reach that a place of radius r keeps.
template <Apart apart>
struct RequiredDistance {
  Many radius, ball;
  float share;
  explicit RequiredDistance(const Reach& reach)
      : radius(reach.radius), ball(reach.ball), share(reach.share) {}
  HWY_INLINE Many operator()(Many r) const { return asked<apart, Many>(radius, r, share) + ball; }
};

void select_near(Apart apart, const Places& from, std::size_t first, const Reach& reach,
                 Places& found) {
  with_rule(apart, [&](auto rule) {
    select_lanes<rule != Apart::one, 3>(from, first, RequiredDistance<rule>(reach),
                                        OffPlace<3>{reach.center}, found);
  });
}

std::size_t numbers_near(Apart apart, const Places& places, const Reach& reach,
                         std::vector<std::int32_t>& numbers) {
  std::size_t count = 0;
  with_rule(apart, [&](auto rule) {
    count = numbers_near_lanes<3>(places, RequiredDistance<rule>(reach), OffPlace<3>{reach.center},
                                  numbers);
  });
  return count;
}

bool any_near(Apart apart, const Places& places, const Reach& reach) {
  bool found = false;
  with_rule(apart, [&](auto rule) {
    found = any_near_lanes<3>(places, RequiredDistance<rule>(reach), OffPlace<3>{reach.center});
  });
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
      const Corners dx = x[k] - places.at(0)[p];
      const Corners dy = y[k] - places.at(1)[p];
      const Corners dz = z[k] - places.at(2)[p];
      const Corners distance2 = dx * dx + dy * dy + dz * dz;
      Corners most = share;
      if constexpr (apart == Apart::mean || apart == Apart::least || apart == Apart::given) {
        most = asked<apart, Corners>(r[k], places.limit()[p], share);
      }
      if constexpr (apart == Apart::most) {
        most = places.limit()[p] * share;
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
