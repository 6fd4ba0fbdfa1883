// Measures points on a surface, in a solid and on a sphere: packing, and what the certificate
// proves.
#include <algorithm>
#include <numbers>
#include <string>

#include "analyze/figures.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/spaces.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

using Figures = std::vector<Measurement>;

// Adds the figures of radii that depend on the place or the class.
void add_by_place(const Points& points, const char* unit, const char* content, Figures& list,
                  Context& context) {
  if (!points.radius.empty()) {
    const auto [least, most] = std::minmax_element(points.radius.begin(), points.radius.end());
    list.push_back({"r", static_cast<double>(*least), "",
                    std::string("smallest radius, in the unit of the ") + unit});
    list.push_back({"r-max", static_cast<double>(*most), "", "largest radius"});
  }
  list.push_back({"kappa",
                  static_cast<double>(points.size()) /
                      spaces::content_by_place(*points.space, *points.radii, context),
                  "", std::string("packing: points per ") + content + " of r, over all classes"});
}

void add_solid(const Points& points, const Certificate& proof, Figures& list, Context& context) {
  if (const auto* const r = points.radii->get<double>()) {
    list.push_back({"r", *r, "", "radius, in the unit of the mesh"});
    list.push_back({"kappa", static_cast<double>(points.size()) * *r * *r * *r / proof.volume, "",
                    "packing n r^3 / volume; .73 for a maximal set far from the border, more near "
                    "it"});
  } else {
    add_by_place(points, "mesh", "cube", list, context);
  }
  list.push_back({"volume", proof.volume, "", "volume of the solid, in the unit of the mesh"});
  list.push_back({"outside", static_cast<double>(proof.outside), "",
                  "points that are not in the solid", Target{0, true}});
}

void add_even(const Points& points, double r, double squares, const char* unit, const char* where,
              Figures& list) {
  list.push_back({"r", r, "", std::string("radius, in the unit of the ") + unit});
  list.push_back({"kappa", static_cast<double>(points.size()) / squares, "",
                  std::string("packing n r^2 / area; 0.70 for a maximal set ") + where});
}

void add_varying(const Points& points, double least, const std::string& of_least, double most,
                 double squares, const char* where, Figures& list) {
  list.push_back({"r", least, "", "smallest radius, in the unit of the " + of_least});
  list.push_back({"r-max", most, "", "largest radius"});
  list.push_back({"kappa", static_cast<double>(points.size()) / squares, "",
                  std::string("packing: points per square of r; 0.70 for a maximal set ") + where});
}

void add_sphere(const Points& points, const SurfaceRadius& radius, Figures& list,
                Context& context) {
  constexpr const char* where = "with small r";
  const double sphere = points.space->radius;
  if (surface::is_one(radius)) {
    const double squares = 4 * std::numbers::pi * (sphere / radius.even) * (sphere / radius.even);
    return add_even(points, radius.even, squares, "sphere", where, list);
  }
  const sphere::LatLongRadius radii(radius, sphere, context);
  add_varying(points, radii.least() * sphere, "sphere", radii.most() * sphere, radii.squares(),
              where, list);
}

void add_surface(const Points& points, const SurfaceRadius& radius, Figures& list,
                 Context& context) {
  constexpr const char* where = "on a surface that curves little within r";
  const Mesh& mesh = *points.space->mesh;
  if (surface::is_one(radius)) {
    const double squares = surface::area_of(mesh) / (radius.even * radius.even);
    return add_even(points, radius.even, squares, "mesh", where, list);
  }
  const auto [least, most] = std::minmax_element(points.radius.begin(), points.radius.end());
  add_varying(points, static_cast<double>(*least), "mesh", static_cast<double>(*most),
              surface::squares_of(mesh, radius, context), where, list);
}

}  // namespace

QualityReport analyze_in_space(const Points& points, Context& context) {
  const auto stage = context.stage("analyze");
  if (points.space->kind == SpaceKind::cloud) {
    throw Error(ErrorKind::usage,
                "a cloud with coordinates below 0 cannot be measured: leave the report out");
  }
  const Certificate proof = certify(points, context);
  const SpaceKind kind = points.space->kind;
  const auto* const radius = points.radii->get<SurfaceRadius>();
  QualityReport report;
  Figures& list = report.measurements;
  list = {{"points", static_cast<double>(points.size()), "", "number of points"}};
  const char* pairs = "pairs closer than r, in double precision; 0 is exact";
  const char* closest = "smallest distance of a pair";
  const char* holes = "boxes with room for another point; 0 means maximal";
  if (kind == SpaceKind::regions) {
    report.kind = "regions";
    pairs = "pairs closer than the mean of their r, in double precision; 0 is exact";
    holes = "polygons with room for another point; of one radius alone";
  } else if (kind == SpaceKind::solid) {
    report.kind = "inside";
    add_solid(points, proof, list, context);
  } else if (kind == SpaceKind::sphere) {
    report.kind = "sphere";
    if (radius != nullptr) {
      add_sphere(points, *radius, list, context);
    } else {
      add_by_place(points, "sphere", "square", list, context);
    }
    pairs = "pairs closer than allowed, in double precision; 0 is exact";
    holes = "parts of the sphere with room for another point; 0 means maximal";
  } else {
    report.kind = "surface";
    if (radius != nullptr) {
      add_surface(points, *radius, list, context);
    } else {
      add_by_place(points, "mesh", "square", list, context);
    }
    pairs = "pairs on one sheet closer than allowed, in double precision";
    closest = "smallest distance of such a pair";
    holes = "pieces of the surface with room for another point; 0 means maximal";
  }
  list.push_back({"violations", static_cast<double>(proof.violations), "", pairs, Target{0, true}});
  list.push_back({"closest", proof.closest, "r", closest});
  list.push_back({"holes", static_cast<double>(proof.holes), "", holes});
  return report;
}

}  // namespace dapple
