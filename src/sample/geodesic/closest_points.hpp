// Finds what fixed points on a surface affect, with distances along the surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample/geodesic/disc.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::geodesic {

// A place on a triangle of Triangles::all, and the distance that other points must keep from it.
// Both are in the unit of the frame.
struct Foot {
  std::int32_t triangle;
  Vec3 place;
  double limit;
};
// Returns the place of a triangle that is nearest to a place in space.
Vec3 place_of_foot(const surface::Triangle& triangle, const Vec3& place);

struct ObstaclesAlong {
  // The disc of each fixed point. Its lengths are shifted by 1 - limit. So places conflict with it
  // below the length 1, as around a point of limit 1.
  std::vector<Disc> discs;
  std::vector<std::vector<std::int32_t>> of_tile;  // discs that reach a face of each tile
};
// Finds the obstacles. `reach`: the distance, in units, within which a point of limit 1 conflicts.
ObstaclesAlong obstacles_along(const Net& net, const surface::Tiles& tiles,
                               std::span<const Foot> feet, double reach, Context& context);

}  // namespace dapple::geodesic
