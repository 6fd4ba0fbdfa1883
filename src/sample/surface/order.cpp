// An order of points on a surface of which each beginning is well spaced: the most crowded go one
// by one, last to first (Yuksel 2015), where only points of one sheet crowd each other.
#include <algorithm>
#include <numeric>

#include "core/constants.hpp"
#include "core/doors.hpp"
#include "sample/leave_out.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/surface/neighbors.hpp"

namespace dapple {

void order_progressively(SurfacePoints& points, const SurfaceRadius& radius,
                         const SurfaceOptions& options, Context& context, std::size_t kept) {
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
  // Of a maximal set, which tells it without the mesh.
  const double squares = static_cast<double>(points.size()) / even_packing;
  const auto eliminate = [&](const std::vector<std::uint32_t>& rest, double spacing,
                             std::size_t left) {
    const double near = least_distance_that_counts(left, rest.size());
    std::vector<std::uint32_t> all = rest;
    all.insert(all.end(), there.begin(), there.end());
    const surface::Neighbors neighbors(
        points, all, radius, options.gate, spacing, context,
        [&](double d) { return static_cast<float>(crowding_at(d, near)); });
    return most_crowded_first(neighbors, neighbors.values(), all.size(), left, context, kept);
  };
  const std::vector<std::uint32_t> ranked =
      order_by_elimination(std::move(index), squares, eliminate, kept);
  std::vector<std::size_t> rows(there.begin(), there.end());
  rows.insert(rows.end(), ranked.begin(), ranked.end());
  surface::keep_points(points, rows);
  rank_as_they_stand(points);
}

}  // namespace dapple
