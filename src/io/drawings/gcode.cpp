// Writes drawings as G-code (RS-274, NIST 2000): millimeters from the lower left corner, y up.
// Commands of the drawing's plotter lift and lower the pen. The machine waits (M0) for a change of
// pens.
//
// A laser is on from M3 or M4 with its power S until M5, for GRBL in its laser mode ($32 = 1). This
// mode keeps the laser off after G0 until a line, so a bare G1 goes before a dwell (G4 in seconds).
// The laser stands still on a dot, where M4 has no power, so dots are always of constant power.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/text/number_text.hpp"
#include "dapple/drawing_files.hpp"
#include "draw/pen_path.hpp"
#include "io/drawings/comments.hpp"
#include "io/drawings/svg.hpp"

namespace dapple {
namespace {

// Returns a number with at most three decimals and no trailing zeros.
std::string number(double value) {
  return number_text(std::round(value * 1000) / 1000 + 0.0);  // no -0
}

constexpr std::string_view comment_start = "; ";

// Returns a line per command; | separates commands.
std::string lines_of(std::string_view commands) {
  std::string text;
  while (!commands.empty()) {
    std::string_view one = commands.substr(0, commands.find('|'));
    commands.remove_prefix(std::min(one.size() + 1, commands.size()));
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (!one.empty()) text += std::string(one) + "\n";
  }
  return text;
}

class Pen {
 public:
  explicit Pen(const Drawing& drawing)
      : height_(drawing.height),
        plotter_(drawing.plotter),
        feed_(" F" + number(60 * drawing.plotter.speed)) {
    settle({});
  }

  std::string text;

  // Chooses the commands of a layer.
  void settle(const Layer& layer) {
    if (plotter_.laser == LaserPower::none) {
      up_ = lines_of(plotter_.pen_up);
      down_ = dot_ = lines_of(plotter_.pen_down);
      return;
    }
    const double percent = layer.laser_power > 0 ? layer.laser_power : plotter_.laser_power;
    const double dwell = layer.dwell > 0 ? layer.dwell : plotter_.dwell;
    const std::string power = " S" + number(plotter_.laser_full * percent / 100) + "\n";
    up_ = "M5\n";
    down_ = (plotter_.laser == LaserPower::constant ? "M3" : "M4") + power;
    dot_ = "G1" + feed_ + "\nM3" + power + "G4 P" + number_text(dwell) + "\n";
  }

  void up() { text += up_; }
  void travel(Vec2 to) { text += "G0" + place(to) + "\n"; }
  void touch(Vec2 at) {
    travel(at);
    text += dot_;
    up();
  }
  void circle(const Disc& disc) {
    const Vec2 start = disc.center + Vec2{disc.radius, 0};
    travel(start);
    text += down_;
    text += "G2" + place(start) + " I" + number(-disc.radius) + " J0" + feed_ + "\n";
    up();
  }
  void line(const std::vector<Vec2>& points) {
    travel(points.front());
    text += down_;
    for (std::size_t i = 1; i < points.size(); ++i) {
      text += "G1" + place(points[i]) + (i == 1 ? feed_ : "") + "\n";
    }
    up();
  }

 private:
  std::string place(Vec2 p) const { return " X" + number(p.x) + " Y" + number(height_ - p.y); }

  double height_;
  const Plotter& plotter_;
  std::string feed_, up_;
  std::string down_, dot_;  // before a line, and on a dot
};

}  // namespace

std::string encode_gcode(const Drawing& drawing) {
  require_drawable(drawing);
  Pen pen(drawing);
  pen.text =
      comment_lines("paper " + number(drawing.width) + " x " + number(drawing.height) + " mm",
                    comment_start) +
      metadata_comments(drawing.metadata, comment_start);
  pen.text += "G21\nG90\n";
  pen.up();
  bool first = true;
  for (const Layer& layer : drawing.layers) {
    if (is_empty(layer)) continue;
    pen.settle(layer);
    if (!first && layer.laser_power == 0) {
      pen.travel({0, drawing.height});
      pen.text += "M0\n";
    }
    pen.text += comment_lines("layer " + layer.name, comment_start);
    PenWithinPaper within(pen, drawing);
    draw_with(within, drawing, layer);
    first = false;
  }
  pen.travel({0, drawing.height});
  pen.text += "M2\n";
  return std::move(pen.text);
}

std::vector<std::pair<std::string, std::string>> gcode_metadata(std::string_view gcode) {
  return metadata_of_comments(gcode, comment_start);
}

}  // namespace dapple
