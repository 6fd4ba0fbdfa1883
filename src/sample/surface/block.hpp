// Defines a block: a triangle cut into sixteen similar parts. A part is live until one ball is
// known to cover it.
//
//     Corners are at      o          Bits of parts:
//     (i, j); i + j is    o o        5 j + i if upright;
//     at most 4.          o o o      16 + 5 j + i if turned.
//                         o o o o
//                         o o o o o
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "sample/engine/places.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::surface {

constexpr int parts_a_side = 4;
constexpr std::uint32_t upright_parts = 0x8cef;  // i + j below 4, at 5 j + i
constexpr std::uint32_t turned_parts = 0x467;    // i + j below 3
constexpr std::uint32_t all_parts = upright_parts | turned_parts << 16;

struct Block {
  float ax, ay, az;  // corner, in units from the center of its tile
  float ux, uy, uz;  // edges from the corner
  float vx, vy, vz;
  std::uint32_t live = all_parts;
  std::uint32_t piece;
  std::int32_t i = 0;  // its corner is at a + (i e1 + j e2) / 4^level of the piece
  std::int32_t j = 0;
  std::int16_t level = 0;
  std::int16_t sign = 1;  // -1: turned, its edges have the opposite direction
  std::uint64_t key;
};

// The radius at the corner of a block and its increase along the edges, in units of the tile.
// Blocks do not store it, as they are visited too often to be larger.
struct PatchRadii {
  float r = 1, ru = 0, rv = 0;

  float least() const { return std::min({r, r + ru, r + rv}); }
  float most() const { return std::max({r, r + ru, r + rv}); }
  float in_middle() const { return r + (ru + rv) * (1.0f / 3); }
};

struct Part {
  int i, j;
  bool turned;
};
constexpr Part part_of(int bit) {
  const bool turned = bit >= 16;
  const int place = turned ? bit - 16 : bit;
  return {place % 5, place / 5, turned};
}

// Returns a whole piece as a block, in the frame of its tile.
Block root_block(const Tiles& tiles, const Tile& tile, std::uint32_t piece);
// Returns a part of a block as a block, with all of its own parts live.
Block child_block(const Tiles& tiles, const Tile& tile, const Block& block, int bit);

// The turned part at (1, 1), which contains the center of its block.
constexpr int middle_part = 16 + 5 + 1;

// Converts weights in a part of a block to weights in the piece.
Weights in_piece(const Block& block, int bit, Weights in_part);

// Dot products of two edges from a corner with each other, and with the vector to a place.
struct EdgeProducts {
  double d11, d12, d22;
  double p1, p2;

  EdgeProducts(const Vec3& e1, const Vec3& e2, const Vec3& from)
      : d11(dot(e1, e1)),
        d12(dot(e1, e2)),
        d22(dot(e2, e2)),
        p1(dot(from, e1)),
        p2(dot(from, e2)) {}

  // Returns the foot of the place in the plane of the edges. It may lie outside the triangle.
  Weights foot() const {
    const double determinant = d11 * d22 - d12 * d12;
    return {(d22 * p1 - d12 * p2) / determinant, (d11 * p2 - d12 * p1) / determinant};
  }
};

// ---- vector code (block_lanes.cpp) ----

using engine::most_lanes;

// Places in units from the center of a tile, with a number for each. Their limits are radii, unused
// if all points have one radius.
struct Places : engine::Places<3> {
  Places() { numbered = true; }
};

constexpr float near_radius = static_cast<float>(near_in_floats);

// A ball and the distance within which places are near it. A place is near if it is within `share`
// of the required distance from the surface of the ball. `radius` is that of the point in the ball.
struct Reach {
  std::array<float, 3> center;
  float radius = 1;
  float share = near_radius;
  float ball = 0;
};

// Appends the places from `first` to `end` of the tile at `from`, in the frame of `tile`. Both
// tiles have one level. The places lie within `share` of the required distance from the bounds of
// `tile`. With Apart::given this distance is `given`, which becomes their radius.
void gather(Apart apart, const Tile& tile, const std::array<std::int32_t, 3>& from,
            const Places& places, std::size_t first, std::size_t end, float share, float given,
            Places& into);
// As above, but from a tile of another level, for which floats are too coarse. place_of(i) returns
// a place in double, in the unit of the frame.
template <class PlaceOf>
void gather_across(Apart apart, const Tile& tile, double unit, const Places& places,
                   std::size_t first, std::size_t end, float share, float given, Places& into,
                   const PlaceOf& place_of) {
  into.make_room(end - first);
  const auto scale = static_cast<float>(unit * tile.per_unit);
  for (std::size_t i = first; i < end; ++i) {
    const Vec3 p = tile.seen(place_of(i));
    const std::array at{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    const float r = apart == Apart::given ? given : places.limit()[i] * scale;
    const float reach = share * apart_by(apart, tile.most, r);
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inside = inside && at[axis] >= tile.low[axis] - reach && at[axis] <= tile.high[axis] + reach;
    }
    if (inside) into.add(at, r, places.number[i]);
  }
}
// Selects the places of `from`, from index `first` on, that are near, in order.
void select_near(Apart apart, const Places& from, std::size_t first, const Reach& reach,
                 Places& found);
bool any_near(Apart apart, const Places& places, const Reach& reach);
// Writes the numbers of near places, in order, to the front of `numbers`. Returns how many.
std::size_t numbers_near(Apart apart, const Places& places, const Reach& reach,
                         std::vector<std::int32_t>& numbers);
// Returns the live parts that no single ball around a place covers. The radius of a ball is `share`
// of the required distance.
std::uint32_t uncovered(Apart apart, const Block& block, const PatchRadii& radii,
                        const Places& places, float share);

// The edges of a block are those of its piece times the scale of its level.
constexpr auto level_scales = [] {
  std::array<double, 16> scales{};
  double scale = 1;
  for (double& each : scales) {
    each = scale;
    scale /= parts_a_side;
  }
  return scales;
}();
inline double scale_of(const Block& block) {
  return level_scales[static_cast<std::size_t>(block.level)];
}
inline double longest_edge(const Tiles& tiles, const Block& block) {
  return tiles.pieces[block.piece].longest * scale_of(block);
}
inline double part_area(const Tiles& tiles, const Block& block) {
  return tiles.pieces[block.piece].area * (scale_of(block) * scale_of(block) / 16);
}

PatchRadii varying_radii(const Piece& piece, const Tile& tile, const Block& block);
inline PatchRadii radii_of(const Tiles& tiles, const Tile& tile, const Block& block) {
  return tiles.apart == Apart::one ? PatchRadii{}
                                   : varying_radii(tiles.pieces[block.piece], tile, block);
}

// Returns a ball around the block as a reach; `most` is the largest radius in the block.
inline Reach reach_of(const Tiles& tiles, const Tile& tile, const Block& block, float most,
                      float share) {
  constexpr float third = 1.0f / 3;
  return {{block.ax + (block.ux + block.vx) * third, block.ay + (block.uy + block.vy) * third,
           block.az + (block.uz + block.vz) * third},
          most,
          share,
          tiles.pieces[block.piece].ball * static_cast<float>(scale_of(block) * tile.per_unit)};
}

}  // namespace dapple::surface
