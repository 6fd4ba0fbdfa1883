// Throws darts at a surface, one time window after another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/engine/dart_space.hpp"
#include "sample/geodesic/closest_points.hpp"
#include "sample/geodesic/disc.hpp"
#include "sample/surface/obstacles.hpp"
#include "sample/surface/throwing/map.hpp"

namespace dapple::surface {

struct Dart {
  float x, y, z;  // in units from the center of its tile
  float r;        // in units
  std::uint32_t piece;
  std::uint64_t time;  // within the window
  Weights weights;     // weights of its place in the piece
};

inline Reach reach_of(const Dart& dart) {
  return {{dart.x, dart.y, dart.z}, dart.r, near_radius, 0};
}

// Places of darts or points. Neighbors read the places of a tile again and again, so these are
// contiguous. Places of points have the triangle as their number or, with a net, the disc.
struct PlacesOnPieces {
  Places places;
  std::vector<std::uint32_t> piece;
  std::vector<Weights> weights;  // weights of each place in its piece

  void resize(std::size_t count) {
    places.clear();
    places.make_room(count);
    places.count = count;
    piece.resize(count);
    weights.resize(count);
  }
};
using ByTile = engine::ByTile<PlacesOnPieces>;

// Collects the places of a tile and of its neighbors that may be near places of the tile.
void gather_around(const Tiles& tiles, std::uint32_t tile, const ByTile& from, Places& into);

// The state of a tile. Its pieces are roots, middling or small ones, or blocks.
struct TileState {
  Range roots, middles, smalls;
  std::vector<Block> blocks;
  Places near;                // points that may cover places of the tile, in its frame
  std::size_t first_new = 0;  // first point in `near` that the pieces do not know yet

  bool is_done() const {
    return roots.count == 0 && middles.count == 0 && smalls.count == 0 && blocks.empty();
  }
};

struct Throwing {
  const Tiles& tiles;
  const Obstacles* obstacles;             // or nullptr
  const geodesic::Net* net;               // nullptr: distances are measured in space
  const geodesic::ObstaclesAlong* there;  // or nullptr; replaces `obstacles` if there is a net
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // of each class in this window: darts per square of its radius
  std::vector<TileState> states;
  Roots roots;
  Middles middles;
  Smalls smalls;
  std::vector<geodesic::Disc> discs{};  // discs of all points, along the surface

  const geodesic::Disc& disc(std::int32_t number) const {
    return discs[static_cast<std::size_t>(number)];
  }
};

// Buffers of the work on a tile, reused for the next tile.
struct Scratch {
  Places near_tile;  // points of the last window
  Places near_parent;
  Places near_block;
  Places near_dart;
  std::array<Places, most_lanes> near_pieces;
  std::vector<Block> next_blocks;
  std::vector<std::int32_t> numbers;
};

enum class Size { small, middling, large };
inline Size size_of(const Piece& piece) {
  // In radii. One point covers most small pieces completely.
  constexpr double small = 0.25;
  constexpr double middling = 1.2;
  const auto r = static_cast<double>(piece.least());
  if (piece.longest <= small * r) return Size::small;
  return piece.longest <= middling * r ? Size::middling : Size::large;
}

// Prunes the live parts of a tile by the points of the last window. Splits the parts that are too
// large for this window, and throws darts at the others. `fresh`: those points. (grow.cpp)
void grow_tile(Throwing& throwing, std::uint32_t tile, const ByTile& fresh, Scratch& scratch,
               std::vector<Dart>& darts);

// Points, tile by tile.
struct Thrown {
  std::vector<std::uint32_t> piece;
  std::vector<Weights> weights;
  std::vector<std::int32_t> window;
};
// Throws darts at a surface. `head_start`: of each class (SurfaceRadius), or empty. `obstacles`:
// the fixed points, or nullptr.
Thrown throw_darts(const Tiles& tiles, const std::vector<double>& head_start,
                   const Obstacles* obstacles, Context& context);
// As above, but distances are measured along a net.
Thrown throw_darts_along(const Tiles& tiles, const geodesic::Net& net,
                         const geodesic::ObstaclesAlong& there, Context& context);

}  // namespace dapple::surface
