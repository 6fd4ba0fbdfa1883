// Darts at a room, window by window of time.
#pragma once

#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid_boundary.hpp"

namespace dapple::space {

template <std::size_t D>
struct Dart {
  VecF<D> at;          // from the middle of its tile
  std::uint64_t time;  // within the window
  float radius = 0;    // where r varies, as Graded::taken() has it
};

template <std::size_t D>
struct TileState {
  std::vector<Block<D>> blocks;    // those of a root stand together
  std::vector<std::uint16_t> map;  // what is live of roots with maps, in the order of roots
  Places<D> near;                  // points that may cover places of the tile, seen from its middle
  std::size_t first_new = 0;       // of those that its blocks do not know yet
};

// Places, of which those of tiles follow each other: what neighbors read again and again lies
// together.
template <std::size_t D>
struct ByTiles {
  Places<D> places;
  std::vector<std::uint32_t> first;  // of each tile, and one more

  void gather(const HalfBox<D>& box, const Neighbor<D>& neighbor, Places<D>& into) const {
    space::gather(box, neighbor.shift, neighbor.limit, places, first[neighbor.tile],
                  first[neighbor.tile + 1], into);
  }
  void gather(const HalfBox<D>& box, const Neighbor<D>& neighbor, const ConflictLimits& reach,
              Places<D>& into) const requires(D == 3) {
    space::gather(box, neighbor.shift, reach, places, first[neighbor.tile],
                  first[neighbor.tile + 1], into);
  }
};

template <std::size_t D>
struct Throwing {
  const Room<D>& room;
  const Tiles<D>& tiles;
  const Border* border;                // of the solid that is filled; nullptr: all of the room is
  const ObstaclesRound<D>* obstacles;  // nullptr: there are none
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // of each class in this window; 0: it waits
  std::vector<TileState<D>> states;
  // Points, window by window, numbered by it: -1 for kept ones. Where r varies, with their radius.
  // Tiles find those of the last window.
  ByTiles<D> points;
  std::vector<std::uint32_t> tile_of;  // of each point

  double rate_at(std::uint32_t tile) const {
    const auto class_id = static_cast<std::size_t>(tiles.tiles[tile].class_id);
    return room.field != nullptr ? rate.front() : rate[class_id];
  }
};

// Adds what of all tiles may hold off something in one, seen from its middle.
template <std::size_t D>
void gather_round(const Throwing<D>& throwing, std::uint32_t tile, const ByTiles<D>& from,
                  Places<D>& into) {
  const Tiles<D>& tiles = throwing.tiles;
  const Tile& own = tiles.tiles[tile];
  HalfBox<D> box{};
  for (std::size_t a = 0; a < D; ++a) {
    box.half[a] = static_cast<float>(0.5 * tiles.lattice(own).edge[a]);
  }
  for (const Neighbor<D>& neighbor : tiles.neighbors_of(own)) {
    if constexpr (D == 3) {
      if (throwing.room.field != nullptr) {
        const float most = tiles.grades.most[tile] * static_cast<float>(near_varied_radius);
        from.gather(box, neighbor, ConflictLimits{throwing.room.rule, most}, into);
        continue;
      }
    }
    from.gather(box, neighbor, into);
  }
}

// Where a point is that is seen from the middle of its tile.
template <std::size_t D>
VecD<D> place_of(const Room<D>& room, const Tiles<D>& tiles, const VecD<D>& middle,
                 const VecF<D>& near);

// What the work on a tile needs, kept from tile to tile.
template <std::size_t D>
struct Scratch {
  std::vector<Block<D>> blocks;
  Places<D> new_root, near_root, near_block;
  std::vector<std::uint32_t> faces_root;
};

// Prunes the blocks of a tile by the points of the last window, splits those that are too large for
// this one, and adds darts at the rest. (grow.cpp)
template <std::size_t D>
void grow_tile(Throwing<D>& throwing, std::uint32_t tile, Scratch<D>& scratch,
               std::vector<Dart<D>>& darts);

}  // namespace dapple::space
