// Reads a density map through Gaussians of growing width, mirrored at its borders.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Level l has the standard deviation 0.5 * 2^(l/2) pixels. Wider levels have fewer cells. Quadratic
// B-splines read the cells, so values and gradients are continuous.
class DensityStack {
 public:
  // Makes the levels for widths from `narrowest` to `widest` pixels and one more on either side.
  DensityStack(const Plane<float>& density, double narrowest, double widest, Context& context);

  // A level in memory: `height` rows of `width` cells in cells(), from `offset` on.
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

  // Returns the density at `p` in dots per pixel. `level` is clamped to the levels of the stack.
  double read_value(int level, Vec2 p) const;
  // Returns the density at any width, mixed by variance from the two nearest levels.
  double value(double width, Vec2 p) const;
  // Returns the spacing of dots at `p`: the h with h = (density at width h)^(-1/2), to about a
  // thousandth. The search starts at `guess` and stays within [least, most].
  double spacing(Vec2 p, double guess, double least, double most) const;

 private:
  int first_ = 0;
  std::vector<Level> levels_;
  std::vector<float> cells_;
};

// The position of a width between two levels. Variances mix as (1 - t) level + t (level + 1).
struct LevelMix {
  int level = 0;
  double t = 0;
};
LevelMix mix_of(double width);

}  // namespace dapple
