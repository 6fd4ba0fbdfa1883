// A room cut into tiles, which is what threads work on: a lattice for each class.
#pragma once

#include <span>

#include "sample/space/room.hpp"

namespace dapple::space {

// Least edge of a tile, and longest of a root block, in radii of its class.
template <std::size_t D>
constexpr double least_tile_edge = D == 2 ? 8 : 4;
constexpr double most_root_edge = 2;

// Places are compared in floats, whose error is below 2e-6 of what holds them apart: darts are
// refused nearer than this, and proofs take it too.
constexpr double near_radius = 1.000004;

template <std::size_t D>
struct Lattice {
  std::array<std::int32_t, D> tiles{};  // along each side
  std::array<std::int32_t, D> roots{};  // of a tile
  Along<D> edge{};                      // of a tile, in the unit of the tiles
  std::uint32_t first = 0;              // of its tiles
  double rate = 1;                      // darts in a unit of room at rate 1

  std::int32_t root_count() const {
    std::int32_t count = 1;
    for (const std::int32_t n : roots) count *= n;
    return count;
  }
  Along<D> block_edge(int level) const {
    Along<D> of;
    double cut = 1;
    for (int l = 0; l < level; ++l) cut *= parts_a_side<D>;
    for (std::size_t a = 0; a < D; ++a) of[a] = edge[a] / (roots[a] * cut);
    return of;
  }
};

struct Tile {
  std::int32_t klass = 0;
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
};

// A tile, or its image on a torus, with places that may hold off some of another.
template <std::size_t D>
struct Neighbor {
  std::uint32_t tile;
  float limit;    // between points of the two
  Near<D> shift;  // from the middle of the one to that of the other
};

template <std::size_t D>
struct Tiles {
  double unit = 1;  // the least radius: all else is in it
  bool wrap = false;
  Along<D> side{};
  std::vector<Lattice<D>> lattices;  // of each class
  std::vector<Tile> tiles;
  std::vector<Neighbor<D>> neighbors;

  const Lattice<D>& lattice(const Tile& tile) const {
    return lattices[static_cast<std::size_t>(tile.klass)];
  }
  std::array<std::int32_t, D> place(std::uint32_t tile) const;
  Along<D> middle(std::uint32_t tile) const;
  // The tile of a class that holds a place, in units.
  std::uint32_t holding(std::int32_t klass, const Along<D>& at) const;
  std::span<const Neighbor<D>> neighbors_of(const Tile& tile) const {
    return std::span(neighbors).subspan(tile.first_neighbor,
                                        tile.end_neighbor - tile.first_neighbor);
  }
};

template <std::size_t D>
Tiles<D> make_tiles(const Room<D>& room, Context& context);

}  // namespace dapple::space
