// The area that the coordinates of points refer to.
#pragma once

#include "dapple/points.hpp"
#include "dapple/surface.hpp"

namespace dapple {

struct Placement {
  Domain domain;
  double depth = 0;  // of a volume; 0 if flat
  Vec2 origin;
  double extent = 0;  // along w; 0 if there is none
};

// Returns the area of points on a surface seen from above, for readers of planar sets.
Placement placement_of(const SurfacePoints& points);

}  // namespace dapple
