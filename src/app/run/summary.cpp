#include "app/run/summary.hpp"

#include "app/escape_text.hpp"
#include "app/run/plot.hpp"

namespace dapple::app {
namespace {

// Returns true if `output` is the next numbered file, or the next tile of the set, after `before`.
bool follows(const WrittenOutput& output, const WrittenOutput& before) {
  return (before.frame >= 0 && output.frame == before.frame + 1) ||
         (before.udim > 0 && output.udim > before.udim);
}

}  // namespace

std::string summary_of(const Record& record, const WrittenOutput& output) {
  std::string text = output.path + ": ";
  const auto points = output.points ? output.points : record.points;
  if (output.kind == OutputKind::material) {
    return text + "material" + (output.unchanged ? ", unchanged" : "");
  }
  if (output.kind == OutputKind::sidecar) {
    return text + "domain and recipe" + (output.unchanged ? ", unchanged" : "");
  }
  if (output.kind == OutputKind::points) {
    text += std::to_string(points.value_or(0)) + " points";
  } else if (output.kind == OutputKind::drawing) {
    text += rounded(output.width, 1) + " x " + rounded(output.height, 1) + " mm";
  } else {
    text += rounded(output.width, 0) + " x " + rounded(output.height, 0) + " px";
  }
  if (output.kind == OutputKind::sheet)
    return text + ", report" + (output.unchanged ? ", unchanged" : "");
  if (!output.part.empty()) {
    return text + ", at " + rounded(output.corner.x, 1) + ", " + rounded(output.corner.y, 1) +
           " mm on the sheet, " + plot_of_tile(output.plot) +
           (output.unchanged ? ", unchanged" : "");
  }
  if (output.kind != OutputKind::points && points) {
    text += ", " + std::to_string(*points) + " points";
  }
  if (output.slices > 1) text += ", " + std::to_string(output.slices) + " slices";
  if (!output.layout.empty()) text += ", " + output.layout;
  if (!output.certificate.empty()) text += ", certified";
  return text + (output.unchanged ? ", unchanged" : "");
}

std::vector<std::string> summaries_of(const Record& record) {
  std::vector<std::string> lines;
  const auto& outputs = record.outputs;
  for (std::size_t i = 0; i < outputs.size();) {
    std::size_t end = i + 1;
    while (end < outputs.size() && follows(outputs[end], outputs[end - 1])) ++end;
    std::string line = summary_of(record, outputs[i]);
    if (end - i > 1) line += ", to " + outputs[end - 1].path;
    if (outputs[i].path != "-") lines.push_back(std::move(line));
    i = end;
  }
  return lines;
}

}  // namespace dapple::app
