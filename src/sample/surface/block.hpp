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
#include <vector>

#include "sample/surface/tiles.hpp"

namespace dapple::surface {

constexpr int parts_a_side = 4;
constexpr std::uint32_t upright_parts = 0x8cef;  // i + j below 4, at 5 j + i
constexpr std::uint32_t turned_parts = 0x467;    // i + j below 3
constexpr std::uint32_t all_parts = upright_parts | turned_parts << 16;

struct Block {
  float ax, ay, az;  // corner, in radii from the middle of its tile
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

// The n-th live part, from 0.
int live_part(std::uint32_t live, std::uint32_t n);

// A place in a part, by weights s, t >= 0 of sum at most 1 of its second and third corner: weights
// of those of the piece.
struct Weights {
  double s, t;
};
Weights in_piece(const Block& block, int bit, Weights in_part);
inline Vec3 place_of(const Piece& piece, const Weights& w) {
  return piece.a + piece.e1 * w.s + piece.e2 * w.t;
}

// ---- vector code (block_lanes.cpp) ----

// Columns of places, in radii from the middle of a tile, and numbers that they have somewhere.
// Behind the last of each stands room for a vector.
struct Places {
  std::vector<float> x, y, z;
  std::vector<std::int32_t> number;
  std::size_t count = 0;

  void clear() { count = 0; }
  void make_room(std::size_t more) {
    if (x.size() < count + more + most_lanes) resize(count + more + most_lanes);
  }
  void add(float px, float py, float pz, std::int32_t n) {
    x[count] = px;
    y[count] = py;
    z[count] = pz;
    number[count++] = n;
  }
  // Those for which keep(number) holds.
  template <class Keep>
  void keep_if(const Keep& keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!keep(number[i])) continue;
      x[kept] = x[i];
      y[kept] = y[i];
      z[kept] = z[i];
      number[kept++] = number[i];
    }
    count = kept;
  }

 private:
  static constexpr std::size_t most_lanes = 16;
  void resize(std::size_t least);
};

// Places are compared in floats, whose error is below 2e-6 radii: what counts as near or covered is
// a ball that is larger by that for darts, and for proofs as well.
constexpr float near_radius = 1.000004f;

// Adds places of the tile at `from`, number `first` to `end`, that lie within `reach` of the bounds
// of `tile`, as seen from there.
void gather(const Tile& tile, const std::array<std::int32_t, 3>& from, const Places& places,
            std::size_t first, std::size_t end, float reach, Places& into);
// Those of `from`, from number `first` on, within `radius` of a place, in order.
void select_near(const Places& from, std::size_t first, const std::array<float, 3>& center,
                 float radius, Places& found);
bool any_near(const Places& places, const std::array<float, 3>& at, float radius);
// Of the live parts, those that no single ball round one of the places covers.
std::uint32_t uncovered(const Block& block, const Places& places, float radius);

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

// A ball round the block.
struct Ball {
  std::array<float, 3> center;
  float radius;
};
inline Ball ball_round(const Tiles& tiles, const Block& block) {
  constexpr float third = 1.0f / 3;
  return {{block.ax + (block.ux + block.vx) * third, block.ay + (block.uy + block.vy) * third,
           block.az + (block.uz + block.vz) * third},
          tiles.pieces[block.piece].ball * static_cast<float>(scale_of(block))};
}

}  // namespace dapple::surface
