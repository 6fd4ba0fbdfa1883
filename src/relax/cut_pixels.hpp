// Cuts pixels of a map into smaller ones, for dots that lie closer together than pixels.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the map with every pixel cut into cut x cut pixels of the same density per area. Throws
// Error(limit) if memory does not hold them.
Plane<float> cut_pixels(const Plane<float>& density, int cut, Context& context);

// Scales dots and their domain. The sides of the domain are rounded to whole pixels.
void scale(Points& dots, double by_x, double by_y);
inline void scale(Points& dots, double by) {
  scale(dots, by, by);
}

}  // namespace dapple
