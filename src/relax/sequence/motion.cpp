// Solves least squares over Gaussian windows (Lucas, Kanade 1981) for a smooth motion (Horn,
// Schunck 1981; both combined: Bruhn, Weickert, Schnoerr 2005). Coarse pictures come first, and
// each finer one starts from the result of the coarser one. A stiff smoothness suits dots. It blurs
// the boundaries of moving objects, but does not squeeze dots together.
#include "relax/sequence/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"
#include "relax/smooth_step.hpp"

namespace dapple {
namespace {

constexpr double window = 2.5;         // standard deviation, cells
constexpr int rounds = 3;              // rounds per level
constexpr int coarsest = 12;           // cells of the shorter side
constexpr double stiffness_share = 1;  // in mean squared slopes
constexpr int sweeps = 60;             // of the smoothing, per round
constexpr double seen_over = 6;        // cells, when testing if the motion explains a change
// Shares of a change left over: up to the first, motion counts in full; from the second, not.
constexpr double believed = 0.75;
constexpr double not_believed = 0.88;
constexpr double least_change = 1e-6;  // squared

struct Flow {
  Plane<float> x, y;  // cells
};

double read(const Plane<float>& plane, double x, double y) {
  x = std::clamp(x, 0.0, static_cast<double>(plane.width() - 1));
  y = std::clamp(y, 0.0, static_cast<double>(plane.height() - 1));
  const int x0 = static_cast<int>(x);
  const int y0 = static_cast<int>(y);
  const int x1 = std::min(x0 + 1, plane.width() - 1);
  const int y1 = std::min(y0 + 1, plane.height() - 1);
  const double u = x - x0;
  const double v = y - y0;
  const auto at = [&](int i, int j) { return static_cast<double>(plane(i, j)); };
  return (1 - v) * ((1 - u) * at(x0, y0) + u * at(x1, y0)) +
         v * ((1 - u) * at(x0, y1) + u * at(x1, y1));
}

template <class Body>
void for_rows(const Plane<float>& plane, Context& context, const Body& body) {
  parallel_for(context, static_cast<std::size_t>(plane.height()),
               [&](std::size_t y) { body(static_cast<int>(y)); });
}

void improve(const Plane<float>& from, const Plane<float>& to, Flow& flow, Context& context) {
  const int width = from.width();
  const int height = from.height();
  // Products of slopes, and of slopes with the remaining change: xx, xy, yy, xt, yt.
  std::array<Plane<float>, 5> sums;
  for (Plane<float>& sum : sums) sum = Plane<float>(width, height);
  for_rows(from, context, [&](int y) {
    for (int x = 0; x < width; ++x) {
      const double u = x + static_cast<double>(flow.x(x, y));
      const double v = y + static_cast<double>(flow.y(x, y));
      if (u < 0 || v < 0 || u > width - 1 || v > height - 1) continue;
      const double gx = 0.5 * (read(from, x + 1, y) - read(from, x - 1, y));
      const double gy = 0.5 * (read(from, x, y + 1) - read(from, x, y - 1));
      const double t = read(to, u, v) - static_cast<double>(from(x, y));
      const std::array<double, 5> products{gx * gx, gx * gy, gy * gy, gx * t, gy * t};
      for (std::size_t k = 0; k < 5; ++k) sums[k](x, y) = static_cast<float>(products[k]);
    }
  });
  for (Plane<float>& sum : sums) sum = gaussian_blurred(sum, window, context);
  double trace = 0;
  for (const std::size_t k : {std::size_t{0}, std::size_t{2}}) {
    for (const float v : sums[k].values()) trace += static_cast<double>(v);
  }
  const double stiffness = stiffness_share * trace / static_cast<double>(from.size()) + 1e-9;
  const Flow before = flow;
  Flow last = flow;
  for (int i = 0; i < sweeps; ++i) {
    std::swap(flow, last);
    for_rows(from, context, [&](int y) {
      const int up = std::max(y - 1, 0);
      const int down = std::min(y + 1, height - 1);
      for (int x = 0; x < width; ++x) {
        const int left = std::max(x - 1, 0);
        const int right = std::min(x + 1, width - 1);
        const auto pull = [&](const Plane<float>& v) {
          return stiffness * (static_cast<double>(v(left, y)) + static_cast<double>(v(right, y)) +
                              static_cast<double>(v(x, up)) + static_cast<double>(v(x, down)));
        };
        const auto sum = [&](std::size_t k) { return static_cast<double>(sums[k](x, y)); };
        const auto u = static_cast<double>(before.x(x, y));
        const auto v = static_cast<double>(before.y(x, y));
        const double xx = sum(0) + 4 * stiffness;
        const double yy = sum(2) + 4 * stiffness;
        const double bx = pull(last.x) + sum(0) * u + sum(1) * v - sum(3);
        const double by = pull(last.y) + sum(1) * u + sum(2) * v - sum(4);
        const double determinant = xx * yy - sum(1) * sum(1);
        flow.x(x, y) = static_cast<float>((yy * bx - sum(1) * by) / determinant);
        flow.y(x, y) = static_cast<float>((xx * by - sum(1) * bx) / determinant);
      }
    });
  }
}

// Converts the flow of a coarser level to cells of this level.
Flow enlarged(const Flow& coarse, int width, int height) {
  Flow flow{resample(coarse.x, width, height), resample(coarse.y, width, height)};
  const float by_x = static_cast<float>(width) / static_cast<float>(coarse.x.width());
  const float by_y = static_cast<float>(height) / static_cast<float>(coarse.x.height());
  for (float& v : flow.x.values()) v *= by_x;
  for (float& v : flow.y.values()) v *= by_y;
  return flow;
}

// Returns the squared change that remains after the motion, over a wide window.
Plane<float> left_over(const Plane<float>& from, const Plane<float>& to, const Flow* flow,
                       Context& context) {
  Plane<float> left(from.width(), from.height());
  for_rows(from, context, [&](int y) {
    for (int x = 0; x < from.width(); ++x) {
      const double u = x + (flow != nullptr ? static_cast<double>(flow->x(x, y)) : 0.0);
      const double v = y + (flow != nullptr ? static_cast<double>(flow->y(x, y)) : 0.0);
      const double t = read(to, u, v) - static_cast<double>(from(x, y));
      left(x, y) = static_cast<float>(t * t);
    }
  });
  return gaussian_blurred(left, seen_over, context);
}

// Removes motion that does not explain the change, so that noise moves nothing.
void drop_unexplained(const Plane<float>& from, const Plane<float>& to, Flow& flow,
                      Context& context) {
  const Plane<float> before = left_over(from, to, nullptr, context);
  const Plane<float> after = left_over(from, to, &flow, context);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto was = static_cast<double>(before.values()[i]);
    const double left = was > least_change ? static_cast<double>(after.values()[i]) / was : 1.0;
    const auto share = static_cast<float>(smooth_step(not_believed, believed, left));
    flow.x.values()[i] *= share;
    flow.y.values()[i] *= share;
  }
}

int cells_of(int pixels, double cell) {
  return std::max(1, static_cast<int>(std::lround(pixels / cell)));
}

}  // namespace

