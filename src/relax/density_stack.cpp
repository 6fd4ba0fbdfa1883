// Makes the Gaussian levels by repeated separable convolution. The spline that reads a level blurs
// by a quarter of a squared cell. Merging two cells into a wider one blurs by as much again. Both
// are subtracted from the Gaussian, so the variances of the levels are exact.
#include "relax/density_stack.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/modulo.hpp"
#include "dapple/context.hpp"
#include "field/blur.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr double settled = 1e-3;  // change of a spacing at which the search ends, relative

// Returns the cell size of a level. It doubles when the Gaussian is two of the wider cells wide.
double cell_of(int level) {
  return level < 6 ? 1 : std::ldexp(1.0, (level - 4) / 2);
}

}  // namespace

LevelMix mix_of(double width) {
  const double relative = width * width / 0.25;
  LevelMix mix;
  if (relative <= 1) return mix;
  mix.level = std::ilogb(relative);
  mix.t = std::ldexp(relative, -mix.level) - 1;
  return mix;
}

DensityStack::DensityStack(const Plane<float>& density, double narrowest, double widest,
                           Context& context) {
  first_ = std::max(0, mix_of(narrowest).level - 1);
  const int last = std::max(first_, mix_of(widest).level + 1);
  Plane<float> before;            // the level before this one
  double before_variance = 0.25;  // of the spline without a Gaussian
  double before_cell = 1;
  for (int level = first_; level <= last; ++level) {
    context.check();
    double cell = cell_of(level);
    // Cells double at most once per level. A first level that is wide keeps fine cells.
    if (cell > before_cell) cell = 2 * before_cell;
    const bool halve = cell > before_cell;
    const double spline_change = 0.25 * (cell * cell - before_cell * before_cell);
    const double merged = halve ? 0.25 * before_cell * before_cell : 0;
    const double gaussian = variance(level) - before_variance - spline_change - merged;
    before = gaussian_pass(level == first_ ? density : before,
                           std::max(0.0, gaussian) / (before_cell * before_cell), halve, context);
    levels_.push_back(
        {static_cast<std::int32_t>(cells_.size()), before.width(), before.height(), cell});
    // Reserves memory for the largest level only. A larger reserve would stay allocated.
    if (level == first_) cells_.reserve(before.size());
    for (int y = 0; y < before.height(); ++y) {
      if (y % 64 == 0) context.check();
      cells_.insert(cells_.end(), before.row(y), before.row(y) + before.width());
    }
    before_variance = variance(level);
    before_cell = cell;
  }
}

double DensityStack::read_value(int level, Vec2 p) const {
  const Level& from =
      levels_[static_cast<std::size_t>(std::clamp(level, first_, last_level()) - first_)];
  const PlaneView<const float> cells(cells_.data() + from.offset, from.width, from.height,
                                     from.width);
  return value_of(cells, spline_at(p.x / from.cell), spline_at(p.y / from.cell));
}

double DensityStack::value(double width, Vec2 p) const {
  const LevelMix mix = mix_of(width);
  return (1 - mix.t) * read_value(mix.level, p) + mix.t * read_value(mix.level + 1, p);
}

double DensityStack::spacing(Vec2 p, double guess, double least, double most) const {
  double h = guess;
  for (int k = 0; k < 4; ++k) {
    const double density = value(h, p);
    const double found = density > 0 ? 1 / std::sqrt(density) : most;
    const double before = h;
    h = std::clamp(std::sqrt(h * found), least, most);
    if (std::abs(h - before) < settled * h) break;
  }
  return h;
}

}  // namespace dapple
