// Areas of simple shapes inside axis-aligned boxes, in closed form: what a pixel sees of a drawing;
// and of two discs.
#pragma once

#include "dapple/geometry.hpp"

namespace dapple {

// Area of the part of `box` within half_width of the infinite line through a and b and between the
// perpendiculars at a and b: one straight piece of a stroke with flat ends. a != b.
double bar_box_area(Vec2 a, Vec2 b, double half_width, const Box& box);

// What two discs share, of radii r and s.
double shared_area(Vec2 p, double r, Vec2 q, double s);

}  // namespace dapple