Motion::Motion(const Plane<float>& from, const Plane<float>& to, double detail, Context& context) {
  struct Level {
    Plane<float> from, to;
  };
  std::vector<Level> levels;
  double cell = std::max(1.0, detail / 3);
  while (true) {
    const int width = cells_of(from.width(), cell);
    const int height = cells_of(from.height(), cell);
    if (!levels.empty() && std::min(width, height) < coarsest) break;
    levels.push_back({resample(from, width, height), resample(to, width, height)});
    cell *= 2;
  }
  Flow flow;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const int width = level->from.width();
    const int height = level->from.height();
    flow = flow.x.empty() ? Flow{Plane<float>(width, height), Plane<float>(width, height)}
                          : enlarged(flow, width, height);
    for (int i = 0; i < rounds; ++i) improve(level->from, level->to, flow, context);
  }
  drop_unexplained(levels.front().from, levels.front().to, flow, context);
  cell_x_ = static_cast<double>(from.width()) / flow.x.width();
  cell_y_ = static_cast<double>(from.height()) / flow.x.height();
  x_ = std::move(flow.x);
  y_ = std::move(flow.y);
}

Vec2 Motion::at(Vec2 p) const {
  const double x = p.x / cell_x_ - 0.5;
  const double y = p.y / cell_y_ - 0.5;
  return {read(x_, x, y) * cell_x_, read(y_, x, y) * cell_y_};
}

}  // namespace dapple
