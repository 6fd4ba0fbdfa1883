// Quadratic B-splines over cells.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "core/modulo.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The three cells whose splines reach a place, given in cells, with their values and slopes there.
struct SplineWeights {
  int first = 0;
  std::array<double, 3> value{};
  std::array<double, 3> slope{};
};

inline SplineWeights spline_at(double place) {
  const double nearest = std::floor(place);
  const double f = place - nearest - 0.5;
  SplineWeights w;
  w.first = static_cast<int>(nearest) - 1;
  w.value = {0.5 * (0.5 - f) * (0.5 - f), 0.75 - f * f, 0.5 * (0.5 + f) * (0.5 + f)};
  w.slope = {f - 0.5, -2 * f, f + 0.5};
  return w;
}

// The four cells whose splines reach a stretch from a to b, b - a <= 1, with their means over it.
struct SplineShares {
  int first = 0;
  std::array<double, 4> value{};
};

inline SplineShares spline_over(double a, double b) {
  // The integral of the spline up to t cells from its center.
  const auto below = [](double t) {
    if (t <= -1.5) return 0.0;
    if (t < -0.5) return (t + 1.5) * (t + 1.5) * (t + 1.5) / 6;
    if (t < 0.5) return 0.5 + 0.75 * t - t * t * t / 3;
    if (t < 1.5) return 1 - (1.5 - t) * (1.5 - t) * (1.5 - t) / 6;
    return 1.0;
  };
  SplineShares shares;
  shares.first = static_cast<int>(std::floor(a)) - 1;
  for (std::size_t k = 0; k < 4; ++k) {
    const double center = shares.first + static_cast<int>(k) + 0.5;
    shares.value[k] = (below(b - center) - below(a - center)) / (b - a);
  }
  return shares;
}

// The sum of splines of `cells` over cells half as large, mirrored at the borders (Chaikin 1974).
Plane<float> refined(const Plane<float>& cells);

}  // namespace dapple
