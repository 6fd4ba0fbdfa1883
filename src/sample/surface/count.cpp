// Exactly as many points as asked for: the radius that nearly makes them, and the last few left
// out.
//
// The same keys throw almost the same darts at almost the same radius, so the number found is
// nearly a smooth function of it, and a few solves end within some tenths of a per cent.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/constants.hpp"
#include "core/doors.hpp"
#include "core/random.hpp"
#include "sample/leave_out.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace surface {
namespace {

constexpr int solves = 6;       // as long as they may still bring something
constexpr int most_tries = 40;  // until there are enough at all
constexpr double good_excess = 0.002;

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

// The set with the fewest points that has enough of them.
Sampled nearly(const Mesh& mesh, std::size_t count, const SurfaceOptions& options,
               Context& context) {
  const double aim = static_cast<double>(count) * (1 + good_excess / 2) + 0.5;
  double radius = std::sqrt(even_packing * area_of(mesh) / aim);
  if (!(radius > 0)) {
    throw Error(ErrorKind::input, "has no face with an area, so there is nowhere to put points");
  }
  Sampled best;
  for (int i = 0; i < most_tries; ++i) {
    if (i >= solves && best.points.size() > 0) break;
    Sampled sampled = sample_radius(mesh, radius, options, context);
    const std::size_t found = sampled.points.size();
    if (found >= count && (best.points.size() == 0 || found < best.points.size())) {
      best = std::move(sampled);
    }
    const auto excess = static_cast<double>(best.points.size()) - static_cast<double>(count);
    if (excess >= 0 && excess <= std::max(1.0, good_excess * static_cast<double>(count))) break;
    radius *=
        std::clamp(std::sqrt(static_cast<double>(std::max<std::size_t>(found, 1)) / aim), 0.5, 2.0);
  }
  if (best.points.size() == 0) {
    throw Error(ErrorKind::limit,
                "no radius found that makes " + std::to_string(count) + " points");
  }
  return best;
}

}  // namespace
}  // namespace surface

SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context) {
  check(options);
  validate(mesh);
  require_number("the number of points on a surface", static_cast<double>(count), 1);
  const auto stage = context.stage("sample");
  surface::Sampled sampled =
      surface::nearly(mesh, static_cast<std::size_t>(count), options, context);
  surface::say_what_is_left_out(sampled.without_area, context);
  surface::say_what_is_wound_against(mesh, options, context);
  surface::leave_out_last(sampled, static_cast<std::size_t>(count));
  return std::move(sampled.points);
}

}  // namespace dapple
