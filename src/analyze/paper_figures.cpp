// Measures a drawing on paper: the bare paper between dots, and the pen's path and time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analyze/figures.hpp"
#include "dapple/points.hpp"

namespace dapple {

namespace {

// Returns the smallest distance between the rims of two dots, mm: below 0 if they overlap, infinite
// for fewer than two dots.
double smallest_gap(const Drawing& drawing) {
  Points dots;
  dots.domain = {drawing.width, drawing.height, false};
  std::vector<double> rims;
  double largest = 0;
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) {
      const Outline* const outline = drawing.outline_of(disc);
      double rim = disc.radius * (outline != nullptr ? outline->reach : 1);
      if (drawing.shape == DotShape::point) rim = 0;
      if (drawing.pen > 0 && drawing.shape != DotShape::disc) rim += drawing.pen / 2;
      dots.add(disc.center, 0);
      rims.push_back(rim);
      largest = std::max(largest, rim);
    }
  }
  double least = std::numeric_limits<double>::infinity();
  const PointIndex index(dots);
  std::vector<Neighbor> found;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto self = static_cast<std::int32_t>(i);
    index.nearest(dots[i], 1, found, self);
    if (found.empty()) break;
    const double near = found.front().distance;
    // A dot farther away may be so much larger that its rim is nearer.
    index.within(dots[i], std::min(near + largest, rims[i] + largest + std::max(least, 0.0)),
                 found);
    for (const Neighbor& other : found) {
      if (other.index == self) continue;
      least =
          std::min(least, other.distance - rims[i] - rims[static_cast<std::size_t>(other.index)]);
    }
  }
  return least;
}

}  // namespace

void add_paper_figures(const Drawing& drawing, QualityReport& report) {
  auto& figures = report.measurements;
  figures.push_back({"width", drawing.width, "mm", "of the paper"});
  figures.push_back({"height", drawing.height, "mm", "of the paper"});
  const double gap = smallest_gap(drawing);
  if (std::isfinite(gap)) {
    figures.push_back(
        {"gap", gap, "mm", "least bare paper between two dots; below 0 they overlap"});
  }
  if (drawing.pen <= 0) return;
  const PlotForecast plot = forecast(drawing);
  figures.push_back({"minutes", plot.seconds / 60, "min", "that a plot takes"});
  figures.push_back({"travel", plot.travel / 1000, "m", "of the lifted pen"});
  if (plot.touches > 0) {
    figures.push_back({"touches", static_cast<double>(plot.touches), "", "of the pen"});
  }
  if (plot.drawn <= 0) return;
  figures.push_back({"line", plot.drawn / 1000, "m", "that the pen draws"});
  if (drawing.layers.size() < 2) return;
  for (const Layer& layer : drawing.layers) {
    Drawing alone = drawing;
    alone.layers = {layer};
    const std::string name = layer.name.substr(layer.name.find(' ') + 1);
    figures.push_back(
        {"line." + name, forecast(alone).drawn / 1000, "m", "that the pen of this layer draws"});
  }
}

}  // namespace dapple
