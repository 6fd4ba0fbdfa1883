// Scribbles loops along a short way through all points: `style scribble`.
//
// Draws circular scribbles (Chiu, Lo, Ruan, Yang, Lee 2015): a circle that turns while its center
// moves. It makes one loop per point, as wide as the points are apart. The pen is lifted
// where the next point is far.
#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "field/resample.hpp"
#include "generate/styles/style.hpp"

namespace dapple::styles {

Marks draw_scribble(const Request& request) {
  constexpr double radius = 0.62;   // spacings
  constexpr double farthest = 3.5;  // spacings that the pen goes to the next point
  constexpr double chord = 1.5;     // pens, at most
  const auto spacing_at = [&](Vec2 p) {
    return request.pen * longer_at(request, p) / std::max(bilinear(request.control, p), 1e-6);
  };
  Marks marks;
  std::vector<Vec2> line;
  Vec2 before{};
  double before_spacing = 0;
  for (const std::int32_t k : drawing_order(request.points, DotOrder::travel, request.context)) {
    const Vec2 p = request.points[static_cast<std::size_t>(k)];
    const double spacing = spacing_at(p);
    const double way = length(p - before);
    if (line.empty() || way > farthest * std::max(spacing, before_spacing)) {
      if (line.size() > 1) marks.push_back(std::move(line));
      line.clear();
    } else {
      const double around = 6 * radius * std::max(spacing, before_spacing) + way;
      const int steps = std::max(12, static_cast<int>(around / (chord * request.pen)));
      for (int i = 1; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        const double smooth = t * t * (3 - 2 * t);
        const Vec2 center = before + (p - before) * smooth;
        const double size = radius * (before_spacing + (spacing - before_spacing) * t);
        line.push_back(center + direction(t) * size);
      }
    }
    if (line.empty()) line.push_back(p + direction(0) * (radius * spacing));
    before = p;
    before_spacing = spacing;
  }
  if (line.size() > 1) marks.push_back(std::move(line));
  return marks;
}

}  // namespace dapple::styles
