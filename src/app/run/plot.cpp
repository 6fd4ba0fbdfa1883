#include "app/run/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/escape_text.hpp"
#include "core/deterministic_math.hpp"

namespace dapple::app {
namespace {

constexpr double least_ink = 0.6;
constexpr double most_ink = 1.005;     // 100 percent, rounded
constexpr double most_of_line = 1.05;  // the length of a line through dots is less certain
constexpr double longest = 8 * 3600;   // s

// Formats with thousands separators: 31,400.
std::string whole(double value) {
  std::string text = rounded(value, 0);
  for (auto at = std::ssize(text) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

// Formats rough numbers with two significant digits.
std::string about(double value) {
  const double unit = power_of_ten(decimal_exponent(std::max(value, 10.0)) - 1);
  return whole(std::round(value / unit) * unit);
}

std::string duration(double seconds) {
  constexpr double hour = 3600;
  if (seconds < 60) return rounded(seconds, 0) + " s";
  if (seconds < 1.5 * hour) return rounded(seconds / 60, 0) + " min";
  return rounded(seconds / hour, seconds < 10 * hour ? 1 : 0) + " h";
}

// Common widths of pens, mm.
constexpr std::array pens{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2,
                          1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};

// Return the nearest common pen of at least (pen_from) or at most (pen_to) `width`, or "".
std::string pen_from(double width) {
  const auto found = std::lower_bound(pens.begin(), pens.end(), width - 1e-6);
  return found == pens.end() ? "" : shortest(*found) + "mm";
}
std::string pen_to(double width) {
  const auto found = std::upper_bound(pens.begin(), pens.end(), width + 1e-6);
  return found == pens.begin() ? "" : shortest(*(found - 1)) + "mm";
}

bool is_line(const DrawingMade& made) {
  return made.drawing.shape == DotShape::disc;
}

// Returns the pen width that multiplies the ink by `ink`. Ink grows with the square of the width
// for touches, and in proportion to the width for lines.
double width_for(const DrawingMade& made, double ink) {
  return made.drawing.pen * (is_line(made) ? ink : std::sqrt(ink));
}

// Describes what a pen draws: `20,000 touches`, `3 lines of 12.1 m`, or both.
std::string marks_of(const PlotForecast& made) {
  std::string text;
  if (made.touches > 0 || made.lines == 0) {
    text += whole(static_cast<double>(made.touches)) + " touches";
  }
  if (made.lines > 0) {
    const bool is_short = made.drawn < 1000;
    text += (made.touches > 0 ? ", " : "") + whole(static_cast<double>(made.lines)) +
            (made.lines == 1 ? " line" : " lines") + " of " +
            (is_short ? rounded(made.drawn, 0) + " mm" : rounded(made.drawn / 1000, 1) + " m");
  }
  return text;
}

// Returns `a or b`, or the one that is not empty.
std::string either(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : " or ") + b;
}

}  // namespace

Plot plot_of(const DrawingMade& made, const std::vector<std::string>& extensions) {
  Plot plot;
  plot.forecast = forecast(made.drawing);
  plot.ink = made.ink;
  for (const Layer& layer : made.drawing.layers) plot.parts += layer.same_pen ? 1 : 0;
  plot.tiles = made.drawing.tiling.columns * made.drawing.tiling.rows;
  const auto writes = [&](std::string_view extension) {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  };
  plot.for_machine = writes("gcode") || writes("nc") || writes("hpgl") || writes("plt");
  plot.is_told = made.drawing.pen > 0 || (made.on_paper && writes("svg")) || plot.for_machine;
  return plot;
}

std::string plot_of_tile(const PlotForecast& tile) {
  return marks_of(tile) + ", " + duration(tile.seconds);
}

std::string plot_line(const Plot& plot) {
  const PlotForecast& made = plot.forecast;
  std::string line =
      "plot: " + marks_of(made) + ", " + rounded(made.travel / 1000, 1) + " m of travel";
  if (made.pen_changes > 0) {
    line += ", " + std::to_string(made.pen_changes) +
            (made.pen_changes == 1 ? " pen change" : " pen changes");
  }
  line += ", " + duration(made.seconds);
  if (plot.tiles > 1) line += ", in " + std::to_string(plot.tiles) + " tiles";
  if (plot.parts > 1) line += " in " + std::to_string(plot.parts) + " parts";
  return line + ", " + rounded(100 * plot.ink, 0) + " % of the ink that the tones need";
}

std::string picture_warning(const DrawingMade& made) {
  constexpr double least = 1.5;  // pixels; smaller dots merge into gray
  constexpr double plain = 4;    // pixels; dots of this size look round
  double area = 0;
  double dots = 0;
  for (const Layer& layer : made.drawing.layers) {
    for (const Disc& disc : layer.discs) area += disc.radius * disc.radius;
    dots += static_cast<double>(layer.discs.size());
  }
  const double scale = made.raster_width / made.drawing.width;
  const double diameter = dots > 0 ? 2 * std::sqrt(area / dots) * scale : least;
  if (!(diameter < least) || made.drawing.pen > 0) return "";
  const double side = std::max(made.raster_width, made.raster_height) * plain / diameter;
  return whole(dots) + " dots do not fit into " + std::to_string(made.raster_width) + " x " +
         std::to_string(made.raster_height) + " pixels: they are " + rounded(diameter, 1) +
         " pixels wide; `size " + rounded(100 * std::ceil(side / 100), 0) + "` shows them";
}

std::vector<std::string> plot_warnings(const Plot& plot, const DrawingMade& made) {
  std::vector<std::string> warnings;
  const PlotForecast& forecast = plot.forecast;
  const bool has_pen = made.drawing.pen > 0;
  if ((!has_pen && !plot.for_machine) || !(plot.ink > 0)) return warnings;
  double dots = 0;
  for (const Layer& layer : made.drawing.layers) {
    dots += static_cast<double>(layer.discs.size());
    for (const Polyline& line : layer.lines) dots += static_cast<double>(line.points.size());
  }
  const bool line = has_pen && is_line(made);
  const bool touches = made.drawing.shape == DotShape::point;
  const double enough = line ? dots / (plot.ink * plot.ink) : dots / plot.ink;
  const std::string with_dots = "`dots` " + about(enough) + " (" +
                                duration(forecast.seconds * enough / std::max(dots, 1.0)) + ")";
  const auto with_pen = [&](const std::string& width) {
    return width.empty() || (!line && !touches) ? "" : "`pen` " + width;
  };
  const std::string share = rounded(100 * plot.ink, 0) + " % of the ink that the tones need: ";
  if (has_pen && plot.ink < least_ink) {
    const std::string mended = either(with_pen(pen_from(width_for(made, 1 / plot.ink))), with_dots);
    warnings.push_back("the drawing looks pale, with " + share +
                       (made.drawing.slack > 0 ? "a smaller `gap`, or " + mended : mended) +
                       " would be enough");
  } else if (has_pen && plot.ink > (line ? most_of_line : most_ink)) {
    const std::string mended = either(with_pen(pen_to(width_for(made, 1 / plot.ink))), with_dots);
    warnings.push_back("the drawing looks dark, with " + share + mended + " would be enough");
  }
  if (forecast.seconds > longest) {
    // At equal tones, the number of dots falls as 1 / width^2, and lifts dominate the time.
    const double longer = 1.05 * forecast.seconds / longest / std::min(1.0, plot.ink);
    const std::string width =
        touches && has_pen ? pen_from(made.drawing.pen * std::sqrt(longer)) : std::string();
    const double parts = std::ceil(forecast.seconds / longest);
    warnings.push_back("plotting takes " + duration(forecast.seconds) + ": " +
                       (width.empty() ? "use fewer `dots`"
                                      : "`pen` " + width + " needs fewer dots for the same tones") +
                       (plot.parts > 1 || line
                            ? ""
                            : "; `split` " + rounded(parts, 0) + " makes parts of " +
                                  duration(forecast.seconds / parts)));
  }
  return warnings;
}

}  // namespace dapple::app
