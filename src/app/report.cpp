// The report of a run.
#include "app/report.hpp"

#include <algorithm>
#include <cmath>

namespace dapple::app {

std::optional<QualityReport> report_on(const Operation& operation, const Result& result,
                                       Context& context) {
  if (result.points && !result.darkness.empty()) {
    return analyze_stippling(*result.points, result.darkness, context);
  }
  if (operation.name == "mask" && result.image) return analyze_mask(*result.image, context);
  if (result.points) return analyze_points(*result.points, context);
  context.warn("--report: " + std::string(operation.name) + " makes nothing that is measured");
  return std::nullopt;
}

DensityField scaled_to(const DensityField& field, const PointSet& points) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double wanted = field.radius(points[i]);
    if (points.radius[i] > 0 && std::isfinite(wanted)) ratios.push_back(points.radius[i] / wanted);
  }
  if (ratios.empty()) return field;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return field.scaled(*middle);
}

}  // namespace dapple::app
