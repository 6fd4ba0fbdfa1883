// Finds the fixed points, of any radii, that affect each tile of a domain.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lists.hpp"
#include "dapple/points.hpp"
#include "sample/box_space/tiles.hpp"

namespace dapple::box_space {

// Returns the distance that a point of a class must keep from an obstacle.
template <std::size_t D>
double exclusion_distance(const Room<D>& room, std::size_t obstacle, std::size_t class_id);
// Returns the radius of an obstacle if r varies: its own, otherwise r there, or else the least r.
double radius_of_obstacle(const Room<3>& room, std::size_t obstacle);

// The obstacles that conflict with places of each tile. On a torus they are images beside the tile.
template <std::size_t D>
class ObstaclesRound {
 public:
  // `wider` multiplies the required distances.
  ObstaclesRound(const Room<D>& room, const Tiles<D>& tiles, double wider, Context& context);

  // Appends the obstacles of a tile, numbered from `first` on.
  void add_to(std::uint32_t tile, std::int32_t first, Places<D>& into) const;

 private:
  struct Image {
    std::uint32_t tile;
    std::uint32_t obstacle;
    VecF<D> at;
    float limit;  // the radius, if r varies
  };

  Lists<Image, std::uint32_t> images_;  // of each tile
};

// Returns the points of `kept` as obstacles of a domain with these sides, relative to its least
// corner. A side of 0 has no bounds. Throws Error(input) for points outside, for a missing column z
// or w, or for an unknown class.
template <std::size_t D>
Obstacles<D> obstacles_of(const Points& kept, const VecD<D>& side, std::size_t classes,
                          ConflictRule rule);

}  // namespace dapple::box_space
