// Samples classes with distances of their own on a mesh (Wei 2010). Each class covers the mesh with
// pieces of its own size, and the darts of all classes fall together.
#include <algorithm>
#include <span>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "sample/class_shares.hpp"
#include "sample/surface/fixed_on_surface.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

// Finds head starts. For few points the edges of the mesh and chance matter, so trials sample the
// mesh itself; classes_of(head_start) returns their classes. Otherwise trials are in the plane.
HeadStarts search_on(const Mesh& mesh, const SurfaceRadius& radius, std::int64_t count,
                     const std::vector<double>& wanted, const ClassTrial& classes_of,
                     Context& context) {
  const double points = count > 0 ? static_cast<double>(count)
                                  : class_packing * surface::squares_of(mesh, radius, context);
  const auto stage = context.stage("shares");
  if (points >= 2 * trial_points_of_classes) {
    return search_in_plane(radius.classes, wanted, context);
  }
  // With few points a single point matters, and each trial takes as long as the mesh requires.
  const double rarest = *std::min_element(wanted.begin(), wanted.end());
  return search_by_trials(wanted, classes_of, std::max(0.005, 1 / (rarest * points)));
}

SurfaceRadius radius_of_classes(const Mesh& mesh, const ClassOptions& options, std::int64_t count,
                                const SurfaceOptions& surface) {
  check(surface);
  dapple::surface::require_space(surface, "classes");
  validate(mesh);
  require_classes(options);
  require_number("the number of points", static_cast<double>(count), 0);
  SurfaceRadius radius;
  radius.classes = class_distances(options, 2);
  dapple::surface::require_radius(mesh, radius);
  return radius;
}

}  // namespace

SurfaceSet sample_classes(const Mesh& mesh, const ClassOptions& options, std::int64_t count,
                          const SurfaceOptions& surface, Context& context) {
  const SurfaceRadius radius = radius_of_classes(mesh, options, count, surface);
  const std::vector<double> wanted = wanted_shares(options, 2);
  const auto make = [&](const std::vector<double>& head_start) {
    SurfaceRadius of = radius;
    of.head_start = head_start;
    if (count == 0) {
      auto made = dapple::surface::sample_radius(mesh, of, surface, context);
      return std::pair(std::move(of), std::move(made));
    }
    auto [made, factor] = dapple::surface::sample_counted(mesh, count, of, surface, context);
    of.scale *= factor;
    return std::pair(std::move(of), std::move(made));
  };
  const HeadStarts search = search_on(
      mesh, radius, count, wanted,
      [&](const std::vector<double>& head_start) {
        return make(head_start).second.points.class_id;
      },
      context);
  SurfaceSet set;
  {
    const auto stage = context.stage("sample");
    auto [of, made] = with_good_shares(
        search, make, [](const auto& set_of) { return std::span(set_of.second.points.class_id); });
    dapple::surface::warn_about_mesh(mesh, made.without_area, made.cracks, surface, context);
    set.radius = std::move(of);
    set.points = std::move(made.points);
  }
  warn_of_shares(set.points.class_id, wanted, context);
  if (options.certify) {
    verify(set.points, mesh, set.radius, surface, context, count > 0);
  }
  if (options.progressive) {
    order_progressively(set.points, set.radius, surface, context, 0,
                        dapple::surface::area_of(mesh));
  }
  return set;
}

SurfaceWithFixedPoints sample_classes_around(const Mesh& mesh, const PointSet& kept,
                                             const ClassOptions& classes, std::int64_t count,
                                             ConflictRule rule, const SurfaceOptions& options,
                                             Context& context) {
  SurfaceRadius radius = radius_of_classes(mesh, classes, count, options);
  radius.rule = rule;
  const std::vector<double> wanted = wanted_shares(classes, 2);
  const auto classes_of_new = [](const dapple::surface::MadeAround& made) {
    const SurfaceWithFixedPoints& set = made.set;
    return std::vector(set.points.class_id.begin() + static_cast<std::ptrdiff_t>(set.kept),
                       set.points.class_id.end());
  };
  const auto make = [&](const std::vector<double>& head_start) {
    radius.head_start = head_start;
    return dapple::surface::sample_around(mesh, kept, count, radius, options, context);
  };
  const HeadStarts search = search_on(
      mesh, radius, count, wanted,
      [&](const std::vector<double>& head_start) { return classes_of_new(make(head_start)); },
      context);
  auto made = with_good_shares(search, make, classes_of_new);
  dapple::surface::warn_about_mesh(mesh, made.without_area, made.cracks, options, context);
  warn_of_shares(classes_of_new(made), wanted, context);
  return std::move(made.set);
}

}  // namespace dapple
