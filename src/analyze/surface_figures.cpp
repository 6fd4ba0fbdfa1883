// Measures points on a surface: packing, and what the certificate proves.
#include <algorithm>

#include "dapple/analyze.hpp"
#include "dapple/sample.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
QualityReport analyze_surface(const SurfacePoints& points, const Mesh& mesh,
                              const SurfaceRadius& radius, const SurfaceOptions& options,
                              Context& context) {
  const Certificate proof = certify(points, mesh, radius, options, context);
  const auto count = static_cast<double>(points.size());
  QualityReport report;
  report.kind = "surface";
  report.measurements = {{"points", count, "", "number of points"}};
  const auto [least, most] = std::minmax_element(points.r.begin(), points.r.end());
  if (surface::is_one(radius)) {
    const double squares = surface::area_of(mesh) / (points.radius * points.radius);
    report.measurements.push_back({"r", points.radius, "", "radius, in the unit of the mesh"});
    report.measurements.push_back(
        {"kappa", count / squares, "",
         "packing n r^2 / area; 0.70 for a maximal set on a surface that curves little within r"});
  } else {
    report.measurements.push_back(
        {"r", static_cast<double>(*least), "", "smallest radius, in the unit of the mesh"});
    report.measurements.push_back({"r-max", static_cast<double>(*most), "", "largest radius"});
    report.measurements.push_back({"kappa", count / surface::squares_of(mesh, radius, context), "",
                                   "packing: points per square of r; 0.70 for a maximal set on a "
                                   "surface that curves little within r"});
  }
  const std::vector<Measurement> proved{
      {"violations", static_cast<double>(proof.violations), "",
       "pairs on one sheet closer than allowed, in double precision", Target{0, true}},
      {"closest", proof.closest, "r", "smallest distance of such a pair"},
      {"holes", static_cast<double>(proof.holes), "",
       "pieces of the surface with room for another point; 0 means maximal"},
  };
  report.measurements.insert(report.measurements.end(), proved.begin(), proved.end());
  return report;
}

}  // namespace dapple
