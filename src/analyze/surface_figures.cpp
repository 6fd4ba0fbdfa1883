// Figures of points on a surface: packing, and what the certificate proves.
#include "dapple/analyze.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
QualityReport analyze_surface(const SurfacePoints& points, const Mesh& mesh,
                              const SurfaceOptions& options, Context& context) {
  const SurfaceCertificate proof = certify(points, mesh, options, context);
  const double area = surface::area_of(mesh);
  const double r2 = points.radius * points.radius;
  QualityReport report;
  report.kind = "surface";
  report.measurements = {
      {"points", static_cast<double>(points.size()), "", "number of points"},
      {"r", points.radius, "", "radius, in the unit of the mesh"},
      {"kappa", static_cast<double>(points.size()) * r2 / area, "",
       "packing n r^2 / area; 0.70 for a maximal set of a surface that bends little within r"},
      {"violations", static_cast<double>(proof.violations), "",
       "pairs of one sheet nearer than r, in double", Target{0, true}},
      {"closest", proof.closest, "r", "least distance of such a pair"},
      {"holes", static_cast<double>(proof.holes), "",
       "pieces of the surface with room for another point; 0: maximal"},
  };
  return report;
}

}  // namespace dapple
