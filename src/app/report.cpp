// The report of a run.
#include "app/report.hpp"

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

}  // namespace dapple::app
