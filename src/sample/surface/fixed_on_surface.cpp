// Samples points on a mesh around fixed points.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/fixed_points.hpp"
#include "sample/solve_radius.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

Points on_mesh(const Points& kept) {
  const std::vector<double>& z = column_z(kept);
  if (z.size() != kept.size()) {
    throw Error(ErrorKind::input,
                Problem{"keep", "needs points with a column z, in the unit of the mesh"});
  }
  Points points;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    points.x.push_back(kept.x[i] + kept.origin.x);
    points.y.push_back(kept.y[i] + kept.origin.y);
  }
  points.z = z;
  points.radius = kept.radius;
  points.radius.resize(kept.size());
  surface::require_places(points);
  for (float& r : points.radius) {
    if (!(r > 0)) r = 0;
    require_number("the radius of a point of `keep`", static_cast<double>(r), 0);
  }
  return points;
}

// Turns one radius into radii of corners if fixed points have others: only then a rule applies.
SurfaceRadius of_both(const Mesh& mesh, SurfaceRadius radius, const Points& kept) {
  // The precision of radii in files.
  constexpr double equal = 1e-6;
  const auto is_other = [&](float r) {
    return r > 0 && std::abs(static_cast<double>(r) / radius.even - 1) > equal;
  };
  if (!surface::is_one(radius) || std::none_of(kept.radius.begin(), kept.radius.end(), is_other)) {
    return radius;
  }
  const auto even = static_cast<float>(radius.even);
  radius.corners.assign(mesh.triangles.size(), {even, even, even});
  radius.scale = 1;
  radius.slope.reset();
  return radius;
}

// Puts fixed points without a class into classes after those of the surface, one per radius.
void add_classes_of_radii(surface::Kept& kept, const SurfaceRadius& radius) {
  constexpr std::size_t most_radii = 256;
  std::vector<float> radii = kept.points.radius;
  std::sort(radii.begin(), radii.end());
  radii.erase(std::unique(radii.begin(), radii.end()), radii.end());
  if (radii.size() > most_radii) {
    throw Error(ErrorKind::usage,
                Problem{"keep", "has points of " + std::to_string(radii.size()) +
                                    " radii, but at most " + std::to_string(most_radii) +
                                    " are allowed next to classes on a mesh: round them, or give "
                                    "points a column class"});
  }
  const std::size_t classes = radius.classes.size();
  double finest = radius.classes[0][0];
  for (std::size_t c = 1; c < classes; ++c) finest = std::min(finest, radius.classes[c][c]);
  const std::size_t all = classes + radii.size();
  kept.classes.resize(all);
  for (std::vector<double>& row : kept.classes) row.resize(all, finest);
  for (std::size_t k = 0; k < radii.size(); ++k) {
    std::vector<double>& row = kept.classes[classes + k];
    const double own = static_cast<double>(radii[k]) / radius.scale;
    for (std::size_t c = 0; c < classes; ++c) {
      const double asked = radius.classes[c][c];
      row[c] = own > 0 ? conflict_distance(radius.rule, own, asked) : asked;
      kept.classes[c][classes + k] = row[c];
    }
    // Pairs of fixed points do not count, but their distance must not be above both radii.
    for (std::size_t other = 0; other < radii.size(); ++other) {
      const double others = static_cast<double>(radii[other]) / radius.scale;
      const double apart = std::min(own > 0 ? own : finest, others > 0 ? others : finest);
      row[classes + other] = apart;
    }
  }
  for (const float r : kept.points.radius) {
    const auto place = std::lower_bound(radii.begin(), radii.end(), r) - radii.begin();
    kept.points.class_id.push_back(static_cast<std::int32_t>(classes) +
                                   static_cast<std::int32_t>(place));
  }
}

// Lets fixed points keep distances as points of their class, if they have one.
surface::Kept among_classes(surface::Kept kept, const Points& given, const SurfaceRadius& radius) {
  kept.classes = radius.classes;
  kept.points.class_id = given.class_id;
  if (given.class_id.empty()) add_classes_of_radii(kept, radius);
  for (std::size_t i = 0; i < kept.points.size(); ++i) {
    const std::int32_t c = kept.points.class_id[i];
    if (c < 0 || static_cast<std::size_t>(c) >= kept.classes.size()) {
      throw Error(ErrorKind::input, Problem{"keep", unknown_class(i, c, radius.classes.size())});
    }
    const auto row = static_cast<std::size_t>(c);
    kept.points.radius[i] = static_cast<float>(kept.classes[row][row] * radius.scale);
  }
  return kept;
}

}  // namespace

surface::Made surface::make_around(const Mesh& mesh, std::int64_t count,
                                   const SurfaceRadius& radius, const SurfaceOptions& options,
                                   const Points& fixed, Context& context) {
  const auto stage = context.outermost("sample");
  Kept there{on_mesh(fixed), {}};
  const std::vector<float> own = there.points.radius;
  const bool has_classes = !radius.classes.empty();
  if (!has_classes) there.points.class_id = fixed.class_id;
  const auto seen_by = [&](const SurfaceRadius& of) {
    return has_classes ? among_classes(there, fixed, of) : there;
  };
  // Along the surface there is one radius, and fixed points keep their own.
  const bool along = options.metric == SurfaceMetric::surface;
  const auto beside = [&](SurfaceRadius of) {
    return along ? of : of_both(mesh, std::move(of), there.points);
  };
  const auto sample = [&](const SurfaceRadius& of) {
    const Kept seen = seen_by(of);
    return sample_radius(mesh, beside(of), options, context, &seen);
  };
  const auto to_prove = [&](SurfaceRadius of) {
    of = beside(std::move(of));
    if (!has_classes) return of;
    of.classes = seen_by(of).classes;
    of.placed_classes = radius.classes.size();
    of.head_start.clear();
    return of;
  };
  Made made;
  made.kept = there.points.size();
  Sampled found;
  if (count > 0) {
    const std::int64_t fresh = count_beside(made.kept, count);
    auto enough = fewest_enough(static_cast<std::size_t>(fresh), 1, 2,
                                [&](double factor) { return sample(scaled_by(radius, factor)); });
    found = std::move(enough.made);
    leave_out_last(found, static_cast<std::size_t>(fresh));
    made.radius = to_prove(scaled_by(radius, enough.radius));
  } else {
    found = sample(radius);
    made.radius = to_prove(radius);
  }
  for (std::size_t i = 0; has_classes && i < own.size(); ++i) {
    if (own[i] > 0) found.kept.radius[i] = own[i];
  }
  made.points = joined(found.kept, found.points);
  made.without_area = found.without_area;
  made.cracks = found.cracks;
  return made;
}

}  // namespace dapple
