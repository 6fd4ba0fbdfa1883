#include "generate/styles/directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"

namespace dapple::styles {
namespace {

// The smoothings that are added up: their widths in scales, and their weights.
struct Smoothing {
  double width;
  float weight;
};
constexpr std::array smoothings{Smoothing{1, 1}, Smoothing{4, 0.1f}, Smoothing{16, 0.01f}};
constexpr double cells_a_scale = 2;

}  // namespace

Directions::Directions(const Plane<float>& darkness, double scale, Context& context) {
  const int width = darkness.width();
  const int height = darkness.height();
  const Plane<float> smooth = gaussian_blurred(darkness, 0.5 * scale, context);
  Plane<float> cosine(width, height);
  Plane<float> sine(width, height);
  for (int y = 0; y < height; ++y) {
    const float* const above = smooth.row(std::max(y - 1, 0));
    const float* const here = smooth.row(y);
    const float* const below = smooth.row(std::min(y + 1, height - 1));
    for (int x = 0; x < width; ++x) {
      const float gx = here[std::min(x + 1, width - 1)] - here[std::max(x - 1, 0)];
      const float gy = below[x] - above[x];
      cosine(x, y) = gx * gx - gy * gy;
      sine(x, y) = 2 * gx * gy;
    }
  }
  const double coarser = std::max(1.0, scale / cells_a_scale);
  const int columns = std::max(1, static_cast<int>(width / coarser));
  const int rows = std::max(1, static_cast<int>(height / coarser));
  scale_x_ = static_cast<double>(columns) / width;
  scale_y_ = static_cast<double>(rows) / height;
  cosine = resample(cosine, columns, rows, context);
  sine = resample(sine, columns, rows, context);
  cosine_ = Plane<float>(columns, rows);
  sine_ = Plane<float>(columns, rows);
  for (const Smoothing& smoothing : smoothings) {
    const double sigma = smoothing.width * scale * scale_x_;
    const auto add = [&](const Plane<float>& from, Plane<float>& to) {
      const Plane<float> blurred = gaussian_blurred(from, sigma, context);
      for (std::size_t i = 0; i < to.size(); ++i) {
        to.values()[i] += smoothing.weight * blurred.values()[i];
      }
    };
    add(cosine, cosine_);
    add(sine, sine_);
  }
}

Vec2 Directions::along(Vec2 p) const {
  const Vec2 at{p.x * scale_x_, p.y * scale_y_};
  const double c = bilinear(cosine_, at);
  const double s = bilinear(sine_, at);
  if (c == 0 && s == 0) return {1, 0};
  const Vec2 gradient = direction(0.5 * portable_angle(s, c) / full_circle);
  return {-gradient.y, gradient.x};
}

std::vector<Vec2> Directions::path(Vec2 p, double length, double step, bool across) const {
  const int steps = std::max(1, static_cast<int>(std::ceil(0.5 * length / step)));
  const double size = 0.5 * length / steps;
  const auto heading = [&](Vec2 at, Vec2 before) {
    Vec2 next = along(at);
    if (across) next = {-next.y, next.x};
    return dot(next, before) < 0 ? next * -1.0 : next;
  };
  const Vec2 first = heading(p, {1, 0});
  std::vector<Vec2> path;
  for (const double way : {-1.0, 1.0}) {
    Vec2 at = p;
    Vec2 before = first * way;
    for (int i = 0; i < steps; ++i) {
      // The midpoint rule.
      const Vec2 half = heading(at, before);
      before = heading(at + half * (0.5 * size), before);
      at = at + before * size;
      path.push_back(at);
    }
    if (way > 0) break;
    std::reverse(path.begin(), path.end());
    path.push_back(p);
  }
  return path;
}

}  // namespace dapple::styles
