// Finds the fixed points that lie on a surface, and those that affect a tile.
#pragma once

#include <span>

#include "sample/surface/cells.hpp"

namespace dapple::surface {

// Returns the unit of the frame: the least radius of the surface and of the points.
double unit_with(const Mesh& mesh, const SurfaceRadius& radius, std::span<const float> of_points);

// Returns the weights of the place nearest to p in the triangle with corner a and edges e1, e2.
Weights nearest_in(const Vec3& a, const Vec3& e1, const Vec3& e2, const Vec3& p);

// For each point, its nearest triangle and the nearest place there. Only triangles with a place
// within reach count.
struct OnSurface {
  static constexpr std::int32_t nowhere = -1;
  std::vector<std::int32_t> triangle;  // index in Triangles::all, or nowhere
  std::vector<Vec3> place;             // in the unit of the frame
  std::vector<double> radius;          // r of the surface at the place, in the unit of the frame
};
OnSurface locate(const Cells& cells, const Tiles& tiles);

struct Obstacles {
  const Cells& cells;
  std::vector<std::int32_t> triangle;  // the triangle of each point

  // Adds the obstacles near a tile, with their triangles as numbers.
  void gather(const Tile& tile, Places& into) const;
};

}  // namespace dapple::surface
