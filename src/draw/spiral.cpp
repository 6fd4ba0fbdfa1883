// Dots wider than the pen, filled by a spiral.
#include <algorithm>
#include <cmath>

#include "core/portable.hpp"
#include "dapple/drawing.hpp"

namespace dapple {

std::vector<Vec2> spiral(const Disc& disc, double pen) {
  constexpr double turn = full_circle;
  constexpr double deviation = 0.02;  // mm, of chords from the curve
  const double outer = disc.radius - 0.5 * pen;
  std::vector<Vec2> points{disc.center};
  if (!(outer > 0) || !(pen > 0)) return points;
  // Turns one pen apart, from the center to the rim, and once along the rim.
  const double end = turn * outer / pen;
  const double flattest = std::max(0.0, 1 - deviation / std::max(outer, deviation));
  const double step = std::clamp(2 * portable_acos(flattest), turn / 360, turn / 12);
  const auto add = [&](double angle, double radius) {
    points.push_back(disc.center +
                     Vec2{portable_cosine(angle / turn), portable_sine(angle / turn)} * radius);
  };
  for (double angle = step; angle < end; angle += step) add(angle, pen * angle / turn);
  for (int i = 0, n = static_cast<int>(std::ceil(turn / step)); i <= n; ++i) {
    add(end + turn * i / n, outer);
  }
  return points;
}

}  // namespace dapple
