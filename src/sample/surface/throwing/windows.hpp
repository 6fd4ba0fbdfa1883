// Darts at a surface, window by window of time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/geodesic/closest_points.hpp"
#include "sample/geodesic/disc.hpp"
#include "sample/surface/obstacles.hpp"
#include "sample/surface/throwing/map.hpp"

namespace dapple::surface {

struct Dart {
  float x, y, z;  // in units from the middle of its tile
  float r;        // in units
  std::uint32_t piece;
  std::uint64_t time;  // within the window
  Weights weights;     // of its place in the piece
};

inline Reach reach_of(const Dart& dart) {
  return {{dart.x, dart.y, dart.z}, dart.r, near_radius, 0};
}

// Places, of which those of tiles follow each other: what neighbors read again and again lies
// together.
struct ByTiles {
  Places places;
  std::vector<std::uint32_t> piece;
  std::vector<Weights> weights;      // of the place in the piece
  std::vector<std::uint32_t> first;  // of each tile, and one more

  void resize(std::size_t count) {
    places.make_room(count - places.count);
    places.count = count;
    piece.resize(count);
    weights.resize(count);
  }
  // Adds what of another tile may be near one.
  void gather(const Tiles& tiles, const Tile& tile, std::uint32_t other, Places& into) const;
};

// Adds what of all tiles may be near one, of which it is itself.
inline void gather_round(const Tiles& tiles, std::uint32_t tile, const ByTiles& from,
                         Places& into) {
  from.gather(tiles, tiles.tiles[tile], tile, into);
  for (const std::uint32_t other : tiles.neighbors_of(tiles.tiles[tile])) {
    from.gather(tiles, tiles.tiles[tile], other, into);
  }
}

// A tile holds pieces as roots, as middling or small ones, or as blocks.
struct TileState {
  Range roots, middles, smalls;
  std::vector<Block> blocks;
  Places near;                // points that may cover places of the tile, seen from its middle
  std::size_t first_new = 0;  // of those that its pieces do not know yet

  bool is_done() const {
    return roots.count == 0 && middles.count == 0 && smalls.count == 0 && blocks.empty();
  }
};

struct Throwing {
  const Tiles& tiles;
  const Obstacles* obstacles;          // or nullptr
  const paths::Net* net;               // or nullptr, where distances are those in space
  const paths::ObstaclesAlong* there;  // or nullptr; in place of the others with a net
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // of each class in this window, darts a square of its radius
  std::vector<TileState> states;
  Roots roots;
  Middles middles;
  Smalls smalls;
  // Points, window by window: tiles find those of the last one. Number: the triangle; with a net,
  // the disc.
  ByTiles points;
  std::vector<std::uint32_t> tile_of;  // of each point
  std::vector<std::int32_t> window_of;
  std::vector<paths::Disc> discs;  // along the surface, of all points

  const paths::Disc& disc(std::int32_t number) const {
    return discs[static_cast<std::size_t>(number)];
  }
};

// What the work on a tile needs, kept from tile to tile.
struct Scratch {
  Places near_tile;  // of the last window
  Places near_parent;
  Places near_block;
  Places near_dart;
  std::array<Places, most_lanes> near_pieces;
  std::vector<Block> next_blocks;
  std::vector<std::int32_t> numbers;
};

enum class Size { small, middling, large };
inline Size size_of(const Piece& piece) {
  // In radii. One point covers most of the small ones whole.
  constexpr double small = 0.25;
  constexpr double middling = 1.2;
  const auto r = static_cast<double>(piece.least());
  if (piece.longest <= small * r) return Size::small;
  return piece.longest <= middling * r ? Size::middling : Size::large;
}

// Prunes what is live of a tile by the points of the last window, splits what is too large for this
// one, and adds darts at the rest. (grow.cpp)
void grow_tile(Throwing& throwing, std::uint32_t tile, Scratch& scratch, std::vector<Dart>& darts);

// Points, tile by tile.
struct Thrown {
  std::vector<std::uint32_t> piece;
  std::vector<Weights> weights;
  std::vector<std::int32_t> window;
};
// `head_start`: of each class (SurfaceRadius), or empty. `obstacles`: what is there already, or
// nullptr.
Thrown throw_darts(const Tiles& tiles, const std::vector<double>& head_start,
                   const Obstacles* obstacles, Context& context);
// By distances along a net.
Thrown throw_darts_along(const Tiles& tiles, const paths::Net& net,
                         const paths::ObstaclesAlong& there, Context& context);

}  // namespace dapple::surface
