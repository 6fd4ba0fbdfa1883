// Classes with distances of their own on a mesh (Wei 2010): each covers it with pieces of its own
// size, and the darts of all fall together.
#include <algorithm>
#include <utility>

#include "core/doors.hpp"
#include "dapple/kept_surface.hpp"
#include "sample/class_shares.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

// Points of classes in Wei's distances for each square of the radius of each class.
constexpr double packing = 0.57;

// By trials on the mesh itself where it is to have few points, whose edges and chance then matter:
// each trial is what would be made, by make(radius). Else in the plane.
template <class Make>
std::vector<double> head_starts_on(const Mesh& mesh, const SurfaceRadius& radius,
                                   std::int64_t count, const std::vector<double>& wanted,
                                   const Make& make, Context& context) {
  const double points =
      count > 0 ? static_cast<double>(count) : packing * surface::squares_of(mesh, radius, context);
  const auto stage = context.stage("shares");
  if (points >= 2 * trial_points_of_classes) {
    return head_starts_in_plane(radius.classes, wanted, context);
  }
  SurfaceRadius trial = radius;
  // Of few points one more or less shows, and each trial costs what the mesh does.
  const double rarest = *std::min_element(wanted.begin(), wanted.end());
  return head_starts_by_trials(
      wanted,
      [&](const std::vector<double>& head_start) {
        trial.head_start = head_start;
        return make(trial);
      },
      std::max(0.005, 1 / (rarest * points)));
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
  return radius;
}

}  // namespace

SurfaceSet sample_classes(const Mesh& mesh, const ClassOptions& options, std::int64_t count,
                          const SurfaceOptions& surface, Context& context) {
  SurfaceSet set;
  set.radius = radius_of_classes(mesh, options, count, surface);
  const std::vector<double> wanted = wanted_shares(options, 2);
  const auto make = [&](const SurfaceRadius& radius) {
    if (count == 0) {
      return dapple::surface::sample_radius(mesh, radius, surface, context).points.klass;
    }
    return dapple::surface::sample_counted(mesh, count, radius, surface, context).made.points.klass;
  };
  set.radius.head_start = head_starts_on(mesh, set.radius, count, wanted, make, context);
  if (count > 0) {
    auto [found, factor] = sample_surface_count(mesh, count, set.radius, surface, context);
    set.points = std::move(found);
    set.radius.scale *= factor;
  } else {
    set.points = sample_surface(mesh, set.radius, surface, context);
  }
  warn_of_shares(set.points.klass, wanted, context);
  if (options.certify) {
    verify(set.points, mesh, set.radius, surface, context, count > 0);
  }
  return set;
}

KeptSurface sample_classes_round(const Mesh& mesh, const PointSet& kept,
                                 const ClassOptions& classes, std::int64_t count, ConflictRule rule,
                                 const SurfaceOptions& options, Context& context) {
  SurfaceRadius radius = radius_of_classes(mesh, classes, count, options);
  radius.rule = rule;
  const std::vector<double> wanted = wanted_shares(classes, 2);
  const auto classes_of_new = [](const KeptSurface& made) {
    return std::vector(made.points.klass.begin() + static_cast<std::ptrdiff_t>(made.kept),
                       made.points.klass.end());
  };
  const auto make = [&](const SurfaceRadius& of) {
    return classes_of_new(sample_surface_round(mesh, kept, count, of, options, context));
  };
  radius.head_start = head_starts_on(mesh, radius, count, wanted, make, context);
  KeptSurface made = sample_surface_round(mesh, kept, count, radius, options, context);
  warn_of_shares(classes_of_new(made), wanted, context);
  return made;
}

}  // namespace dapple
