// Makes points on or in a mesh, or on a sphere, from options. The radius is constant, or a map,
// vertex values or the curvature choose it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "dapple/surface.hpp"
#include "field/space/radii.hpp"
#include "sample/certify/proved.hpp"
#include "sample/classes.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/surface/curvature.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

// Ratio of the largest to the least radius for a count without a range of radii.
constexpr double usual_ratio = 8;

double diagonal_of(const Mesh& mesh) {
  Vec3 low = mesh.vertices.front();
  Vec3 high = low;
  for (const Vec3& p : mesh.vertices) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return length(high - low);
}

double in_units_of(const Mesh& mesh, const Length& length, const char* option) {
  if (length.unit == Unit::px) return length.value;
  if (length.unit == Unit::percent) return length.value / 100 * diagonal_of(mesh);
  if (mesh.meters_per_unit) return length.pixels({0, 1}) / (1000 * *mesh.meters_per_unit);
  throw Error(
      ErrorKind::usage,
      Problem{option, "is " + to_text(length) +
                          ", but the mesh has no physical unit (only glTF has one, meters): give a "
                          "number in the unit of the mesh, or % of the diagonal of its bounds"});
}

double in_units_of(double sphere, const Length& length, const char* option) {
  if (length.unit == Unit::px) return length.value;
  if (length.unit == Unit::percent) return length.value / 100 * sphere;
  throw Error(
      ErrorKind::usage,
      Problem{option, "must be a number in the unit of the radius of the sphere, or % of it, not " +
                          to_text(length)});
}

// A range of radii in the unit of the mesh; 0: not given.
struct Range {
  double min = 0;
  double max = 0;
};

// Reads the range for `shape`, a mesh or the radius of a sphere.
template <class Shape>
Range range_of(const PointsOptions& options, const Shape& shape) {
  const LengthRange& radius = options.field.radius;
  if (radius.empty()) return {};
  const Range range{in_units_of(shape, radius.min, "radius"),
                    in_units_of(shape, radius.max, "radius")};
  if (range.min > 0 && range.max >= range.min) return range;
  throw Error(
      ErrorKind::usage,
      Problem{"radius", "must be above 0 with the smallest radius first, such as 0.5%:4%, not " +
                            to_text(radius)});
}

// Either one radius or a number of points.
struct Wanted {
  double radius = 0;
  std::int64_t count = 0;
};

template <class Shape>
Wanted wanted_of(const PointsOptions& options, const Shape& shape, const char* unless) {
  const Range range = range_of(options, shape);
  const std::int64_t count = options.field.count;
  if (range.min != range.max) {
    throw Error(
        ErrorKind::usage,
        Problem{"radius", std::string("must be one length, such as `radius` 0.5%") + unless});
  }
  if (range.min > 0 && count > 0) {
    throw Error(ErrorKind::usage, Problem{"count",
                                          "cannot be combined with `radius`, which also sets the "
                                          "number of points: leave one of them out"});
  }
  if (range.min > 0) return {range.min, 0};
  return {0, count > 0 ? count : default_count};
}

SurfacePoints even_points(const Mesh& mesh, const PointsOptions& options, Context& context) {
  const Wanted wanted =
      wanted_of(options, mesh, ", unless a map or `radius-from` chooses from a range");
  if (wanted.count == 0) return sample_surface(mesh, wanted.radius, options.surface, context);
  return sample_surface_count(mesh, wanted.count, options.surface, context);
}

// ---- varying radius ----

std::string names_of(const Mesh& mesh) {
  std::string names = "curvature";
  if (mesh.column("red") != nullptr) names += ", color";
  for (const Mesh::Column& column : mesh.columns) names += ", " + column.name;
  return names;
}

// Returns values of all vertices as an image of one row, which the options of maps can read.
Image row_of(const std::vector<const Mesh::Column*>& columns, std::vector<std::string> names,
             Encoding encoding) {
  Image row;
  row.names = std::move(names);
  row.encoding = encoding;
  row.type = PixelType::f32;
  for (const Mesh::Column* column : columns) {
    Plane<float> plane(static_cast<int>(column->values.size()), 1);
    std::copy(column->values.begin(), column->values.end(), plane.row(0));
    row.channels.push_back(std::move(plane));
  }
  return row;
}

