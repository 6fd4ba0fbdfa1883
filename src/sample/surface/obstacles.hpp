// Points that are on a surface already, as those who throw darts at it see them.
#pragma once

#include <span>

#include "sample/surface/cells.hpp"

namespace dapple::surface {

// The unit of a frame in which neither the surface nor points have a lesser radius.
double unit_with(const Mesh& mesh, const SurfaceRadius& radius, std::span<const float> of_points);

// The weights of the place of a triangle, by its corner and two edges, that is nearest to p.
Weights nearest_in(const Vec3& a, const Vec3& e1, const Vec3& e2, const Vec3& p);

// Where each point is on the surface: its nearest triangle, of those that a place within reach is
// on, and the place there.
struct OnSurface {
  static constexpr std::int32_t nowhere = -1;
  std::vector<std::int32_t> triangle;  // of Triangles::all, or nowhere
  std::vector<Vec3> place;             // in the unit of the frame
  std::vector<double> radius;          // of the surface there, in the unit of the frame
};
OnSurface locate(const Cells& cells, const Tiles& tiles);

struct Obstacles {
  const Cells& cells;
  std::vector<std::int32_t> triangle;  // of each point

  // Adds what is near a tile, with the triangle as its number.
  void gather(const Tile& tile, Places& into) const;
};

}  // namespace dapple::surface
