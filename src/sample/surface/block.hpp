// A block: a triangle cut into sixteen like it, each of which is live until one ball is known to
// cover it.
//
//     its corners are at    o          bits of parts:   upright ones at 5 j + i,
//     (i, j) with i + j     o o                         turned ones at 16 + 5 j + i
//     at most 4             o o o
//                           o o o o
//                           o o o o o
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::surface {

constexpr int parts_a_side = 4;
constexpr std::uint32_t upright_parts = 0x8cef;  // i + j below 4, at 5 j + i
constexpr std::uint32_t turned_parts = 0x467;    // i + j below 3
constexpr std::uint32_t all_parts = upright_parts | turned_parts << 16;

struct Block {
  float ax, ay, az;  // corner, in units from the middle of its tile
  float ux, uy, uz;  // edges from there
  float vx, vy, vz;
  std::uint32_t live = all_parts;
  std::uint32_t piece;
  std::int32_t i = 0;  // of its corner: a + (i e1 + j e2) / 4^level of the piece
  std::int32_t j = 0;
  std::int16_t level = 0;
  std::int16_t sign = 1;  // -1: turned, its edges run the other way
  std::uint64_t key;
};

// The radius at the corner of a block, and what it rises by along the edges, in units of its tile.
// Not kept in the block, which is visited too often to be larger.
struct Radii {
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

// The whole of a piece, seen from the middle of its tile.
Block root_block(const Tiles& tiles, const Tile& tile, std::uint32_t piece);
// A part of it, with all of its own parts live.
Block child_block(const Tiles& tiles, const Tile& tile, const Block& block, int bit);

// Turned, at (1, 1): it holds the middle of its block.
constexpr int middle_part = 16 + 5 + 1;

// A place in a part, by weights s, t >= 0 of sum at most 1 of its second and third corner: weights
// of those of the piece.
struct Weights {
  double s, t;
};
Weights in_piece(const Block& block, int bit, Weights in_part);
inline Vec3 place_of(const Piece& piece, const Weights& w) {
  return piece.a + piece.e1 * w.s + piece.e2 * w.t;
}

// Products of two edges from a corner with each other, and with the way from there to a place.
struct EdgeProducts {
  double d11, d12, d22;
  double p1, p2;

  EdgeProducts(const Vec3& e1, const Vec3& e2, const Vec3& from)
      : d11(dot(e1, e1)),
        d12(dot(e1, e2)),
        d22(dot(e2, e2)),
        p1(dot(from, e1)),
        p2(dot(from, e2)) {}

  // Of the foot of the place in their plane, which may lie beyond the triangle.
  Weights foot() const {
    const double determinant = d11 * d22 - d12 * d12;
    return {(d22 * p1 - d12 * p2) / determinant, (d11 * p2 - d12 * p1) / determinant};
  }
};

// ---- vector code (block_lanes.cpp) ----

// Of a vector of floats: behind columns is room for one.
constexpr std::size_t most_lanes = 16;

// Columns of places and their radii, in units from the middle of a tile, and numbers that they have
// somewhere. Behind the last of each stands room for a vector.
class Places {
 public:
  std::vector<std::int32_t> number;
  std::size_t count = 0;

  float* x() { return values_.data(); }
  float* y() { return values_.data() + room_; }
  float* z() { return values_.data() + 2 * room_; }
  float* r() { return values_.data() + 3 * room_; }  // of no use where all have one
  const float* x() const { return values_.data(); }
  const float* y() const { return values_.data() + room_; }
  const float* z() const { return values_.data() + 2 * room_; }
  const float* r() const { return values_.data() + 3 * room_; }

  void clear() { count = 0; }
  void make_room(std::size_t more) {
    if (room_ < count + more + most_lanes) resize(count + more + most_lanes);
  }
  void add(float px, float py, float pz, float radius, std::int32_t n) {
    set(count++, px, py, pz, radius, n);
  }
  void set(std::size_t i, float px, float py, float pz, float radius, std::int32_t n) {
    x()[i] = px;
    y()[i] = py;
    z()[i] = pz;
    r()[i] = radius;
    number[i] = n;
  }
  void add(const Places& others) {
    make_room(others.count);
    for (std::size_t i = 0; i < others.count; ++i) {
      add(others.x()[i], others.y()[i], others.z()[i], others.r()[i], others.number[i]);
    }
  }
  // Those for which keep(number) holds.
  template <class Keep>
  void keep_if(const Keep& keep) {
    const std::size_t all = std::exchange(count, 0);
    for (std::size_t i = 0; i < all; ++i) {
      if (keep(number[i])) add(x()[i], y()[i], z()[i], r()[i], number[i]);
    }
  }

 private:
  void resize(std::size_t least);

  std::vector<float> values_;  // column after column, each of this many
  std::size_t room_ = 0;
};

constexpr float near_radius = static_cast<float>(near_in_floats);

// Where to look for places that are near: distances count in `share` of what the radii of both ask
// for, and from the surface of a ball.
struct Reach {
  std::array<float, 3> center;
  float radius = 1;
  float share = near_radius;
  float ball = 0;
};

// Adds places of the tile at `from` of the same level, number `first` to `end`, that lie within
// `share` of what is asked for of the bounds of `tile`, as seen from there. By Apart::given that is
// `given` for all of them, which becomes their radius.
void gather(Apart apart, const Tile& tile, const std::array<std::int32_t, 3>& from,
            const Places& places, std::size_t first, std::size_t end, float share, float given,
            Places& into);
// The same from a tile of another level, whose floats would not do: place_of(i), from 0, is known
// in double, in the unit of the frame.
template <class PlaceOf>
void gather_across(Apart apart, const Tile& tile, double unit, const Places& places,
                   std::size_t first, std::size_t end, float share, float given, Places& into,
                   const PlaceOf& place_of) {
  into.make_room(end - first);
  const auto scale = static_cast<float>(unit * tile.per_unit);
  for (std::size_t i = first; i < end; ++i) {
    const Vec3 p = tile.seen(place_of(i));
    const float at[3] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    const float r = apart == Apart::given ? given : places.r()[i] * scale;
    const float reach = share * apart_by(apart, tile.most, r);
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inside = inside && at[axis] >= tile.low[axis] - reach && at[axis] <= tile.high[axis] + reach;
    }
    if (inside) into.add(at[0], at[1], at[2], r, places.number[i]);
  }
}
// Those of `from`, from number `first` on, that are near, in order.
void select_near(Apart apart, const Places& from, std::size_t first, const Reach& reach,
                 Places& found);
bool any_near(Apart apart, const Places& places, const Reach& reach);
// The numbers of those that are near, in order, as the first of `numbers`; returns how many.
std::size_t numbers_near(Apart apart, const Places& places, const Reach& reach,
                         std::vector<std::int32_t>& numbers);
// Of the live parts, those that no single ball round one of the places covers, whose radius is
// `share` of what is asked for.
std::uint32_t uncovered(Apart apart, const Block& block, const Radii& radii, const Places& places,
                        float share);

// Edges of a block are those of its piece times this.
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

Radii varying_radii(const Piece& piece, const Tile& tile, const Block& block);
inline Radii radii_of(const Tiles& tiles, const Tile& tile, const Block& block) {
  return tiles.apart == Apart::one ? Radii{}
                                   : varying_radii(tiles.pieces[block.piece], tile, block);
}

// A ball round the block, and what can reach into it; `most`: its largest radius.
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
