// Reads the radii of points on or in a mesh, or on a sphere, from options: one radius, or a range
// from which a map, vertex values or the curvature choose.
#include "sample/unit_radii.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "field/space/radii.hpp"
#include "sample/samplers.hpp"
#include "sample/surface/curvature.hpp"
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

}  // namespace

double in_units_of(const UnitShape& shape, const Length& length, const char* option) {
  if (const auto* const sphere = std::get_if<double>(&shape)) {
    return in_units_of(*sphere, length, option);
  }
  return in_units_of(*std::get<const Mesh*>(shape), length, option);
}

namespace {

// A range of radii in the unit of the mesh; 0: not given.
struct Range {
  double min = 0;
  double max = 0;
};

// Reads the range for `shape`, a mesh or the radius of a sphere.
Range range_of(const PointsOptions& options, const UnitShape& shape) {
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

}  // namespace

Wanted wanted_of(const PointsOptions& options, const UnitShape& shape, const char* unless) {
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

namespace {

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
Range varying_range(const PointsOptions& options, const UnitShape& shape, double area) {
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

}  // namespace

SurfaceRadius varying_radius(const Mesh& mesh, const Image* map, const PointsOptions& options,
                             Context& context) {
  const Range range = varying_range(options, &mesh, surface::area_of(mesh));
  SurfaceRadius radius;
  radius.slope = options.field.slope;
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
  return radius;
}

std::int64_t count_asked(const PointsOptions& options) {
  if (options.field.count == 0 && !options.field.radius.empty()) return 0;
  return options.field.count > 0 ? options.field.count : default_count;
}

}  // namespace dapple
