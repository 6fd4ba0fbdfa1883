// Samples classes with distances of their own on a mesh (Wei 2010). Each class covers the mesh with
// pieces of its own size, and the darts of all classes fall together.
#include <algorithm>
#include <span>
#include <vector>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "sample/class_shares.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple::surface {
namespace {

// Finds head starts. For few points the edges of the mesh and chance matter, so trials sample the
// mesh itself; classes_of(head_start) returns their classes. Otherwise trials are in the plane.
HeadStarts search_on(const Mesh& mesh, const SurfaceRadius& radius, std::int64_t count,
                     const std::vector<double>& wanted, const ClassTrial& classes_of,
                     Context& context) {
  const double points =
      count > 0 ? static_cast<double>(count) : class_packing * squares_of(mesh, radius, context);
  const auto stage = context.stage("shares");
  if (points >= 2 * trial_points_of_classes) {
    return search_in_plane(radius.classes, wanted, context);
  }
  // With few points a single point matters, and each trial takes as long as the mesh requires.
  const double rarest = *std::min_element(wanted.begin(), wanted.end());
  return search_by_trials(wanted, classes_of, std::max(0.005, 1 / (rarest * points)));
}

}  // namespace

Made make_classes(const Mesh& mesh, std::int64_t count, const ClassRadii& classes,
                  ConflictRule rule, const SurfaceOptions& options, const Points* fixed,
                  Context& context) {
  require_space(options, "classes");
  require_classes(classes);
  SurfaceRadius radius;
  radius.classes = class_distances(classes, 2);
  radius.rule = rule;
  require_radius(mesh, radius);
  const std::vector<double> wanted = wanted_shares(classes, 2);
  const auto classes_of_new = [](const Made& of) {
    return std::span(of.points.class_id).subspan(of.kept);
  };
  const auto fill = [&](const std::vector<double>& head_start) {
    radius.head_start = head_start;
    return make(mesh, count, radius, options, fixed, context);
  };
  const HeadStarts search = search_on(
      mesh, radius, count, wanted,
      [&](const std::vector<double>& head_start) {
        const Made made = fill(head_start);
        const auto of_new = classes_of_new(made);
        return std::vector(of_new.begin(), of_new.end());
      },
      context);
  const auto stage = context.outermost("sample");
  Made made = with_good_shares(search, fill, classes_of_new);
  warn_of_shares(classes_of_new(made), wanted, context);
  return made;
}

}  // namespace dapple::surface
