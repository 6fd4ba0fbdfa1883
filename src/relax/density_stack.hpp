// A density map seen through Gaussians of growing width, mirrored at its borders.
#pragma once

#include <vector>

#include "dapple/context.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Level l has the standard deviation 0.5 * 2^(l/2) pixels; wider levels have fewer cells. Read by
// quadratic B-splines, so values and gradients are continuous.
class DensityStack {
 public:
  // Levels for widths from `narrowest` to `widest` pixels and one to either side.
  DensityStack(const Plane<float>& density, double narrowest, double widest, Context& context);

  static double variance(int level) { return 0.25 * std::exp2(level); }
  int first_level() const { return first_; }
  int last_level() const { return first_ + static_cast<int>(levels_.size()) - 1; }

  // Density (a pixel), its gradient and its second derivatives at a place; levels are clamped to
  // those there are.
  struct Sample {
    double value = 0;
    Vec2 gradient;
    double xx = 0;
    double xy = 0;
    double yy = 0;
  };
  Sample read(int level, Vec2 p) const;
  double read_value(int level, Vec2 p) const;
  // The value for any width, between the two nearest levels by variance.
  double value(double width, Vec2 p) const;

 private:
  struct Level {
    Plane<float> cells;
    double cell = 1;  // pixels
  };
  // The three rows of cells that a place is read from.
  template <class Visit>
  void visit(int level, Vec2 p, const Visit& visit) const;

  int first_ = 0;
  std::vector<Level> levels_;
};

// The map seen through a Gaussian of that standard deviation (pixels), mirrored at its borders: the
// sum stays.
Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context);

// Where a width lies between the levels: variances mix as (1 - t) level + t (level + 1).
struct LevelMix {
  int level = 0;
  double t = 0;
};
LevelMix mix_of(double width);

}  // namespace dapple