void require_values(const Mesh::Column& column, bool also_negative) {
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const float v = column.values[i];
    if (std::isfinite(v) && (also_negative || v >= 0)) continue;
    throw Error(ErrorKind::input, "vertex " + std::to_string(i + 1) + " has a " + column.name +
                                      " of " + shortest(v) + ", which gives no radius");
  }
}

// Scales the values to 0..1, from the least value to the largest, or from 0 for densities.
void scale_to_1(Mesh::Column& column, bool from_0) {
  const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
  const float least = from_0 ? 0 : *low;
  const float range = *high - least;
  if (!(range > 0)) return;
  for (float& v : column.values) v = (v - least) / range;
}

Mesh::Column curvature_column(const Mesh& mesh, Context& context) {
  surface::Curvature curvature = surface::curvature_of(mesh, context);
  if (!(curvature.high > 0)) {
    throw Error(ErrorKind::usage,
                Problem{"radius-from", "finds no curvature: the mesh is flat everywhere"});
  }
  Mesh::Column column{"curvature", std::move(curvature.of_vertex)};
  for (float& v : column.values) v = std::min(v, static_cast<float>(curvature.high));
  return column;
}

Image values_of_vertices(const Mesh& mesh, const PointsOptions& options, Context& context) {
  const std::string& from = options.radius_from;
  if (from == "color" && mesh.column("red") != nullptr) {
    std::vector<const Mesh::Column*> found;
    std::vector<std::string> names;
    for (const auto& [name, letter] :
         {std::pair{"red", "R"}, {"green", "G"}, {"blue", "B"}, {"alpha", "A"}}) {
      const Mesh::Column* column = mesh.column(name);
      if (column == nullptr) continue;
      require_values(*column, false);
      found.push_back(column);
      names.emplace_back(letter);
    }
    return row_of(found, std::move(names), Encoding::srgb);
  }
  const bool as_radius = options.field.map.as == MapKind::radius;
  const Mesh::Column* named = mesh.column(from);
  if (named == nullptr && from != "curvature") {
    throw Error(ErrorKind::usage,
                Problem{"radius-from", "'" + from + "' is not a column of the mesh; available: " +
                                           names_of(mesh)});
  }
  Mesh::Column column = named != nullptr ? *named : curvature_column(mesh, context);
  require_values(column, as_radius);
  scale_to_1(column, !as_radius);
  return row_of({&column}, {"Y"}, Encoding::data);
}

double radius_at(float demand, MapKind as, const Range& range) {
  const auto d = static_cast<double>(demand);
  if (as == MapKind::radius) return d < 0 ? range.max : range.min + d * (range.max - range.min);
  if (!(d > 0)) return range.max;
  return std::clamp(range.min / std::sqrt(d), range.min, range.max);
}

void set_by_vertices(const Mesh& mesh, const PointsOptions& options, const Range& range,
                     SurfaceRadius& radius, Context& context) {
  const Image values = values_of_vertices(mesh, options, context);
  const Plane<float> demand = target_density(values, options.field.map, context);
  radius.corners.reserve(mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] =
          static_cast<float>(radius_at(demand(triangle[c], 0), options.field.map.as, range));
    }
    radius.corners.push_back(corners);
  }
}

// Returns the mean number of pixels of a map per unit of length of the mesh.
double pixels_a_unit(const Mesh& mesh, const Image& map) {
  std::vector<double> areas;
  areas.reserve(mesh.uv.size());
  for (std::array<Vec2, 3> p : mesh.uv) {
    // Sorts the corners, because files may begin with any of them.
    std::sort(p.begin(), p.end(),
              [](Vec2 a, Vec2 b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); });
    const Vec2 e1 = p[1] - p[0];
    const Vec2 e2 = p[2] - p[0];
    areas.push_back(0.5 * std::abs(e1.x * e2.y - e1.y * e2.x));
  }
  const double area = surface::sum_in_any_order(std::move(areas));
  if (!(area > 0)) throw Error(ErrorKind::input, "has texture coordinates that cover no area");
  return std::sqrt(area * map.width() * map.height() / surface::area_of(mesh));
}

