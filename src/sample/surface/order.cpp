// Orders points on a surface so that each prefix is well spaced. The most crowded points go one by
// one, last to first (Yuksel 2015). Only points of one sheet crowd each other.
#include <algorithm>
#include <numeric>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/extend/options.hpp"
#include "sample/progressive/class_schedule.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/neighbors.hpp"

namespace dapple {
namespace {

// Returns the distances by which classes crowd each other, as if each were spread evenly.
SurfaceRadius spread_radius(const Points& points, const SurfaceRadius& radius, double area) {
  std::vector<std::size_t> counts(radius.classes.size());
  for (const std::int32_t c : points.class_id) ++counts[static_cast<std::size_t>(c)];
  const double scale = radius.scale;
  SurfaceRadius spread;
  spread.classes = spread_of_classes(radius.classes, counts, area / (scale * scale), 2);
  spread.scale = scale;
  // No two classes are farther apart than the larger of their own spacings.
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (i == j) continue;
      double& apart = spread.classes[i][j];
      apart = std::min(apart, std::max(spread.classes[i][i], spread.classes[j][j]));
    }
  }
  return spread;
}

}  // namespace

void spaces::order_on_surface(Points& points, const SurfaceRadius& radius, std::size_t kept,
                              Context& context) {
  const SurfaceOptions& options = points.space->surface;
  check(options);
  surface::require_space(options, "a progressive order");
  surface::require_points(points);
  surface::require_radii(points, radius);
  if (points.size() == 0) return;
  const auto stage = context.stage("order");
  kept = std::min(kept, points.size());
  std::vector<std::uint32_t> there(kept);
  std::iota(there.begin(), there.end(), 0u);
  std::vector<std::uint32_t> index(points.size() - kept);
  std::iota(index.begin(), index.end(), static_cast<std::uint32_t>(kept));
  const bool has_classes = !radius.classes.empty();
  const SurfaceRadius crowding =
      has_classes ? spread_radius(points, radius, surface::area_of(*points.space->mesh)) : radius;
  // A maximal set gives the area in squares of r without the mesh. Classes use the spread of all.
  const double squares =
      static_cast<double>(points.size()) / (has_classes ? hexagonal_packing : even_packing);
  const auto near_values = [&](const std::vector<std::uint32_t>& of, double spacing, double near) {
    return surface::near_values(points, of, crowding, options.normal_angle, spacing, context,
                                [&](double d) { return static_cast<float>(crowding_at(d, near)); });
  };
  const std::vector<std::uint32_t> ranked =
      order_around(std::move(index), there, points.class_id, radius.classes.size(), squares,
                   near_values, context);
  std::vector<std::size_t> rows(there.begin(), there.end());
  rows.insert(rows.end(), ranked.begin(), ranked.end());
  keep_points(points, rows);
  rank_as_they_stand(points);
}

}  // namespace dapple
