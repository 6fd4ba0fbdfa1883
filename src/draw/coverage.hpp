// Computes areas of shapes inside axis-aligned boxes (pixels) and of two discs, in closed form.
#pragma once

#include <array>

#include "dapple/geometry.hpp"

namespace dapple {

// One straight piece of a stroke with flat ends. It lies within half_width of the line through a
// and b, between the perpendiculars there. a != b.
class Bar {
 public:
  Bar(Vec2 a, Vec2 b, double half_width);
  // Returns the area of the bar in `box`.
  double area_in(const Box& box) const;

 private:
  struct HalfPlane {
    Vec2 normal;  // outwards
    double offset = 0;
  };
  std::array<HalfPlane, 4> sides_;
};

// Returns the area that two discs of radii r and s share.
double shared_area(Vec2 p, double r, Vec2 q, double s);

}  // namespace dapple
