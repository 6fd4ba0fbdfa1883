// Spreads and reads values by quadratic B-splines over cells.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "core/modulo.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The cells whose splines reach a place or a piece of an axis, as four weights, so that one vector
// holds those of a row.
using SplineRow = std::array<float, 4>;

// The three cells whose splines reach a place, with their values and slopes there. Unit: cells. The
// fourth weight is 0.
struct SplineWeights {
  int first = 0;
  SplineRow value{};
  SplineRow slope{};
};

inline SplineWeights spline_at(double place) {
  // Without a call of std::floor(), which takes longer than all else here.
  const int whole = static_cast<int>(place);
  const int nearest = whole - (place < whole ? 1 : 0);
  const auto f = static_cast<float>(place - nearest - 0.5);
  SplineWeights w;
  w.first = nearest - 1;
  w.value = {0.5f * (0.5f - f) * (0.5f - f), 0.75f - f * f, 0.5f * (0.5f + f) * (0.5f + f), 0};
  w.slope = {f - 0.5f, -2 * f, f + 0.5f, 0};
  return w;
}

// The four cells whose splines reach [a, b], b - a <= 1, with their means over [a, b].
struct SplineShares {
  int first = 0;
  SplineRow value{};
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
    shares.value[k] = static_cast<float>((below(b - center) - below(a - center)) / (b - a));
  }
  return shares;
}

// Returns true if four cells from each `first` on lie within the grid.
inline bool is_inside(int first_x, int first_y, int width, int height) {
  return first_x >= 0 && first_y >= 0 && first_x + 4 <= width && first_y + 4 <= height;
}

// Spreads a mass over cells. Mirrored at the borders.
inline void spread(float mass, const SplineWeights& across, const SplineWeights& down,
                   Plane<float>& grid) {
  const bool inside = is_inside(across.first, down.first, grid.width(), grid.height());
  for (std::size_t j = 0; j < 3; ++j) {
    const float along = mass * down.value[j];
    const int y = down.first + static_cast<int>(j);
    if (inside) {
      float* row = grid.row(y) + across.first;
      for (std::size_t i = 0; i < 4; ++i) row[i] += along * across.value[i];
      continue;
    }
    float* row = grid.row(mirrored(y, grid.height()));
    for (std::size_t i = 0; i < 3; ++i) {
      row[mirrored(across.first + static_cast<int>(i), grid.width())] += along * across.value[i];
    }
  }
}

// Returns the three rows of four cells that splines reach. Mirrored at the borders.
inline std::array<SplineRow, 3> cells_reached(PlaneView<const float> cells, int first_x,
                                              int first_y) {
  std::array<SplineRow, 3> rows;
  const bool inside = is_inside(first_x, first_y, cells.width(), cells.height());
  for (int j = 0; j < 3; ++j) {
    SplineRow& row = rows[static_cast<std::size_t>(j)];
    if (inside) {
      std::memcpy(row.data(), cells.row(first_y + j) + first_x, sizeof row);
      continue;
    }
    const float* from = cells.row(mirrored(first_y + j, cells.height()));
    for (int i = 0; i < 4; ++i) {
      row[static_cast<std::size_t>(i)] = from[mirrored(first_x + i, cells.width())];
    }
  }
  return rows;
}

// Returns the sum of rows of cells by the weights of each row and column.
inline float weighted(const std::array<SplineRow, 3>& rows, const SplineRow& across,
                      const SplineRow& down) {
  SplineRow sums{};
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] += rows[j][i] * down[j];
  }
  for (std::size_t i = 0; i < 4; ++i) sums[i] *= across[i];
  return (sums[0] + sums[2]) + sums[1];
}

// Returns the sum of the splines of cells at a place. Mirrored at the borders.
inline double value_of(PlaneView<const float> cells, const SplineWeights& across,
                       const SplineWeights& down) {
  return static_cast<double>(
      weighted(cells_reached(cells, across.first, down.first), across.value, down.value));
}

// Returns the slope of value_of(), per cell.
inline Vec2 slope_of(const Plane<float>& cells, const SplineWeights& across,
                     const SplineWeights& down) {
  const auto rows = cells_reached(cells.view(), across.first, down.first);
  return {static_cast<double>(weighted(rows, across.slope, down.value)),
          static_cast<double>(weighted(rows, across.value, down.slope))};
}

// Returns the splines of `cells` on cells half as large, mirrored at the borders (Chaikin 1974).
Plane<float> refined(const Plane<float>& cells);

}  // namespace dapple
