// Gives fixed points the columns that new points of their space have.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sample/fixed_points.hpp"
#include "sample/spaces.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/surface/patches.hpp"

namespace dapple {
namespace {

// Returns the radius that a fixed point without one has at its place, or by its class.
using RadiusAt = std::function<double(const Points& points, std::size_t i)>;

RadiusAt radius_of_class(const ClassRadii& classes) {
  const double finest = *std::min_element(classes.radii.begin(), classes.radii.end());
  return [&classes, finest](const Points& points, std::size_t i) {
    if (points.class_id.empty()) return finest;
    return classes.radii[static_cast<std::size_t>(points.class_id[i])];
  };
}

// Returns `radius`, or `least` if that is infinite.
RadiusAt allowed(const RadiusAt& radius, double least) {
  return [radius, least](const Points& points, std::size_t i) {
    const double r = radius(points, i);
    return std::isfinite(r) ? r : least;
  };
}

// Returns the radius of the point's class at its place, or without a class the least of all
// classes. radius(c, points, i) is infinite where a class is not allowed; `least` replaces it.
template <class RadiusOfClass>
RadiusAt radius_of_class(std::size_t count, double least, RadiusOfClass radius) {
  const auto its = [=](const Points& points, std::size_t i) {
    double r = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < count; ++c) {
      const bool is_its =
          points.class_id.empty() || static_cast<std::size_t>(points.class_id[i]) == c;
      if (is_its) r = std::min(r, radius(c, points, i));
    }
    return r;
  };
  return allowed(its, least);
}

RadiusAt radius_of_class(const ClassFields& classes) {
  const Domain& domain = classes.fields.front().domain();
  double least = std::numeric_limits<double>::infinity();
  for (const DensityField& field : classes.fields) {
    least = std::min(least, field.radius_bounds({0, 0, domain.width, domain.height}).min);
  }
  return radius_of_class(classes.fields.size(), classes.scale * least,
                         [&classes](std::size_t c, const Points& points, std::size_t i) {
                           return classes.scale * classes.fields[c].radius(points[i]);
                         });
}

// Returns the radius of a field of a box or in a solid; infinite where no points are allowed.
RadiusAt radius_of_field(const VolumeField& field, const Space& space) {
  const std::array<double, 3>& side = field.side();
  spaces::VoxelsInSolid voxels;
  if (space.kind == SpaceKind::solid) voxels = {*space.mesh, side};
  return [field, side, voxels](const Points& points, std::size_t i) {
    const Vec3 at = voxels.seen({points.x[i], points.y[i], points.z[i]});
    return voxels.step *
           field.radius({std::clamp(at.x, 0.0, side[0]), std::clamp(at.y, 0.0, side[1]),
                         std::clamp(at.z, 0.0, side[2])});
  };
}

// Returns the least radius of a field of a box or in a solid.
double least_of(const VolumeField& field, const Space& space) {
  if (space.kind != SpaceKind::solid) return field.least();
  return field.least() * spaces::VoxelsInSolid(*space.mesh, field.side()).step;
}

RadiusAt radius_of_class(const ClassVolumes& classes, const Space& space) {
  std::vector<RadiusAt> each;
  double least = std::numeric_limits<double>::infinity();
  for (const VolumeField& field : classes.fields) {
    each.push_back(radius_of_field(field, space));
    least = std::min(least, least_of(field, space));
  }
  return radius_of_class(
      each.size(), classes.scale * least,
      [each, scale = classes.scale](std::size_t c, const Points& points, std::size_t i) {
        return scale * each[c](points, i);
      });
}

// Returns the radius of a map on a sphere, or the one radius of all places.
RadiusAt radius_on_sphere(const SurfaceRadius& radius, double sphere, Context& context) {
  if (surface::is_one(radius)) {
    return [even = radius.even](const Points&, std::size_t) { return even; };
  }
  const auto by_map = std::make_shared<const sphere::LatLongRadius>(radius, sphere, context);
  return [by_map, sphere](const Points& points, std::size_t i) {
    const Vec3 place{points.x[i], points.y[i], points.z[i]};
    return by_map->at(place * (1 / length(place))) * sphere;
  };
}

RadiusAt radius_of_class(const ClassSurfaces& classes, double sphere, Context& context) {
  std::vector<RadiusAt> each;
  for (const SurfaceRadius& radius : classes.fields) {
    each.push_back(radius_on_sphere(radius, sphere, context));
  }
  return radius_of_class(
      each.size(), 0,
      [each, scale = classes.scale](std::size_t c, const Points& points, std::size_t i) {
        return scale * each[c](points, i);
      });
}

RadiusAt radius_by_place(const Radii& radii, const Space& space, Context& context) {
  if (const auto* const even = radii.get<double>()) {
    return [even](const Points&, std::size_t) { return *even; };
  }
  if (const auto* const classes = radii.get<ClassRadii>()) return radius_of_class(*classes);
  if (const auto* const classes = radii.get<ClassFields>()) return radius_of_class(*classes);
  if (const auto* const field = radii.get<VolumeField>()) {
    return allowed(radius_of_field(*field, space), least_of(*field, space));
  }
  if (const auto* const classes = radii.get<ClassVolumes>())
    return radius_of_class(*classes, space);
  if (const auto* const classes = radii.get<ClassSurfaces>()) {
    return radius_of_class(*classes, space.radius, context);
  }
  return radius_on_sphere(std::get<SurfaceRadius>(radii.source), space.radius, context);
}

}  // namespace

Points spaces::with_columns_of(const Points& fresh, Points kept, const Space& space,
                               Context& context) {
  if (!fresh.z.empty() || space.kind != SpaceKind::plane) kept.z = column_z(kept);
  kept.height.clear();
  if (fresh.space != nullptr) {
    for (double& x : kept.x) x += kept.origin.x;
    for (double& y : kept.y) y += kept.origin.y;
    kept.origin = {};
  }
  if (space.kind == SpaceKind::surface) {
    kept = spaces::fixed_on_surface(std::move(kept), space, *fresh.radii->get<ClassSurfaces>(),
                                    context);
  } else {
    const RadiusAt radius_at = radius_by_place(*fresh.radii, space, context);
    kept.radius.resize(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!(kept.radius[i] > 0)) kept.radius[i] = static_cast<float>(radius_at(kept, i));
    }
  }
  const std::size_t classes = fresh.radii->class_count();
  if (kept.class_id.empty() && classes > 0) {
    // Fixed points without a class form a class of their own.
    kept.class_id.resize(kept.size(), static_cast<std::int32_t>(classes));
  }
  if (space.kind == SpaceKind::sphere) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Vec3 place{kept.x[i], kept.y[i], kept.z[i]};
      const Vec3 normal = place * (1 / length(place));
      kept.nx.push_back(static_cast<float>(normal.x));
      kept.ny.push_back(static_cast<float>(normal.y));
      kept.nz.push_back(static_cast<float>(normal.z));
    }
  }
  return kept;
}

}  // namespace dapple
