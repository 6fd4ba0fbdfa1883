// Points that are on a surface already, where distances are those along it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample/geodesic/disc.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::paths {

// A place of a triangle, of Triangles::all, and how near others may not be; in the unit of the
// frame.
struct Foot {
  std::int32_t triangle;
  Vec3 place;
  double limit;
};
// The place of a triangle that is nearest to one in space.
Vec3 place_of_foot(const surface::Triangle& triangle, const Vec3& place);

struct ObstaclesAlong {
  // Of each all that it holds off, with lengths that count from where those of a point that is one
  // unit from others would.
  std::vector<Disc> discs;
  std::vector<std::vector<std::int32_t>> of_tile;  // those that reach a face of each tile
};
// `reach`: so far, in units, would one of those hold others off.
ObstaclesAlong obstacles_along(const Net& net, const surface::Tiles& tiles,
                               std::span<const Foot> feet, double reach, Context& context);

}  // namespace dapple::paths
