// Estimates where the objects of one picture are in the next one.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

class Motion {
 public:
  // `from` and `to`: pictures of the same size, values 0..1. Only objects larger than `detail`
  // pixels are followed. If nothing moves, or no motion explains the change, the motion is exactly
  // 0. O(pixels).
  Motion(const Plane<float>& from, const Plane<float>& to, double detail, Context& context);

  // Returns the displacement of the object at `p`, pixels.
  Vec2 at(Vec2 p) const;

 private:
  Plane<float> x_, y_;  // cells
  double cell_x_ = 1;   // pixels
  double cell_y_ = 1;
};

}  // namespace dapple
