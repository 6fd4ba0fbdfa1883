// Computes areas of shapes inside axis-aligned boxes (pixels) and of two discs, in closed form.
#pragma once

#include "dapple/geometry.hpp"

namespace dapple {

// Returns the area in `box` of one straight piece of a stroke with flat ends. The piece lies within
// half_width of the line through a and b, between the perpendiculars there. a != b.
double bar_box_area(Vec2 a, Vec2 b, double half_width, const Box& box);

// Returns the area that two discs of radii r and s share.
double shared_area(Vec2 p, double r, Vec2 q, double s);

}  // namespace dapple
