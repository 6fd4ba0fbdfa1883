// Darts at a room, window by window of time.
#pragma once

#include "sample/space/border.hpp"

namespace dapple::space {

template <std::size_t D>
struct Dart {
  Near<D> at;          // from the middle of its tile
  std::uint64_t time;  // within the window
  float radius = 0;    // where r varies, as Graded::taken() has it
};

template <std::size_t D>
struct TileState {
  std::vector<Block<D>> blocks;  // those of a root stand together
  // While blocks are roots: what of each is live, in the order of roots. Empty: blocks tell.
  std::vector<std::uint16_t> map;
  Places<D> near;             // points that may cover places of the tile, seen from its middle
  std::size_t first_new = 0;  // of those that its blocks do not know yet
  std::vector<Dart<D>> darts;
  Places<D> dart_places;  // numbered by the dart, of all in the window
  // The earlier darts that are too near: of the first dart of the tile, the second and so on.
  std::vector<std::uint32_t> earlier;
  std::vector<std::uint32_t> earlier_counts;
};

// Points of a tile, in the order of windows, numbered by them: -1 for kept ones. Where r varies,
// with their radius.
template <std::size_t D>
struct TilePoints {
  Places<D> places;
  std::size_t first_new = 0;  // of the last window
};

template <std::size_t D>
struct Throwing {
  const Room<D>& room;
  const Tiles<D>& tiles;
  const Border* border;  // of the solid that is filled; nullptr: all of the room is
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // of each class in this window; 0: it waits
  std::vector<TileState<D>> states;
  std::vector<TilePoints<D>> points;

  double rate_at(std::uint32_t tile) const {
    const auto klass = static_cast<std::size_t>(tiles.tiles[tile].klass);
    return room.field != nullptr ? rate.front() : rate[klass];
  }
};

// Where a point is that is seen from the middle of its tile.
template <std::size_t D>
Along<D> place_of(const Room<D>& room, const Tiles<D>& tiles, const Along<D>& middle,
                  const Near<D>& near);

// What the work on a tile needs, kept from tile to tile.
template <std::size_t D>
struct Scratch {
  std::vector<Block<D>> blocks;
  Places<D> new_root, near_root, near_block;
  std::vector<std::uint32_t> faces_root;
};

// Prunes the blocks of a tile by the points of the last window, splits those that are too large for
// this one, and throws darts at the rest. (grow.cpp)
template <std::size_t D>
void grow_tile(Throwing<D>& throwing, std::uint32_t tile, Scratch<D>& scratch);

}  // namespace dapple::space
