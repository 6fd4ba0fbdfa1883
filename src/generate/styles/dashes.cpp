// Draws a short dash at each point, along the edges of the picture: `style dashes`. With
// `turn gradient` dashes cross edges, as fur does, and with `turn random` they go anywhere.
#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "field/resample.hpp"
#include "generate/styles/directions.hpp"
#include "generate/styles/style.hpp"

namespace dapple::styles {

Marks draw_dashes(const Request& request) {
  constexpr double dash = 1.3;    // spacings
  constexpr double longest = 12;  // pens
  const double area = static_cast<double>(request.control.size());
  const double spacing = std::sqrt(area / static_cast<double>(request.points.size()));
  const Directions directions(request.darkness, spacing, request.context);
  const bool across = request.options.turn == DotTurn::gradient;
  const Random random(seed_of(request), stream_of("turns of dashes"));
  Marks marks;
  for (std::size_t i = 0; i < request.points.size(); ++i) {
    const Vec2 p = request.points[i];
    const double control = std::max(bilinear(request.control, p), 1e-6);
    const double length = request.pen * longer_at(request, p) * std::min(dash / control, longest);
    if (request.options.turn == DotTurn::random) {
      const Vec2 half = direction(to_unit(random.at(i))) * (0.5 * length);
      marks.push_back({p - half, p + half});
    } else {
      marks.push_back(directions.path(p, length, 2 * request.pen, across));
    }
  }
  return marks;
}

}  // namespace dapple::styles
