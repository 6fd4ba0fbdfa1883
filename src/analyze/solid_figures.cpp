// Measures points in a solid and on a sphere: packing, and what the certificate proves.
#include <numbers>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/surface/patches.hpp"

namespace dapple {

QualityReport analyze_inside(const SurfacePoints& points, const Mesh& mesh, Context& context) {
  const auto stage = context.stage("analyze");
  const Certificate proof = certify_inside(points, mesh, context);
  const auto count = static_cast<double>(points.size());
  const double r = points.radius;
  QualityReport report;
  report.kind = "inside";
  report.measurements = {
      {"points", count, "", "number of points"},
      {"r", r, "", "radius, in the unit of the mesh"},
      {"volume", proof.volume, "", "volume of the solid, in the unit of the mesh"},
      {"kappa", count * r * r * r / proof.volume, "",
       "packing n r^3 / volume; .73 for a maximal set far from the border, more near it"},
      {"outside", static_cast<double>(proof.outside), "", "points that are not in the solid",
       Target{0, true}},
      {"violations", static_cast<double>(proof.violations), "",
       "pairs closer than r, in double precision; 0 is exact", Target{0, true}},
      {"closest", proof.closest, "r", "smallest distance of a pair"},
      {"holes", static_cast<double>(proof.holes), "",
       "boxes with room for another point; 0 means maximal"},
  };
  return report;
}

QualityReport analyze_sphere(const SurfacePoints& points, double sphere, Context& context) {
  return analyze_sphere(points, sphere, points.radius, context);
}

QualityReport analyze_sphere(const SurfacePoints& points, double sphere,
                             const SurfaceRadius& radius, Context& context) {
  const Certificate proof = certify_sphere(points, sphere, radius, context);
  const auto count = static_cast<double>(points.size());
  QualityReport report;
  report.kind = "sphere";
  report.measurements = {{"points", count, "", "number of points"}};
  if (surface::is_one(radius)) {
    const double squares = 4 * std::numbers::pi * (sphere / radius.even) * (sphere / radius.even);
    report.measurements.push_back({"r", radius.even, "", "radius, in the unit of the sphere"});
    report.measurements.push_back({"kappa", count / squares, "",
                                   "packing n r^2 / area; 0.70 for a maximal set with small r"});
  } else {
    const sphere::Radii radii(radius, sphere, context);
    report.measurements.push_back(
        {"r", radii.least() * sphere, "", "smallest radius, in the unit of the sphere"});
    report.measurements.push_back({"r-max", radii.most() * sphere, "", "largest radius"});
    report.measurements.push_back(
        {"kappa", count / radii.squares(), "",
         "packing: points per square of r; 0.70 for a maximal set with small r"});
  }
  const std::vector<Measurement> proved{
      {"violations", static_cast<double>(proof.violations), "",
       "pairs closer than allowed, in double precision; 0 is exact", Target{0, true}},
      {"closest", proof.closest, "r", "smallest distance of a pair"},
      {"holes", static_cast<double>(proof.holes), "",
       "parts of the sphere with room for another point; 0 means maximal"},
  };
  report.measurements.insert(report.measurements.end(), proved.begin(), proved.end());
  return report;
}

}  // namespace dapple
