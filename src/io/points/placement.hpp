// The area that the coordinates of points count in.
#pragma once

#include "dapple/points.hpp"
#include "dapple/surface.hpp"

namespace dapple {

struct Placement {
  Domain domain;
  double depth = 0;  // of a volume; 0: flat
  Vec2 origin;
  double extent = 0;  // along w; 0: none
};

// What points on a surface take up seen from above, which readers of plane sets ask for.
Placement placement_of(const SurfacePoints& points);

}  // namespace dapple
