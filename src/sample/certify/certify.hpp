// The two halves of a certificate. Both go down boxes of the domain with lists of the points that
// still matter, all in double; with the samplers they share no code but the rule itself.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

struct SpacingProof {
  std::int64_t violations = 0;
  double closest = 0;     // smallest distance / f
  std::size_t worst = 0;  // a point of that pair
};
// Every pair of points under radii r but those among the first `kept`; points where r is infinite
// stand where nothing may be placed.
SpacingProof prove_spacing(const PointSet& points, const std::vector<double>& r, std::size_t kept,
                           ConflictRule rule, Context& context);

struct CoverageProof {
  double hole = 0;   // no place is farther from its nearest point, in f
  double worst = 0;  // how far the worst place is that was looked at
  Vec2 place;        // that place
};
CoverageProof prove_coverage(const PointSet& points, const std::vector<double>& r,
                             const DensityField& field, ConflictRule rule, Context& context);

// Samplers keep 2e-6 more distance than asked for, so that much may stay open between their points.
inline constexpr double coverage_tolerance = 1 + 1e-5;

// Distances along one axis: the shorter way round on a torus, where `period` is finite.
struct Axis {
  double period;
  double away(double a, double b) const {
    const double d = std::abs(a - b);
    return std::min(d, period - d);
  }
};
inline Axis axis_of(double extent, bool wrap) {
  return {wrap ? extent : std::numeric_limits<double>::infinity()};
}

// A grid of 4x4 parts of a box, by their centers.
struct PartGrid {
  std::array<double, 4> x, y, half_width, half_height;
  Axis across, down;
};
using PartBounds = std::array<std::array<double, 4>, 4>;  // [row][column]
// For each part the least value, over all points, of scale times the squared distance to the
// farthest place of the part.
void bound_parts(const PartGrid& grid, const double* x, const double* y, const double* scale,
                 std::size_t count, PartBounds& nearest);

// d where it is above 0, else 0; exact, and free of branches.
inline double above_zero(double d) {
  return 0.5 * (d + std::abs(d));
}

}  // namespace dapple
