// Darts at a surface, window by window of time.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/context.hpp"
#include "sample/paths/disc.hpp"
#include "sample/surface/obstacles.hpp"

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

// Adds what may be near a tile of the places of another; place_of(i) of those, exactly.
template <class PlaceOf>
void gather_from(const Tiles& tiles, const Tile& tile, const Tile& other, const Places& places,
                 std::size_t first, std::size_t end, Places& into, const PlaceOf& place_of) {
  const float given = tiles.asked(tile, other.klass);
  if (other.level == tile.level) {
    gather(tiles.apart, tile, other.at, places, first, end, near_radius, given, into);
  } else {
    gather_across(tiles.apart, tile, other.unit, places, first, end, near_radius, given, into,
                  place_of);
  }
}

// Points of a tile, in the order of windows.
struct TilePoints {
  Places places;              // number: the triangle; with a net, the disc
  std::size_t first_new = 0;  // of the last window
  std::vector<std::uint32_t> piece;
  std::vector<Weights> weights;
  std::vector<std::int32_t> window;
};

struct TileState {
  std::vector<Block> blocks;
  std::vector<Dart> darts;
  Places dart_places;  // number: the dart, of all in the window
  // The earlier darts that are too near: of the first dart of the tile, the second and so on.
  std::vector<std::uint32_t> earlier;
  std::vector<std::uint32_t> earlier_counts;
};

struct Throwing {
  const Tiles& tiles;
  const Obstacles* obstacles;  // or nullptr
  const paths::Net* net;       // or nullptr, where distances are those in space
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // of each class in this window, darts a square of its radius
  std::vector<TileState> states;
  std::vector<TilePoints> points;
  std::vector<paths::Disc> discs;  // along the surface, of all points

  const paths::Disc& disc(std::int32_t number) const {
    return discs[static_cast<std::size_t>(number)];
  }
};

// Places and what else the work on a tile needs, kept from tile to tile.
struct Scratch {
  Places near;                // points round the tile
  std::size_t first_new = 0;  // of those
  Places near_parent;
  Places near_block;
  Places near_dart;
  std::vector<Block> blocks;
};

// Of the first window on: prunes the blocks of a tile by the points of the last window, splits
// those that are too large for this one, and throws darts at the rest. (grow.cpp)
void grow_tile(Throwing& throwing, std::uint32_t tile, Scratch& scratch);

// The points of each tile. `head_start`: of each class (SurfaceRadius), or empty. `obstacles`: what
// is there already, or nullptr. `net`: distances are those along it, or nullptr.
std::vector<TilePoints> throw_darts(const Tiles& tiles, const std::vector<double>& head_start,
                                    const Obstacles* obstacles, const paths::Net* net,
                                    Context& context);

}  // namespace dapple::surface
