// Points that are there already, of any radii, as the tiles of a room see them.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/points.hpp"
#include "sample/box_space/tiles.hpp"

namespace dapple::space {

// How near an obstacle may be to a point of a class.
template <std::size_t D>
double exclusion_distance(const Room<D>& room, std::size_t obstacle, std::size_t class_id);
// Its radius where r varies: of its own, else that of its place, else the least one.
double radius_of_obstacle(const Room<3>& room, std::size_t obstacle);

// For every tile the obstacles that hold off some of it, on a torus as images beside it.
template <std::size_t D>
class ObstaclesRound {
 public:
  // `wider`: so many times the distances that are asked for.
  ObstaclesRound(const Room<D>& room, const Tiles<D>& tiles, double wider, Context& context);

  // Numbered from `first` on.
  void add_to(std::uint32_t tile, std::int32_t first, Places<D>& into) const;

 private:
  struct Image {
    std::uint32_t tile;
    std::uint32_t obstacle;
    VecF<D> at;
    float limit;  // where r varies, the radius
  };
  void add(std::uint32_t tile, std::size_t obstacle, const VecF<D>& shift, float limit);

  std::vector<Image> images_;  // by tile
  std::vector<std::uint32_t> first_;
};

// The points of `keep` for a room of these sides, 0: of any, seen from its least corner. Throws
// Error(input) for points outside, without the columns that a space has, or of a class that there
// is none of.
template <std::size_t D>
Obstacles<D> obstacles_of(const PointSet& kept, const VecD<D>& side, std::size_t classes,
                          ConflictRule rule);

}  // namespace dapple::space
