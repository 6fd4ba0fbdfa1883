// Draws long strokes that flow along the edges of the picture, one through each point: `style
// flow`.
//
// Strokes are several spacings long, so that they run together like hair or grass.
#include <algorithm>
#include <cmath>

#include "field/resample.hpp"
#include "generate/styles/directions.hpp"
#include "generate/styles/style.hpp"

namespace dapple::styles {

namespace {

// Adds the parts of a stroke that do not lie on bare paper.
void add_inked(const Request& request, const std::vector<Vec2>& stroke, Marks& marks) {
  std::vector<Vec2> part;
  for (const Vec2 p : stroke) {
    if (!is_bare(request, p)) {
      part.push_back(p);
      continue;
    }
    if (part.size() > 1) marks.push_back(std::move(part));
    part.clear();
  }
  if (part.size() > 1) marks.push_back(std::move(part));
}

}  // namespace

Marks draw_flow(const Request& request) {
  constexpr double stroke = 4;    // spacings
  constexpr double longest = 60;  // pens
  const double area = static_cast<double>(request.control.size());
  const double spacing = std::sqrt(area / static_cast<double>(request.points.size()));
  const Directions directions(request.darkness, 2 * spacing, request.context);
  Marks marks;
  for (std::size_t i = 0; i < request.points.size(); ++i) {
    const Vec2 p = request.points[i];
    const double control = std::max(bilinear(request.control, p), 1e-6);
    const double length = request.pen * longer_at(request, p) * std::min(stroke / control, longest);
    add_inked(request, directions.path(p, length, 3 * request.pen, false), marks);
  }
  return marks;
}

}  // namespace dapple::styles
