// Gaussian levels by repeated separable convolution. The spline that reads a level blurs by a
// quarter of a cell squared, and the pair of cells merged into a wider one by as much again; both
// are taken off the Gaussian, so the variances of the levels are exact.
#include "relax/density_stack.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

// Weights of a Gaussian at 0, 1, 2, ... cells, or at 0.5, 1.5, ... of it, summing to 1 with their
// mirror images.
std::vector<float> weights_of(double variance, double offset) {
  if (variance <= 1e-9) return {offset > 0 ? 0.5f : 1.0f};
  const int reach = static_cast<int>(std::ceil(4 * std::sqrt(variance))) + 1;
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i <= reach; ++i) {
    const double d = i + offset;
    weights.push_back(portable_exp(-d * d / (2 * variance)));
    sum += weights.back() * (d == 0 ? 1 : 2);
  }
  std::vector<float> out;
  for (const double w : weights) out.push_back(static_cast<float>(w / sum));
  return out;
}

// Convolves rows by a Gaussian of that variance (cells) and transposes; `halve`: two cells become
// one.
Plane<float> pass(const Plane<float>& in, double variance, bool halve, Context& context) {
  const std::vector<float> weights = weights_of(variance, halve ? 0.5 : 0.0);
  const int reach = static_cast<int>(weights.size());
  const int size = in.width();
  const int cells = halve ? (size + 1) / 2 : size;
  Plane<float> out(in.height(), cells);
  constexpr int block = 16;
  const int blocks = (in.height() + block - 1) / block;
  parallel_for(context, static_cast<std::size_t>(blocks), [&](std::size_t b) {
    std::vector<float> padded(static_cast<std::size_t>(size + 2 * reach + 2));
    const int first = static_cast<int>(b) * block;
    for (int y = first; y < std::min(in.height(), first + block); ++y) {
      const float* row = in.row(y);
      for (int i = -reach; i < size + reach + 2; ++i) {
        padded[static_cast<std::size_t>(i + reach)] =
            i >= 0 && i < size ? row[i] : row[mirrored(i, size)];
      }
      for (int x = 0; x < cells; ++x) {
        const float* at = padded.data() + reach + (halve ? 2 * x : x);
        float sum = 0;
        if (halve) {
          for (int k = 0; k < reach; ++k) {
            sum += weights[static_cast<std::size_t>(k)] * (at[-k] + at[k + 1]);
          }
        } else {
          sum = weights[0] * at[0];
          for (int k = 1; k < reach; ++k) {
            sum += weights[static_cast<std::size_t>(k)] * (at[-k] + at[k]);
          }
        }
        out(y, x) = sum;
      }
    }
  });
  return out;
}

Plane<float> blurred(const Plane<float>& in, double variance, bool halve, Context& context) {
  return pass(pass(in, variance, halve, context), variance, halve, context);
}

// Cells double once the Gaussian is two of the wider ones wide.
double cell_of(int level) {
  return level < 6 ? 1 : std::ldexp(1.0, (level - 4) / 2);
}

}  // namespace

Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context) {
  return blurred(map, sigma * sigma, false, context);
}

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
  Plane<float> before;            // the level in front of this one
  double before_variance = 0.25;  // of the spline alone
  double before_cell = 1;
  for (int level = first_; level <= last; ++level) {
    context.check();
    double cell = cell_of(level);
    // Only one halving a level; a first level that is wide already keeps fine cells.
    if (cell > before_cell) cell = 2 * before_cell;
    const bool halve = cell > before_cell;
    const double spline_change = 0.25 * (cell * cell - before_cell * before_cell);
    const double merged = halve ? 0.25 * before_cell * before_cell : 0;
    const double gaussian = variance(level) - before_variance - spline_change - merged;
    before = blurred(level == first_ ? density : before,
                     std::max(0.0, gaussian) / (before_cell * before_cell), halve, context);
    levels_.push_back(
        {static_cast<std::int32_t>(cells_.size()), before.width(), before.height(), cell});
    cells_.insert(cells_.end(), before.values().begin(), before.values().end());
    before_variance = variance(level);
    before_cell = cell;
  }
}

double DensityStack::read_value(int level, Vec2 p) const {
  const Level& from =
      levels_[static_cast<std::size_t>(std::clamp(level, first_, last_level()) - first_)];
  const SplineWeights wx = spline_at(p.x / from.cell);
  const SplineWeights wy = spline_at(p.y / from.cell);
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    const float* row = cells_.data() + from.offset +
                       std::ptrdiff_t{mirrored(wy.first + j, from.height)} * from.width;
    double across = 0;
    for (int i = 0; i < 3; ++i) {
      across += wx.value[static_cast<std::size_t>(i)] *
                static_cast<double>(row[mirrored(wx.first + i, from.width)]);
    }
    sum += wy.value[static_cast<std::size_t>(j)] * across;
  }
  return sum;
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
    h = std::clamp(std::sqrt(h * found), least, most);
  }
  return h;
}

}  // namespace dapple