void set_by_map(const Mesh& mesh, const Image& map, const PointsOptions& options,
                const Range& range, SurfaceRadius& radius, Context& context) {
  if (mesh.uv.empty()) {
    throw Error(ErrorKind::input,
                "needs texture coordinates for all of its faces to use a map; `radius-from` uses "
                "numbers of vertices or curvature instead",
                options.on.path);
  }
  const double pixels = pixels_a_unit(mesh, map);
  FieldOptions field = options.field;
  const auto in_pixels = [&](double r) { return Length{r * pixels, Unit::px}; };
  field.radius = {in_pixels(range.min), in_pixels(range.max)};
  field.count = 0;
  field.slope.reset();  // along the surface, not in the texture
  const Scale scale{static_cast<double>(std::min(map.width(), map.height())), css_pixels_per_mm};
  radius.texture = make_field(map, field, true, scale, default_count, context);
  radius.largest = range.max * pixels;
  radius.scale = 1 / pixels;
}

// Returns the range that a map or another source chooses from, on a shape of this area.
template <class Shape>
Range varying_range(const PointsOptions& options, const Shape& shape, double area) {
  Range range = range_of(options, shape);
  if (range.min > 0 && !(range.max > range.min)) {
    throw Error(ErrorKind::usage, Problem{"radius",
                                          "must be a range from which the map or `radius-from` "
                                          "chooses, such as 0.5%:4%, or be left out with `count`"});
  }
  if (range.min == 0) {
    const auto count =
        static_cast<double>(options.field.count > 0 ? options.field.count : default_count);
    range.min = std::sqrt(even_packing * area / count);
    range.max = usual_ratio * range.min;
  }
  return range;
}

SurfaceRadius varying_radius(const Mesh& mesh, const Image* map, const PointsOptions& options,
                             Context& context) {
  const Range range = varying_range(options, mesh, surface::area_of(mesh));
  SurfaceRadius radius;
  radius.slope = options.field.slope;
  radius.rule = options.sample.conflict;
  if (map != nullptr) {
    set_by_map(mesh, *map, options, range, radius, context);
  } else {
    set_by_vertices(mesh, options, range, radius, context);
  }
  return radius;
}

// Reads radii from a lat-long map.
SurfaceRadius radius_round_sphere(const Image& map, const PointsOptions& options,
                                  Context& context) {
  const double sphere = *options.sphere;
  const Range range = varying_range(options, sphere, 2 * full_circle * sphere * sphere);
  const FieldOptions& field = options.field;
  Plane<float> r = target_density(map, field.map, context);
  const float highest = *std::max_element(r.values().begin(), r.values().end());
  const bool as_radius = field.map.as == MapKind::radius;
  if (highest < 0 || (highest == 0 && !as_radius)) nothing_to_place(field);
  // Target densities above 1 are relative: the densest place gets the smallest radius.
  const float unit = as_radius ? 1 : std::max(1.0F, highest);
  for (float& v : r.values()) {
    v = static_cast<float>(radius_at(v / unit, field.map.as, range));
  }
  const Domain domain{static_cast<double>(r.width()), static_cast<double>(r.height()), true};
  SurfaceRadius radius;
  radius.texture = DensityField::from_radius(std::move(r), domain, std::nullopt, context);
  radius.largest = range.max;
  radius.slope = field.slope;
  radius.rule = options.sample.conflict;
  return radius;
}

// Returns the number of points, which may come with a range of radii; 0 if only radii are given.
std::int64_t count_asked(const PointsOptions& options) {
  if (options.field.count == 0 && !options.field.radius.empty()) return 0;
  return options.field.count > 0 ? options.field.count : default_count;
}

SurfaceSet varying_points(const Mesh& mesh, const Image* map, const PointsOptions& options,
                          Context& context) {
  SurfaceSet set;
  set.radius = varying_radius(mesh, map, options, context);
  const std::int64_t count = count_asked(options);
  if (count == 0) {
    set.points = sample_surface(mesh, set.radius, options.surface, context);
    return set;
  }
  auto [points, scale] = sample_surface_count(mesh, count, set.radius, options.surface, context);
  set.points = std::move(points);
  set.radius.scale *= scale;
  return set;
}

ClassOptions class_options(const Mesh& mesh, const PointsOptions& options) {
  ClassOptions classes;
  for (const Length& radius : class_radii_of(options.class_radius)) {
    classes.radii.push_back(in_units_of(mesh, radius, "class-radius"));
  }
  classes.distance = options.class_distance;
  classes.shares = shares_of_classes(options.scatter.classes, classes.radii.size());
  return classes;
}

