// Measures how even the patterns of a mask look through a Gaussian, from the order of its pixels
// only. `analyze` reports the error, and `mask` uses it to choose between masks.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The error on the torus over the 63 grays k / 64. A mask of N < 64 pixels has the grays k / N. No
// pattern is made: the larger place of two pixels determines the number of grays that set both. The
// mean squared error after a Gaussian is thus a sum of max(place, place) over displacements, in
// integers.
class GrayError {
 public:
  // `place` of each pixel in the order of thresholds, 0..1. O(pixels), a few hundred steps each.
  GrayError(const Plane<float>& place, Context& context);
  // Returns the root mean square over grays and pixels of (blurred pattern - its mean), on a scale
  // of 255. `sigma` is in pixels, up to 2.
  double seen(double sigma) const;

 private:
  int width_;
  int height_;
  int grays_;
  // Per displacement of the half plane, the sum over pixels of the larger of two places. Places are
  // in 0 .. grays - 1.
  Plane<std::int64_t> sums_;
  double squares_ = 0;  // sum over grays of the squared share of set pixels
};

// Returns the error on a horizontal gradient from black to white. Its length is `gradient_pixels`,
// or the width of a wider mask. The mask repeats under it.
inline constexpr int gradient_pixels = 512;
double ramp_error(const Plane<float>& place, double sigma, Context& context);

}  // namespace dapple
