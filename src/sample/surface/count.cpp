// Samples exactly the requested number of points. Finds a radius that yields slightly more, and
// drops the last few.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple {
namespace surface {

void leave_out_last(Sampled& sampled, std::size_t count) {
  SurfacePoints& points = sampled.points;
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

namespace {

void require_count(const Mesh& mesh, std::int64_t count, const SurfaceOptions& options) {
  check(options);
  validate(mesh);
  require_number("the number of points on a surface", static_cast<double>(count), 1);
}

}  // namespace

void keep_points(SurfacePoints& points, const std::vector<std::size_t>& rows) {
  const auto keep = [&](auto& column) {
    if (!column.empty()) keep_rows(column, rows);
  };
  for (auto* column : {&points.x, &points.y, &points.z}) keep(*column);
  for (auto* column : {&points.nx, &points.ny, &points.nz, &points.u, &points.v, &points.r,
                       &points.object_size, &points.rotation}) {
    keep(*column);
  }
  for (auto* column : {&points.face, &points.triangle, &points.class_id, &points.rank})
    keep(*column);
  for (auto& column : points.turn) keep(column);
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

Counted sample_counted(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
                       const SurfaceOptions& options, Context& context) {
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
  return {std::move(found.made), found.radius};
}

}  // namespace surface

SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context) {
  surface::require_count(mesh, count, options);
  const double radius =
      std::sqrt(even_packing * surface::area_of(mesh) / static_cast<double>(count));
  return sample_surface_count(mesh, count, radius, options, context).first;
}

std::pair<SurfacePoints, double> sample_surface_count(const Mesh& mesh, std::int64_t count,
                                                      const SurfaceRadius& radius,
                                                      const SurfaceOptions& options,
                                                      Context& context) {
  surface::require_count(mesh, count, options);
  surface::require_radius(mesh, radius);
  const auto stage = context.stage("sample");
  surface::Counted found = surface::sample_counted(mesh, count, radius, options, context);
  surface::warn_about_mesh(mesh, found.made.without_area, found.made.cracks, options, context);
  return {std::move(found.made.points), found.scale};
}

}  // namespace dapple