// Makes points around fixed points.
SurfaceSet points_around(const Mesh& mesh, const Image* map, const PointsOptions& options,
                         Context& context) {
  const SampleOptions& how = options.sample;
  const auto refuse = [](const char* option, const char* why) {
    throw Error(ErrorKind::usage, Problem{option, why});
  };
  const bool of_classes = !options.class_radius.empty();
  if (!of_classes && !options.scatter.classes.empty() && !how.keep.points->class_id.empty()) {
    refuse(
        "classes",
        "cannot be combined with points of `keep` that have a column class: leave one of them out");
  }
  std::int64_t count = options.field.count;
  SurfaceRadius radius;
  if (of_classes) {
    if (how.conflict == ConflictRule::candidate)
      refuse("conflict", "must be mean, min or max on a mesh");
  } else if (map != nullptr || !options.radius_from.empty()) {
    radius = varying_radius(mesh, map, options, context);
    if (count == 0 && options.field.radius.empty()) count = default_count;
  } else {
    const Wanted wanted =
        wanted_of(options, mesh, ", unless a map or `radius-from` chooses from a range");
    count = wanted.count;
    radius = wanted.radius > 0
                 ? wanted.radius
                 : std::sqrt(even_packing * surface::area_of(mesh) / static_cast<double>(count));
    radius.rule = how.conflict;
  }
  const std::size_t there = how.keep.points->size();
  // Fixed points that are not part of the result do not count.
  if (count > 0 && how.only_new) count += static_cast<std::int64_t>(there);
  SurfaceWithFixedPoints made =
      of_classes
          ? sample_classes_around(mesh, *how.keep.points, class_options(mesh, options), count,
                                  how.conflict, options.surface, context)
          : sample_surface_around(mesh, *how.keep.points, count, radius, options.surface, context);
  if (how.certify) {
    const Certificate proof = certify(made, mesh, options.surface, context);
    require_proved(proof,
                   {.required = "the required distance", .names_pair = true, .counted = count > 0},
                   context);
  }
  if (how.progressive) {
    order_progressively(made.points, made.radius, options.surface, context, there,
                        surface::area_of(mesh));
  }
  // Fixed points without a class form a class of their own.
  for (std::int32_t& c : made.points.class_id) {
    if (of_classes) c = std::min(c, static_cast<std::int32_t>(made.classes));
  }
  if (how.only_new) {
    std::vector<std::size_t> fresh(made.points.size() - there);
    std::iota(fresh.begin(), fresh.end(), there);
    surface::keep_points(made.points, fresh);
    if (how.progressive) rank_as_they_stand(made.points);
  }
  return {std::move(made.points), std::move(made.radius)};
}

template <class Shape>
void add_objects(SurfacePoints& points, const Shape& shape, const PointsOptions& options,
                 Context& context) {
  const LengthRange& size = options.scatter.size;
  scatter(points, options.scatter, options.align, in_units_of(shape, size.min, "object-size"),
          in_units_of(shape, size.max, "object-size"), context);
}

// Returns the fixed points of a solid or a sphere, followed by the new ones.
SurfacePoints in_front_of(const PointSet& kept, SurfacePoints fresh) {
  SurfacePoints all;
  all.radius = fresh.radius;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    all.x.push_back(kept.x[i] + kept.origin.x);
    all.y.push_back(kept.y[i] + kept.origin.y);
    all.z.push_back(column_z(kept)[i]);
    const float own = kept.radius.empty() ? 0 : kept.radius[i];
    all.r.push_back(own > 0 ? own : static_cast<float>(fresh.radius));
  }
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const auto column : {&SurfacePoints::x, &SurfacePoints::y, &SurfacePoints::z}) {
    append(all.*column, fresh.*column);
  }
  append(all.r, fresh.r);
  return all;
}

// As above, but on a sphere, with normals and with the radii of their places.
void put_in_front(const PointSet& kept, double sphere, SurfaceSet& set, Context& context) {
  SurfacePoints all = in_front_of(kept, std::move(set.points));
  std::array<std::vector<float>, 3> normal;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 place{all.x[i], all.y[i], all.z[i]};
    const Vec3 way = place * (1 / length(place));
    normal[0].push_back(static_cast<float>(way.x));
    normal[1].push_back(static_cast<float>(way.y));
    normal[2].push_back(static_cast<float>(way.z));
  }
  all.nx = std::move(normal[0]);
  all.ny = std::move(normal[1]);
  all.nz = std::move(normal[2]);
  if (!surface::is_one(set.radius)) {
    const sphere::Radii radii(set.radius, sphere, context);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept.radius.empty() && kept.radius[i] > 0) continue;
      const Vec3 place{all.x[i], all.y[i], all.z[i]};
      all.r[i] = static_cast<float>(radii.at(place * (1 / length(place))) * sphere);
    }
  }
  set.points = std::move(all);
}

}  // namespace

