// Spreads and reads values by quadratic B-splines over cells.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "core/modulo.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The three cells whose splines reach a place, with their values and slopes there. Unit: cells.
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

// The four cells whose splines reach [a, b], b - a <= 1, with their means over [a, b].
struct SplineShares {
  int first = 0;
  std::array<double, 4> value{};
};

inline SplineShares spline_over(double a, double b) {
  // Returns the integral of the spline up to t cells from its center.
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

// Spreads a mass over cells by SplineWeights or SplineShares. Mirrored at the borders.
template <class Splines>
void spread(double mass, const Splines& across, const Splines& down, Plane<float>& grid) {
  for (std::size_t j = 0; j < down.value.size(); ++j) {
    float* row = grid.row(mirrored(down.first + static_cast<int>(j), grid.height()));
    const double along = mass * down.value[j];
    for (std::size_t i = 0; i < across.value.size(); ++i) {
      row[mirrored(across.first + static_cast<int>(i), grid.width())] +=
          static_cast<float>(along * across.value[i]);
    }
  }
}

// Returns the sum of the splines of cells at a place. Mirrored at the borders.
inline double value_of(PlaneView<const float> cells, const SplineWeights& across,
                       const SplineWeights& down) {
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    const float* row = cells.row(mirrored(down.first + j, cells.height()));
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      along += across.value[static_cast<std::size_t>(i)] *
               static_cast<double>(row[mirrored(across.first + i, cells.width())]);
    }
    sum += down.value[static_cast<std::size_t>(j)] * along;
  }
  return sum;
}

// Returns the slope of value_of(), per cell.
inline Vec2 slope_of(const Plane<float>& cells, const SplineWeights& across,
                     const SplineWeights& down) {
  Vec2 slope;
  for (std::size_t j = 0; j < 3; ++j) {
    const float* row = cells.row(mirrored(down.first + static_cast<int>(j), cells.height()));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v =
          static_cast<double>(row[mirrored(across.first + static_cast<int>(k), cells.width())]);
      slope.x += v * across.slope[k] * down.value[j];
      slope.y += v * across.value[k] * down.slope[j];
    }
  }
  return slope;
}

// Returns the splines of `cells` on cells half as large, mirrored at the borders (Chaikin 1974).
Plane<float> refined(const Plane<float>& cells);

}  // namespace dapple
