// Drawings as HP-GL (Hewlett-Packard Graphics Language): units of 0.025 mm from the lower left
// corner, a pen for each layer.
#include <cmath>
#include <cstdint>
#include <string>

#include "dapple/drawing_files.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

class Pen {
 public:
  explicit Pen(const Drawing& drawing) : height_(drawing.height) {}

  std::string text = "IN;\n";

  void touch(Vec2 at) {
    up(at);
    text += "PD;PU;\n";
  }
  void circle(const Disc& disc) {
    up(disc.center);
    text += "CI" + std::to_string(std::max<std::int64_t>(1, units(disc.radius))) + ";\n";
  }
  void line(const std::vector<Vec2>& points) {
    up(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
      // Lines of text stay short: some plotters have buffers of 80 characters.
      text += i % 6 == 1 ? (i > 1 ? ";\nPD" : "PD") : ",";
      text += place(points[i]);
    }
    text += ";PU;\n";
  }

 private:
  static std::int64_t units(double mm) { return std::llround(mm * 40); }
  std::string place(Vec2 p) const {
    return std::to_string(units(p.x)) + "," + std::to_string(units(height_ - p.y));
  }
  void up(Vec2 at) { text += "PU" + place(at) + ";"; }

  double height_;
};

}  // namespace

std::string encode_hpgl(const Drawing& drawing) {
  require_drawable(drawing);
  Pen pen(drawing);
  int number = 0;
  for (const Layer& layer : drawing.layers) {
    if (is_empty(layer)) continue;
    if (!layer.same_pen || number == 0) pen.text += "SP" + std::to_string(++number) + ";\n";
    draw_with(pen, drawing, layer);
  }
  pen.text += "PU0,0;SP0;\n";
  return std::move(pen.text);
}

}  // namespace dapple
