// Follows the direction in which a picture changes least.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple::styles {

// A smooth field of directions along the edges of a picture: the smoothed structure tensor
// (Kyprianidis and Kang 2011, "Image and video abstraction by coherence-enhancing filtering"). In
// even areas, edges farther away decide.
class Directions {
 public:
  // `scale`: the size of detail that counts, pixels.
  Directions(const Plane<float>& darkness, double scale, Context& context);

  // Returns the unit vector along edges; its sign has no meaning. Level if nothing decides.
  Vec2 along(Vec2 p) const;
  // Returns the path of `length` pixels whose middle is `p`, in steps of at most `step`. It goes
  // along edges, or straight across them if `across`.
  std::vector<Vec2> path(Vec2 p, double length, double step, bool across) const;

 private:
  Plane<float> cosine_;  // of twice the angle of the gradient, times a weight
  Plane<float> sine_;
  double scale_x_ = 1;  // cells per pixel
  double scale_y_ = 1;
};

}  // namespace dapple::styles
