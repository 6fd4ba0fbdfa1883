// Throws darts at a domain, one time window after another.
#pragma once

#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid_boundary.hpp"
#include "sample/engine/dart_space.hpp"

namespace dapple::box_space {

template <std::size_t D>
struct Dart {
  VecF<D> at;          // relative to the center of its tile
  std::uint64_t time;  // within the window
  float radius = 0;    // if r varies, from Graded::taken()
};

template <std::size_t D>
struct TileState {
  std::vector<Block<D>> blocks;    // grouped by root
  std::vector<std::uint16_t> map;  // live parts of the roots with maps, in the order of roots
  Places<D> near;                  // points that may cover places of the tile, in its frame
  std::size_t first_new = 0;       // first point in `near` that the blocks do not know yet
};

// Places of darts or points, by tile.
template <std::size_t D>
using PlacesByTile = engine::ByTile<Places<D>>;

template <std::size_t D>
struct Throwing {
  const Room<D>& room;
  const Tiles<D>& tiles;
  const Border* border;                // surface of the solid; nullptr: the whole domain is filled
  const ObstaclesRound<D>* obstacles;  // nullptr: no obstacles
  std::uint64_t seed;
  int window = 0;
  std::vector<double> rate;  // rate of each class in this window; 0: the class waits
  std::vector<TileState<D>> states;

  double rate_at(std::uint32_t tile) const {
    const auto class_id = static_cast<std::size_t>(tiles.tiles[tile].class_id);
    return room.field != nullptr ? rate.front() : rate[class_id];
  }
  // Returns the distances to the points of a tile; if r varies, to those of its largest radius.
  ConflictLimits limits_of(std::uint32_t tile) const {
    if (room.field == nullptr) return {};
    return room.limits(tiles.grades.most[tile] * static_cast<float>(near_varied_radius));
  }
};

// Collects the places of neighboring tiles that can conflict inside `tile`, in its local frame.
template <std::size_t D>
void gather_around(const Throwing<D>& throwing, std::uint32_t tile, const PlacesByTile<D>& from,
                   Places<D>& into) {
  const Tiles<D>& tiles = throwing.tiles;
  const Tile& own = tiles.tiles[tile];
  HalfBox<D> box{};
  for (std::size_t a = 0; a < D; ++a) {
    box.half[a] = static_cast<float>(0.5 * tiles.lattice(own).edge[a]);
  }
  const bool is_varied = throwing.room.field != nullptr;
  const ConflictLimits varied = throwing.limits_of(tile);
  for (const Neighbor<D>& neighbor : tiles.neighbors_of(own)) {
    const std::uint32_t first = from.first[neighbor.tile];
    const std::uint32_t end = from.first[neighbor.tile + 1];
    if (first == end) continue;
    gather(box, neighbor.shift, is_varied ? varied : ConflictLimits{.own = neighbor.limit},
           from.store, first, end, into);
  }
}

// Returns the place in the domain of a point that is relative to the center of its tile.
template <std::size_t D>
VecD<D> place_of(const Room<D>& room, const Tiles<D>& tiles, const VecD<D>& middle,
                 const VecF<D>& near);

// Buffers of the work on a tile, reused for the next tile.
template <std::size_t D>
struct Scratch {
  std::vector<Block<D>> blocks;
  Places<D> new_root, near_root, near_block;
  std::vector<std::uint32_t> faces_root;
};

// Prunes the blocks of a tile by the points of the last window (`fresh`). Splits the blocks that
// are too large for this window, and throws darts at the others. (grow.cpp)
template <std::size_t D>
void grow_tile(Throwing<D>& throwing, std::uint32_t tile, const PlacesByTile<D>& fresh,
               Scratch<D>& scratch, std::vector<Dart<D>>& darts);

}  // namespace dapple::box_space
