// Declares the two halves of a certificate. Both descend boxes with lists of the points that still
// matter, in double. They share no code with the samplers except the rule itself.
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
  std::size_t worst = 0;  // a point of the closest pair
};
// Checks every pair of points under radii r, except pairs among the first `kept`. A point of
// infinite r is a violation, because its place allows no points.
SpacingProof prove_spacing(const Points& points, const std::vector<double>& r, std::size_t kept,
                           ConflictRule rule, Context& context);

struct CoverageProof {
  double hole = 0;   // no place is farther from its nearest point, in f
  double worst = 0;  // distance / f of the worst place examined
  Vec2 place;        // the worst place examined
};
CoverageProof prove_coverage(const Points& points, const std::vector<double>& r,
                             const DensityField& field, ConflictRule rule, Context& context);

// Samplers keep 2e-6 more distance than required, so gaps up to this factor count as covered.
inline constexpr double coverage_tolerance = 1 + 1e-5;

// Distances along one axis: the shorter way around on a torus, whose `period` is finite.
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
// Finds for each part the least value, over all points, of scale times the squared distance to the
// farthest place of the part.
void bound_parts(const PartGrid& grid, const double* x, const double* y, const double* scale,
                 std::size_t count, PartBounds& nearest);

// Returns d if it is above 0, otherwise 0; exact, and without branches.
inline double above_zero(double d) {
  return 0.5 * (d + std::abs(d));
}

}  // namespace dapple
