// Implements what a pen draws instead of filled dots, and the options of its plotter.
#include "draw/pen_path.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/units.hpp"

namespace dapple {

std::vector<Vec2> spiral(const Disc& disc, double pen) {
  constexpr double turn = full_circle;
  constexpr double deviation = 0.02;  // mm, of chords from the curve
  const double outer = disc.radius - 0.5 * pen;
  std::vector<Vec2> points{disc.center};
  if (!(outer > 0) || !(pen > 0)) return points;
  if (!(outer / pen <= 1e6)) {
    throw Error(ErrorKind::limit, "a spiral of " + shortest(std::round(outer / pen)) +
                                      " turns is too long; at most 1000000 are allowed");
  }
  // The turns are one pen apart from the center to the rim. The last turn follows the rim.
  const double end = turn * outer / pen;
  const double flattest = std::max(0.0, 1 - deviation / std::max(outer, deviation));
  const double step = std::clamp(2 * portable_acos(flattest), turn / 360, turn / 12);
  const auto add = [&](double angle, double radius) {
    points.push_back(disc.center + direction(angle / turn) * radius);
  };
  for (double angle = step; angle < end; angle += step) add(angle, pen * angle / turn);
  for (int i = 0, n = static_cast<int>(std::ceil(turn / step)); i <= n; ++i) {
    add(end + turn * i / n, outer);
  }
  return points;
}

void require_drawable(const Drawing& drawing) {
  check(drawing.plotter);
  const auto meet = [](double v) {
    constexpr double farthest = 1e7;  // mm
    if (std::abs(v) <= farthest) return;
    throw Error(
        ErrorKind::input,
        "places and sizes in a drawing must be at most 10000000 mm, not " + shortest(v) + " mm");
  };
  const auto meet_all = [&](const std::vector<Vec2>& places) {
    for (const Vec2 p : places) {
      meet(p.x);
      meet(p.y);
    }
  };
  meet_all({{drawing.width, drawing.height}, {drawing.pen, 0}});
  const auto& outlines = drawing.outlines;
  const Error none(ErrorKind::input, "the drawing lacks the outline of a dot shape");
  if (drawing.shape == DotShape::outline && outlines.empty()) throw none;
  if (std::find(outlines.begin(), outlines.end(), nullptr) != outlines.end()) throw none;
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) {
      meet_all({disc.center, {disc.radius, 0}});
      if (!outlines.empty() && disc.outline >= outlines.size()) throw none;
    }
    for (const Polyline& line : layer.lines) {
      meet_all(line.points);
      meet(line.width);
    }
    for (const std::vector<Vec2>& fill : layer.fills) meet_all(fill);
  }
}

void draw_as_lines(Drawing& drawing, double pen, const std::vector<double>& inks,
                   const std::function<bool(const Disc&, const Disc&)>& breaks) {
  drawing.pen = pen;
  for (std::size_t i = 0; i < drawing.layers.size(); ++i) {
    Layer& layer = drawing.layers[i];
    if (layer.discs.empty()) continue;
    std::vector<Polyline> lines(1);
    double way = 0;
    for (std::size_t k = 0; k < layer.discs.size(); ++k) {
      if (k > 0 && breaks(layer.discs[k - 1], layer.discs[k])) {
        lines.emplace_back();
      } else if (k > 0) {
        way += length(layer.discs[k].center - layer.discs[k - 1].center);
      }
      lines.back().points.push_back(layer.discs[k].center);
    }
    // A line without length is a dot.
    const double width = pen > 0 ? pen : way > 0 ? inks[i] / way : 2 * layer.discs.front().radius;
    for (Polyline& line : lines) line.width = width;
    layer.discs.clear();
    layer.lines = std::move(lines);
  }
}

bool leave_out_first(Drawing& drawing, std::int64_t count) {
  const auto take = [&count](auto& marks) {
    const auto n = std::min<std::int64_t>(count, std::ssize(marks));
    marks.erase(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(n));
    count -= n;
    return !marks.empty();
  };
  bool any = false;
  for (Layer& layer : drawing.layers) {
    if (take(layer.discs)) any = true;
    if (take(layer.lines)) any = true;
  }
  return any;
}

void describe(Plotter& plotter, OptionList& list) {
  list.group("Plotter");
  list.add("speed", plotter.speed,
           "Speed of the drawing pen, in G-code and for the estimated plotting time")
      .unit("mm/s")
      .range(0.01, 100000);
  list.add("travel-speed", plotter.travel_speed,
           "Speed of the lifted pen, for the estimated plotting time")
      .unit("mm/s")
      .range(0.01, 100000);
  list.add("acceleration", plotter.acceleration,
           "Acceleration of the pen, for the estimated plotting time")
      .unit("mm/s^2")
      .range(0.01, 10000000);
  list.add("pen-lift", plotter.pen_lift, "Time to lift or lower the pen").unit("s").range(0, 3600);
  list.add("pen-change", plotter.pen_change, "Time to change to another pen")
      .unit("s")
      .range(0, 3600);
  const auto commands = [](std::string_view text) {
    if (text.find_first_of("\r\n") != std::string_view::npos) {
      return std::string("must be one line, with | between commands");
    }
    const auto is_ascii = [](char c) { return c >= 0x20 && c < 0x7f; };
    if (!std::all_of(text.begin(), text.end(), is_ascii)) {
      return std::string("must be ASCII: controllers act on other bytes");
    }
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t length = std::min(rest.find('|'), rest.size());
      if (length > longest_plotter_line) {
        return "must hold at most " + std::to_string(longest_plotter_line) + " bytes per command";
      }
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    return std::string();
  };
  list.add("pen-up", plotter.pen_up,
           "G-code that lifts the pen, such as 'M5 | G4 P0.2' for a servo")
      .metavar("COMMANDS")
      .check(commands);
  list.add("pen-down", plotter.pen_down, "G-code that lowers the pen")
      .metavar("COMMANDS")
      .check(commands);
  list.add("laser-mode", plotter.laser,
           "G-code for a laser instead of a pen, as GRBL's laser mode reads it: constant power at "
           "any speed (M3), or dynamic, where the power of lines follows the speed (M4)");
  list.add("laser-power", plotter.laser_power, "Power of the laser, in percent of its full power")
      .unit("%")
      .range(0, 100);
  list.add("laser-full", plotter.laser_full,
           "Number S of full power in G-code, as the controller has it ($30 of GRBL)")
      .range(1, 1000000);
  list.add("dwell", plotter.dwell, "Time that the laser stays on each dot")
      .unit("s")
      .range(0.0001, 3600);
  list.add("line-corners", plotter.line_corners,
           "Most corners of a line in SVG and DXF; a longer line goes on in another from the same "
           "place; 0: any number")
      .range(0, 1000000000)
      .check([](std::string_view text) { return text == "1" ? "must be 0, or at least 2" : ""; });
  list.add("hpgl-origin", plotter.hpgl_origin,
           "Origin of HP-GL: the lower left corner of the paper, or its center");
  list.add("hpgl-unit", plotter.hpgl_unit,
           "Length of a unit of HP-GL: as the language defines it, or as the HP 7475A has it");
}

}  // namespace dapple
