// Samples exactly the requested number of points. Finds a radius that yields slightly more, and
// drops the last few.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/random.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::surface {

void leave_out_last(Sampled& sampled, std::size_t count) {
  Points& points = sampled.points;
  const auto chance = [&](std::size_t i) {
    return hash(
        hash(std::bit_cast<std::uint64_t>(points.x[i]), std::bit_cast<std::uint64_t>(points.y[i])),
        std::bit_cast<std::uint64_t>(points.z[i]));
  };
  std::vector<std::size_t> order = in_order_of_windows(sampled.window, chance);
  order.resize(count);
  std::sort(order.begin(), order.end());
  keep_points(points, order);
}

double squares_of(const Mesh& mesh, const SurfaceRadius& radius, Context& context) {
  const Frame frame = frame_of(mesh, least_radius(mesh, radius));
  const Triangles triangles = canonical_triangles(mesh, frame, context);
  require_room(frame);
  return expected_squares(make_pieces(mesh, triangles.all, frame, radius, context));
}

SurfaceRadius scaled_by(SurfaceRadius radius, double factor) {
  radius.even *= factor;
  radius.scale *= factor;
  return radius;
}

Made make(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
          const SurfaceOptions& options, const Points* fixed, Context& context) {
  if (fixed != nullptr) return make_around(mesh, count, radius, options, *fixed, context);
  const auto made_of = [](Sampled sampled, SurfaceRadius of) {
    return Made{std::move(sampled.points), 0, std::move(of), sampled.without_area, sampled.cracks};
  };
  if (count == 0) return made_of(sample_radius(mesh, radius, options, context), radius);
  double first = 1;
  // The slope limit keeps r at some places whatever the factor, so several steps are needed.
  for (int look = 0; look < 3 && !is_one(radius); ++look) {
    first *= std::sqrt(even_packing * squares_of(mesh, scaled_by(radius, first), context) /
                       static_cast<double>(count));
  }
  Enough<Sampled> found =
      fewest_enough(static_cast<std::size_t>(count), first, 2, [&](double factor) {
        return sample_radius(mesh, scaled_by(radius, factor), options, context);
      });
  leave_out_last(found.made, static_cast<std::size_t>(count));
  return made_of(std::move(found.made), scaled_by(radius, found.radius));
}

}  // namespace dapple::surface
