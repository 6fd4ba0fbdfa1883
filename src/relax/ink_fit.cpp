// With inks a = w + S v, S = diag(sqrt(w)), the sum |G (a - D)|^2 + g |v|^2 is least if:
//
//     (S K S + g) v = S K (D - w),    K = G^T G,    g = K(0) of a single dot.
//
// This system is symmetric and positive, so conjugate gradients solve it (Hestenes, Stiefel 1952).
// A grid applies K: quadratic splines spread the inks over cells, the cells are blurred, and the
// same splines read them. That keeps K symmetric.
#include "relax/ink_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "field/blur.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr double cells_a_width = 2;
constexpr int most_steps = 40;
constexpr double accuracy = 1e-3;  // of the residual

double dot_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class Seen {
 public:
  Seen(const Points& dots, const Plane<float>& darkness, double width, Context& context)
      : dots_(dots),
        context_(context),
        per_cell_(std::max(1.0, width / cells_a_width)),
        columns_(cells_of(darkness.width())),
        rows_(cells_of(darkness.height())),
        x_(static_cast<double>(columns_) / darkness.width()),
        y_(static_cast<double>(rows_) / darkness.height()) {
    // Splines blur twice, each time by a quarter of a squared cell.
    const double cells = width * std::sqrt(x_ * y_);
    sigma_ = std::sqrt(std::max(0.25, 2 * cells * cells - 0.5));
  }

  // Returns K(0), disregarding the dot's position in its cell.
  double own() const { return 1 / (2 * std::numbers::pi * (sigma_ * sigma_ + 0.5)); }

  // Returns K (darkness - inks) at the dots.
  std::vector<double> missing(const Plane<float>& darkness, std::span<const double> inks) const {
    Plane<float> cells(columns_, rows_);
    for (int y = 0; y < darkness.height(); ++y) {
      for (int x = 0; x < darkness.width(); ++x) {
        put({x + 0.5, y + 0.5}, static_cast<double>(darkness(x, y)), cells);
      }
    }
    for (std::size_t i = 0; i < inks.size(); ++i) put(dots_[i], -inks[i], cells);
    return read(gaussian_blurred(cells, sigma_, context_));
  }

  std::vector<double> apply(std::span<const double> inks) const {
    Plane<float> cells(columns_, rows_);
    for (std::size_t i = 0; i < inks.size(); ++i) put(dots_[i], inks[i], cells);
    return read(gaussian_blurred(cells, sigma_, context_));
  }

 private:
  int cells_of(int side) const {
    return std::max(1, static_cast<int>(std::lround(side / per_cell_)));
  }

  void put(Vec2 p, double ink, Plane<float>& cells) const {
    spread(static_cast<float>(ink), spline_at(p.x * x_), spline_at(p.y * y_), cells);
  }

  std::vector<double> read(const Plane<float>& cells) const {
    std::vector<double> values(dots_.size());
    constexpr std::size_t block = 4096;
    parallel_for(context_, (dots_.size() + block - 1) / block, [&](std::size_t b) {
      for (std::size_t k = b * block; k < std::min(dots_.size(), (b + 1) * block); ++k) {
        values[k] = value_of(cells.view(), spline_at(dots_.x[k] * x_), spline_at(dots_.y[k] * y_));
      }
    });
    return values;
  }

  const Points& dots_;
  Context& context_;
  double per_cell_;
  int columns_, rows_;
  double x_, y_;  // cells of the grid per cell of the picture
  double sigma_ = 1;
};

}  // namespace

std::vector<double> fitted_inks(const Points& dots, std::span<const double> inks,
                                const Plane<float>& darkness, double width, Context& context) {
  const std::size_t n = dots.size();
  const Seen seen(dots, darkness, width, context);
  const double own = seen.own();
  std::vector<double> root(n);
  // Inks are in units of their mean, so a mean dot's deviation weighs as much as its own term.
  double mean = 0;
  for (const double ink : inks) mean += ink / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) root[i] = std::sqrt(inks[i] / mean);
  std::vector<double> residual = seen.missing(darkness, inks);
  for (std::size_t i = 0; i < n; ++i) residual[i] *= root[i];
  std::vector<double> v(n, 0.0);
  std::vector<double> way = residual;
  std::vector<double> moved(n);
  double left = dot_product(residual, residual);
  const double enough = left * accuracy * accuracy;
  for (int step = 0; step < most_steps && left > enough; ++step) {
    context.check();
    for (std::size_t i = 0; i < n; ++i) moved[i] = root[i] * way[i];
    std::vector<double> image = seen.apply(moved);
    for (std::size_t i = 0; i < n; ++i) image[i] = root[i] * image[i] + own * way[i];
    const double far = left / dot_product(way, image);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] += far * way[i];
      residual[i] -= far * image[i];
    }
    const double before = left;
    left = dot_product(residual, residual);
    for (std::size_t i = 0; i < n; ++i) way[i] = residual[i] + left / before * way[i];
  }
  std::vector<double> fitted(n);
  for (std::size_t i = 0; i < n; ++i) fitted[i] = std::max(0.0, inks[i] + root[i] * v[i]);
  return fitted;
}

}  // namespace dapple
