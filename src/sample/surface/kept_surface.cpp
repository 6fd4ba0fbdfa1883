// Points on a mesh round others that are there already.
#include "dapple/kept_surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/doors.hpp"
#include "dapple/error.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/kept.hpp"
#include "sample/surface/pieces.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

SurfacePoints on_mesh(const PointSet& kept) {
  const std::vector<double>& z = column_z(kept);
  if (z.size() != kept.size()) {
    throw Error(ErrorKind::input,
                Problem{"keep", "needs points with a column z, in the unit of the mesh"});
  }
  SurfacePoints points;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    points.x.push_back(kept.x[i] + kept.origin.x);
    points.y.push_back(kept.y[i] + kept.origin.y);
  }
  points.z = z;
  points.r = kept.radius;
  points.r.resize(kept.size());
  points.klass = kept.klass;
  surface::require_places(points);
  for (float& r : points.r) {
    if (!(r > 0)) r = 0;
    require_number("the radius of a point of `keep`", static_cast<double>(r), 0);
  }
  return points;
}

// Of one radius and points that have others: as radii that vary, for which there is a rule.
SurfaceRadius of_both(const Mesh& mesh, SurfaceRadius radius, const SurfacePoints& kept) {
  // As near as files hold radii.
  constexpr double equal = 1e-6;
  const auto is_other = [&](float r) {
    return r > 0 && std::abs(static_cast<double>(r) / radius.even - 1) > equal;
  };
  if (!surface::is_one(radius) || std::none_of(kept.r.begin(), kept.r.end(), is_other)) {
    return radius;
  }
  const auto even = static_cast<float>(radius.even);
  radius.corners.assign(mesh.triangles.size(), {even, even, even});
  radius.scale = 1;
  radius.slope.reset();
  return radius;
}

template <class Column>
void append(Column& to, const Column& from) {
  to.insert(to.end(), from.begin(), from.end());
}

SurfacePoints joined(SurfacePoints all, const SurfacePoints& fresh) {
  const std::int32_t next =
      all.klass.empty() ? 0 : 1 + *std::max_element(all.klass.begin(), all.klass.end());
  for (const auto column : {&SurfacePoints::x, &SurfacePoints::y, &SurfacePoints::z}) {
    append(all.*column, fresh.*column);
  }
  for (const auto column : {&SurfacePoints::nx, &SurfacePoints::ny, &SurfacePoints::nz,
                            &SurfacePoints::u, &SurfacePoints::v, &SurfacePoints::r}) {
    append(all.*column, fresh.*column);
  }
  for (const auto column : {&SurfacePoints::face, &SurfacePoints::triangle}) {
    append(all.*column, fresh.*column);
  }
  if (!all.klass.empty()) all.klass.resize(all.size(), next);
  all.radius = fresh.radius;
  return all;
}

}  // namespace

KeptSurface sample_surface_round(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                                 const SurfaceRadius& radius, const SurfaceOptions& options,
                                 Context& context) {
  check(options);
  validate(mesh);
  surface::require_radius(mesh, radius);
  if (!radius.classes.empty()) {
    throw Error(ErrorKind::usage, Problem{"keep", "is for points of one class"});
  }
  require_number("the number of points", static_cast<double>(count), 0);
  const auto stage = context.outermost("sample");
  const SurfacePoints there = on_mesh(kept);
  const auto make = [&](const SurfaceRadius& of) {
    return surface::sample_radius(mesh, of_both(mesh, of, there), options, context, &there);
  };
  KeptSurface made;
  made.kept = there.size();
  surface::Sampled found;
  if (count > 0) {
    const auto new_ones = count - static_cast<std::int64_t>(made.kept);
    if (new_ones < 1) {
      throw Error(ErrorKind::input, Problem{"count", "is of all points: " + std::to_string(count) +
                                                         " leave no room for new ones beside the " +
                                                         std::to_string(made.kept) + " of `keep`"});
    }
    auto enough = fewest_enough(static_cast<std::size_t>(new_ones), 1, 2, [&](double factor) {
      return make(surface::scaled_by(radius, factor));
    });
    found = std::move(enough.made);
    surface::leave_out_last(found, static_cast<std::size_t>(new_ones));
    made.radius = of_both(mesh, surface::scaled_by(radius, enough.radius), there);
  } else {
    found = make(radius);
    made.radius = of_both(mesh, radius, there);
  }
  surface::say_what_is_left_out(found.without_area, context);
  surface::say_what_is_wound_against(mesh, options, context);
  made.points = joined(std::move(found.kept), found.points);
  if (surface::is_one(made.radius)) made.points.radius = made.radius.even;
  return made;
}

SurfaceCertificate certify(const KeptSurface& set, const Mesh& mesh, const SurfaceOptions& options,
                           Context& context, double tolerance) {
  return surface::certify_round(set.points, set.kept, mesh, set.radius, options, context,
                                tolerance);
}

}  // namespace dapple
