// How even the patterns of a mask look through a Gaussian, from its order alone: what `analyze`
// reports, and what decides between several masks.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The error over the 63 grays k / 64 (k / N of a mask of fewer than 64 pixels) on the torus. It
// needs no picture of any of them: two pixels are both set in as many grays as the later of the two
// leaves, so the mean squared error after a Gaussian is a sum of max(place, place) over
// displacements, in integers.
class GrayError {
 public:
  // `place` of each pixel in the order of thresholds, 0..1. O(pixels), a few hundred each.
  GrayError(const Plane<float>& place, Context& context);
  // Root mean square over grays and pixels of (pattern through the Gaussian - its mean), of 255.
  // sigma in pixels, up to 2.
  double seen(double sigma) const;

 private:
  int width_;
  int height_;
  int grays_;
  // For each displacement of the half plane: the sum over pixels of the larger of two places,
  // 0 .. grays - 1.
  Plane<std::int64_t> sums_;
  double squares_ = 0;  // sum over grays of the share that is set, squared
};

// The error on one picture: a horizontal gradient from black to white over `gradient_pixels`, or
// the width of a wider mask, which repeats under it.
inline constexpr int gradient_pixels = 512;
double ramp_error(const Plane<float>& place, double sigma, Context& context);

}  // namespace dapple
