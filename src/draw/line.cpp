// One line through all dots, as in the drawings of Kaplan and Bosch (TSP Art, 2005).
#include "draw/line.hpp"

namespace dapple {

void draw_as_lines(Drawing& drawing, double pen, const std::vector<double>& inks) {
  drawing.pen = pen;
  for (std::size_t i = 0; i < drawing.layers.size(); ++i) {
    Layer& layer = drawing.layers[i];
    if (layer.discs.empty()) continue;
    Polyline line;
    line.points.reserve(layer.discs.size());
    for (const Disc& disc : layer.discs) line.points.push_back(disc.center);
    double way = 0;
    for (std::size_t k = 1; k < line.points.size(); ++k) {
      way += length(line.points[k] - line.points[k - 1]);
    }
    // A line without length is a dot.
    line.width = pen > 0 ? pen : way > 0 ? inks[i] / way : 2 * layer.discs.front().radius;
    layer.discs.clear();
    layer.lines.push_back(std::move(line));
  }
}

}  // namespace dapple
