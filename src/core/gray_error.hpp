// How even the patterns of a mask look through a Gaussian, from its order alone: what `analyze`
// reports, and what decides between several masks.
#pragma once

#include <vector>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The goals of docs/quality.md: at most so much, of 255.
inline constexpr double grey_15_goal = 3.95;  // grays through 1.5 pixels
inline constexpr double grey_2_goal = 2.25;   // through 2
inline constexpr double ramp_1_goal = 9.9;    // a gradient through 1

// The error over all 63 grays k / 64 on the torus. It needs no picture of any of them: two pixels
// are both set in as many grays as the later of the two leaves, so the mean squared error after a
// Gaussian is a sum of max(place, place) over displacements, in integers.
class GrayError {
 public:
  // `place` of each pixel in the order of thresholds, 0..1. O(pixels), a few hundred each.
  GrayError(const Plane<float>& place, Context& context);
  // Root mean square over grays and pixels of (pattern through the Gaussian - gray), of 255.
  // sigma in pixels, up to 2.5.
  double seen(double sigma) const;

 private:
  int width_;
  int height_;
  // For each displacement of the half plane: the sum over pixels of the larger of two places,
  // 0..63.
  Plane<std::int64_t> sums_;
  std::vector<double> set_;  // pixels set in each gray
};

// The error on one picture: a horizontal gradient from black to white over the whole width.
double ramp_error(const Plane<float>& place, double sigma, Context& context);

}  // namespace dapple
