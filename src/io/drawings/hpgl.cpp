// Writes drawings as HP-GL (Hewlett-Packard Graphics Language): units of 0.025 mm from the lower
// left corner or the center of the paper, one pen per layer. If a drawing promises a gap between
// its dots, their centers are moved to this grid so that the gap remains. The marks of a dot are
// then rounded towards its center.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "dapple/drawing_files.hpp"
#include "draw/pen_path.hpp"
#include "draw/snap_to_grid.hpp"

namespace dapple {
namespace {

// Returns the length of a unit in mm.
double unit_of(const Drawing& drawing) {
  return drawing.plotter.hpgl_unit == HpglUnit::nominal ? 0.025 : 0.02488;
}

class Pen {
 public:
  explicit Pen(const Drawing& drawing) : height_(drawing.height), unit_(unit_of(drawing)) {
    if (drawing.plotter.hpgl_origin == HpglOrigin::corner) return;
    left_ = units(0.5 * drawing.width);
    bottom_ = units(0.5 * drawing.height);
  }

  std::string text = "IN;\n";
  std::optional<Vec2> about{};  // the center of a mark that must not grow

  // Moves to the lower left corner and puts the pen away.
  void home() {
    up({0, height_});
    text += "SP0;\n";
  }
  void touch(Vec2 at) {
    up(at);
    text += "PD;PU;\n";
  }
  void circle(const Disc& disc) {
    up(disc.center);
    text += "CI" + std::to_string(std::max<std::int64_t>(1, towards(disc.radius, 0))) + ";\n";
  }
  void line(const std::vector<Vec2>& points) {
    up(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
      // Lines of text stay short, since some plotters have buffers of 80 characters.
      text += i % 6 == 1 ? (i > 1 ? ";\nPD" : "PD") : ",";
      text += place(points[i]);
    }
    text += ";PU;\n";
  }

 private:
  std::int64_t units(double mm) const { return std::llround(mm / unit_); }
  // Rounds to a unit that is no farther from `center` than `mm` is.
  std::int64_t towards(double mm, double center) const {
    if (!about) return units(mm);
    const std::int64_t from = units(center);
    constexpr double hair = 1e-6;
    const double away = mm / unit_ - static_cast<double>(from);
    return from + static_cast<std::int64_t>(std::trunc(away + std::copysign(hair, away)));
  }
  std::string place(Vec2 p) const {
    const Vec2 center = about.value_or(p);
    return std::to_string(towards(p.x, center.x) - left_) + "," +
           std::to_string(towards(height_ - p.y, height_ - center.y) - bottom_);
  }
  void up(Vec2 at) { text += "PU" + place(at) + ";"; }

  double height_;
  double unit_;
  // The origin from the lower left corner, in units.
  std::int64_t left_ = 0;
  std::int64_t bottom_ = 0;
};

}  // namespace

std::string encode_hpgl(const Drawing& whole) {
  require_drawable(whole);
  Drawing drawing = whole;
  if (drawing.gap > 0) put_on_grid(drawing, unit_of(drawing));
  Pen pen(drawing);
  PenWithinPaper within(pen, drawing);
  int number = 0;
  for (Layer& layer : drawing.layers) {
    if (is_empty(layer)) continue;
    if (!layer.same_pen || number == 0) pen.text += "SP" + std::to_string(++number) + ";\n";
    if (drawing.gap > 0) {
      for (const Disc& disc : layer.discs) {
        pen.about = disc.center;
        draw_with(within, drawing, Layer{"", layer.color, {disc}, {}});
      }
      pen.about.reset();
      layer.discs.clear();
    }
    draw_with(within, drawing, layer);
  }
  pen.home();
  return std::move(pen.text);
}

}  // namespace dapple
