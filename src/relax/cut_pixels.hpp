// Pictures with pixels cut into smaller ones, for dots that lie closer than pixels.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Every pixel as cut x cut of the same density an area. Throws Error(limit) where memory does not
// hold them.
Plane<float> cut_pixels(const Plane<float>& density, int cut, Context& context);

// Dots and their domain, times so much; its sides are whole pixels.
void scale(PointSet& dots, double by_x, double by_y);
inline void scale(PointSet& dots, double by) {
  scale(dots, by, by);
}

}  // namespace dapple
