// The report of a run.
#include "app/report.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"

namespace dapple::app {

std::optional<QualityReport> report_on(const Operation& operation, const Result& result,
                                       Context& context) {
  const DrawingMade* made = result.drawing();
  if (made != nullptr && std::any_of(made->drawing.layers.begin(), made->drawing.layers.end(),
                                     [](const Layer& layer) { return !layer.fills.empty(); })) {
    context.warn(
        "--report: covered areas with dots of the paper's color are not measured; leave "
        "--invert-darks out for figures");
    return std::nullopt;
  }
  if (made != nullptr && result.points && !made->darkness.empty()) {
    return analyze_stippling(*result.points, made->darkness, context);
  }
  if (operation.name == "mask" && result.image())
    return analyze_mask(result.image()->image, context);
  if (result.points) return analyze_points(*result.points, context);
  context.warn("--report: " + std::string(operation.name) + " makes nothing that is measured");
  return std::nullopt;
}

std::vector<PlannedOutput> plan_report_sheet(const Run& run,
                                             const std::vector<PlannedOutput>& outputs,
                                             const Context& context) {
  if (run.report_sheet.empty()) return {};
  if (run.report_sheet == "-") {
    throw Error(ErrorKind::usage, "--report-sheet stands beside the outputs: name a file");
  }
  auto sheets = plan_sheets(std::string(run.operation->name), run.input, {run.report_sheet}, false,
                            run.overwrite, context);
  for (const PlannedOutput& output : outputs) {
    if (output.path != sheets[0].path) continue;
    throw Error(ErrorKind::usage, "is named twice: as an output and by --report-sheet",
                output.path);
  }
  return sheets;
}

void write_report_sheet(const Run& run, const std::vector<PlannedOutput>& outputs, Context& context,
                        Record& record) {
  if (!record.report) return;
  const auto sheets = plan_report_sheet(run, outputs, context);
  if (sheets.empty()) return;
  write_sheets(report_sheet(*record.report, context), sheets, run.overwrite, context, record);
  record.outputs.back().kind = OutputKind::sheet;
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
