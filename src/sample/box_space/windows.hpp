// Throws darts at a domain, one time window after another.
#pragma once

#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid_boundary.hpp"

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

// Places in the order of tiles. Neighbors read the places of a tile again and again, so these are
// contiguous.
template <std::size_t D>
struct ByTiles {
  Places<D> places;
  std::vector<std::uint32_t> first;  // index of the first place of each tile, and the end

  void gather(const HalfBox<D>& box, const Neighbor<D>& neighbor, Places<D>& into) const {
    box_space::gather(box, neighbor.shift, neighbor.limit, places, first[neighbor.tile],
                      first[neighbor.tile + 1], into);
  }
  void gather(const HalfBox<D>& box, const Neighbor<D>& neighbor, const ConflictLimits& reach,
              Places<D>& into) const requires(D == 3) {
    box_space::gather(box, neighbor.shift, reach, places, first[neighbor.tile],
                      first[neighbor.tile + 1], into);
  }
};

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
  // Points in the order of windows. The number of a point is its window, or -1 for kept points. If
  // r varies, its limit is its radius. `first` covers only the points of the last window.
  ByTiles<D> points;
  std::vector<std::uint32_t> tile_of;  // the tile of each point

  double rate_at(std::uint32_t tile) const {
    const auto class_id = static_cast<std::size_t>(tiles.tiles[tile].class_id);
    return room.field != nullptr ? rate.front() : rate[class_id];
  }
};

// Collects the places of neighboring tiles that can conflict inside `tile`, in its local frame.
template <std::size_t D>
void gather_around(const Throwing<D>& throwing, std::uint32_t tile, const ByTiles<D>& from,
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

// Prunes the blocks of a tile by the points of the last window. Splits the blocks that are too
// large for this window, and throws darts at the others. (grow.cpp)
template <std::size_t D>
void grow_tile(Throwing<D>& throwing, std::uint32_t tile, Scratch<D>& scratch,
               std::vector<Dart<D>>& darts);

}  // namespace dapple::box_space