SurfaceSet make_surface_points(const Image* map, const PointsOptions& options, Context& context) {
  check(options);
  if (options.on.mesh == nullptr) {
    throw Error(ErrorKind::usage, Problem{"on", "needs a mesh"});
  }
  const Mesh& mesh = *options.on.mesh;
  validate(mesh);
  SurfaceSet set;
  const bool keeps = options.sample.keep.points != nullptr;
  if (keeps) {
    set = points_around(mesh, map, options, context);
  } else if (!options.class_radius.empty()) {
    set = sample_classes(mesh, class_options(mesh, options), options.field.count, options.surface,
                         context);
  } else if (map != nullptr || !options.radius_from.empty()) {
    set = varying_points(mesh, map, options, context);
  } else {
    set.points = even_points(mesh, options, context);
    set.radius = set.points.radius;
  }
  if (options.sample.certify && !keeps) {
    const bool by_count = options.field.radius.empty() && options.class_radius.empty();
    const bool counted = options.field.count > 0 || by_count;
    verify(set.points, mesh, set.radius, options.surface, context, counted);
  }
  if (options.sample.progressive && !keeps) {
    order_progressively(set.points, set.radius, options.surface, context, 0,
                        surface::area_of(mesh));
  }
  if (!options.scatter.classes.empty() && options.class_radius.empty()) {
    surface::add_classes(set.points, set.radius, options.surface,
                         shares_of(options.scatter.classes), context);
  }
  add_objects(set.points, mesh, options, context);
  set.points.meters_per_unit = mesh.meters_per_unit;
  return set;
}

SurfacePoints make_inside_points(const PointsOptions& options, Context& context) {
  check(options);
  if (options.in.mesh == nullptr) {
    throw Error(ErrorKind::usage, Problem{"in", "needs a mesh"});
  }
  const Mesh& mesh = *options.in.mesh;
  validate(mesh);
  const Wanted wanted = wanted_of(options, mesh, " for points in a mesh");
  const FixedPoints kept = kept_of(options);
  SurfacePoints points;
  try {
    points = sample_inside(mesh, count_of_new(wanted.count, options), wanted.radius, context,
                           options.sample.progressive, kept);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) throw;
    throw Error(ErrorKind::input, e.what(), options.in.path);
  }
  if (options.sample.certify && points.size() > 0) {
    verify_inside(points, mesh, context, wanted.count > 0, kept);
  }
  if (kept.points != nullptr && !options.sample.only_new) {
    points = in_front_of(*kept.points, std::move(points));
    if (options.sample.progressive) rank_as_they_stand(points);
  }
  add_objects(points, mesh, options, context);
  points.meters_per_unit = mesh.meters_per_unit;
  return points;
}

SurfaceSet make_sphere_points(const Image* map, const PointsOptions& options, Context& context) {
  check(options);
  if (!options.sphere) throw Error(ErrorKind::usage, Problem{"sphere", "needs a radius"});
  const double sphere = *options.sphere;
  const bool progressive = options.sample.progressive;
  const FixedPoints kept = kept_of(options);
  SurfaceSet set;
  Wanted wanted;
  if (map != nullptr) {
    wanted.count = count_asked(options);
    set = sample_sphere(sphere, count_of_new(wanted.count, options),
                        radius_round_sphere(*map, options, context), context, progressive, kept);
  } else {
    wanted = wanted_of(options, sphere, ", unless a map on the sphere chooses from a range");
    set.points = sample_sphere(sphere, count_of_new(wanted.count, options), wanted.radius, context,
                               progressive, kept);
    set.radius = set.points.radius;
  }
  if (options.sample.certify) {
    verify_sphere(set.points, sphere, set.radius, context, wanted.count > 0, kept);
  }
  if (kept.points != nullptr && !options.sample.only_new) {
    put_in_front(*kept.points, sphere, set, context);
    if (progressive) rank_as_they_stand(set.points);
  }
  add_objects(set.points, sphere, options, context);
  return set;
}

}  // namespace dapple
