// Exactly as many points as asked for: the radius that nearly makes them, and the last few left
// out.
#include <algorithm>
#include <bit>

#include "core/constants.hpp"
#include "core/doors.hpp"
#include "core/random.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/leave_out.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace surface {
namespace {

// Leaves out the points that were settled last; those of one window in an order without place.
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
  keep_rows(points.x, order);
  keep_rows(points.y, order);
  keep_rows(points.z, order);
  keep_rows(points.nx, order);
  keep_rows(points.ny, order);
  keep_rows(points.nz, order);
  keep_rows(points.face, order);
  keep_rows(points.triangle, order);
  keep_rows(points.u, order);
  keep_rows(points.v, order);
}

}  // namespace
}  // namespace surface

SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context) {
  check(options);
  validate(mesh);
  require_number("the number of points on a surface", static_cast<double>(count), 1);
  const auto stage = context.stage("sample");
  const double area = surface::area_of(mesh);
  if (!(area > 0)) {
    throw Error(ErrorKind::input, "has no face with an area, so there is nowhere to put points");
  }
  const double radius = radius_of(even_packing, area, static_cast<double>(count), 2);
  surface::Sampled sampled =
      fewest_enough(static_cast<std::size_t>(count), radius, 2, [&](double r) {
        return surface::sample_radius(mesh, r, options, context);
      }).made;
  surface::say_what_is_left_out(sampled.without_area, context);
  surface::say_what_is_wound_against(mesh, options, context);
  surface::leave_out_last(sampled, static_cast<std::size_t>(count));
  return std::move(sampled.points);
}

}  // namespace dapple
