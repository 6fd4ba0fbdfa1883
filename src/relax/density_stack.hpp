// A density map seen through Gaussians of growing width, mirrored at its borders.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Level l has the standard deviation 0.5 * 2^(l/2) pixels; wider levels have fewer cells. Read by
// quadratic B-splines, so values and gradients are continuous.
class DensityStack {
 public:
  // Levels for widths from `narrowest` to `widest` pixels and one to either side.
  DensityStack(const Plane<float>& density, double narrowest, double widest, Context& context);

  // A level in memory: rows of `width` cells from `offset` on in cells().
  struct Level {
    std::int32_t offset = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;
    double cell = 1;  // pixels
  };
  std::span<const Level> levels() const { return levels_; }
  const float* cells() const { return cells_.data(); }

  static double variance(int level) { return std::ldexp(0.25, level); }
  int first_level() const { return first_; }
  int last_level() const { return first_ + static_cast<int>(levels_.size()) - 1; }

  // Density, dots per pixel, at a place; levels are clamped to those there are.
  double read_value(int level, Vec2 p) const;
  // The value for any width, between the two nearest levels by variance.
  double value(double width, Vec2 p) const;
  // h with h = (density seen at width h)^(-1/2), within [least, most], looked for from `guess` on:
  // the spacing of dots at a place.
  double spacing(Vec2 p, double guess, double least, double most) const;

 private:
  int first_ = 0;
  std::vector<Level> levels_;
  std::vector<float> cells_;
};

// The place of a width between the levels: variances mix as (1 - t) level + t (level + 1).
struct LevelMix {
  int level = 0;
  double t = 0;
};
LevelMix mix_of(double width);

}  // namespace dapple
