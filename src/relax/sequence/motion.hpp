// Where the things of one picture are in the next.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

class Motion {
 public:
  // `from` and `to`: pictures of the same size, values 0..1. Only what is larger than `detail`
  // pixels is followed. Where nothing is seen to move, or no motion explains what changes, the
  // motion is 0 exactly. O(pixels).
  Motion(const Plane<float>& from, const Plane<float>& to, double detail, Context& context);

  // The way that the thing at p moves, pixels.
  Vec2 at(Vec2 p) const;

 private:
  Plane<float> x_, y_;  // cells
  double cell_x_ = 1;   // pixels
  double cell_y_ = 1;
};

}  // namespace dapple
