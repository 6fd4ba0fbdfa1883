// Writes drawings as DXF of release 12 in ASCII (AutoCAD R12, AC1009), which every CAD and laser
// program reads: millimeters from the lower left corner of the paper, y up, one layer per ink. The
// release has no unit, no fills and only the 255 colors of the AutoCAD Color Index.
//
// Dots are circles of their size, or points if a pen touches the paper there. Lines are polylines
// without a width. Outlines of shapes are closed polylines.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "core/text/number_text.hpp"
#include "dapple/drawing_files.hpp"
#include "draw/pen_path.hpp"
#include "io/drawings/comments.hpp"
#include "io/drawings/svg.hpp"

namespace dapple {
namespace {

constexpr std::string_view comment_start = "999\n";

using Rgb = std::array<double, 3>;  // 0..255

// Returns color `index` of the AutoCAD Color Index, for 10..255: 24 hues, each of five values as it
// is and pale, and six grays.
Rgb indexed_color(int index) {
  constexpr int first_gray = 250;
  constexpr std::array<double, 6> grays{51, 80, 105, 130, 190, 255};
  if (index >= first_gray) {
    const double gray = grays[static_cast<std::size_t>(index - first_gray)];
    return {gray, gray, gray};
  }
  constexpr std::array<double, 5> values{255, 189, 129, 104, 79};
  constexpr double pale = 2.0 / 3;  // of the value, in the weakest component
  const double value = values[static_cast<std::size_t>(index % 10 / 2)];
  const double least = index % 2 == 1 ? pale * value : 0;
  const int hues = index / 10 - 1;
  const double hue = hues / 4.0;  // 0..6, from red to yellow, green ...
  Rgb color;
  for (std::size_t i = 0; i < 3; ++i) {
    // Distance of the hue from that of red, green or blue.
    const double away = std::abs(std::remainder(hue - 2.0 * static_cast<double>(i), 6.0));
    color[i] = least + (value - least) * std::clamp(2 - away, 0.0, 1.0);
  }
  return color;
}

// Returns the index that looks most like a color. 7 is black on white paper, and white on black.
int color_index(const std::string& color) {
  constexpr int black_or_white = 7;
  const auto given = parse_color(color);
  const auto away = [&](const Rgb& of) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double difference = 255 * static_cast<double>(given[i]) - of[i];
      sum += difference * difference;
    }
    return sum;
  };
  int best = black_or_white;
  double least = std::min(away({0, 0, 0}), away({255, 255, 255}));
  for (int index = 10; index <= 255; ++index) {
    const double distance = away(indexed_color(index));
    if (distance >= least) continue;
    least = distance;
    best = index;
  }
  return best;
}

// Returns a name in the characters and the length that the release allows: A-Z, 0-9, - and _.
std::string layer_name(const std::string& name) {
  constexpr std::size_t longest = 31;
  std::string made;
  for (const char c : name.substr(0, longest)) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const bool is_plain =
        (upper >= 'A' && upper <= 'Z') || (upper >= '0' && upper <= '9') || upper == '-';
    made += is_plain ? upper : '_';
  }
  return made;
}

class Writer {
 public:
  explicit Writer(const Drawing& drawing)
      : height_(drawing.height), corners_(drawing.plotter.line_corners) {}

  std::string text;
  std::string layer;

  void pair(int code, std::string_view value) {
    text += std::to_string(code) + '\n';
    text.append(value) += '\n';
  }
  void number(int code, double value) {
    // Rounded to 0.0001 mm, with a point, without which some readers take it for an integer.
    const double rounded = std::round(value * 10000) / 10000 + 0.0;  // no -0
    std::string digits = number_text(rounded, std::chars_format::fixed);
    if (digits.find('.') == std::string::npos) digits += ".0";
    pair(code, digits);
  }
  // Writes a place on paper.
  void place(Vec2 p) {
    number(10, p.x);
    number(20, height_ - p.y);
  }

  void touch(Vec2 at) {
    entity("POINT");
    place(at);
  }
  void circle(const Disc& disc) {
    entity("CIRCLE");
    place(disc.center);
    number(40, disc.radius);
  }
  void line(const std::vector<Vec2>& points) {
    const bool is_ring = points.size() > 3 && points.front() == points.back();
    const std::span<const Vec2> all(points);
    if (is_ring && (corners_ == 0 || points.size() <= static_cast<std::size_t>(corners_))) {
      polyline(all.first(all.size() - 1), true);
    } else {
      in_parts(all, corners_, [&](std::span<const Vec2> part) { polyline(part, false); });
    }
  }

 private:
  void entity(std::string_view name) {
    pair(0, name);
    pair(8, layer);
  }
  void polyline(std::span<const Vec2> points, bool closed) {
    entity("POLYLINE");
    pair(66, "1");  // vertices follow
    number(10, 0);
    number(20, 0);
    number(30, 0);
    if (closed) pair(70, "1");
    for (const Vec2 p : points) {
      entity("VERTEX");
      place(p);
    }
    entity("SEQEND");
  }

  double height_;
  int corners_;
};

void write_header(const Drawing& drawing, Writer& writer) {
  writer.pair(0, "SECTION");
  writer.pair(2, "HEADER");
  writer.pair(9, "$ACADVER");
  writer.pair(1, "AC1009");
  for (const char* const corner : {"EXT", "LIM"}) {
    writer.pair(9, "$" + std::string(corner) + "MIN");
    writer.place({0, drawing.height});
    writer.pair(9, "$" + std::string(corner) + "MAX");
    writer.place({drawing.width, 0});
  }
  writer.pair(0, "ENDSEC");
}

void write_tables(const Drawing& drawing, Writer& writer) {
  writer.pair(0, "SECTION");
  writer.pair(2, "TABLES");
  writer.pair(0, "TABLE");
  writer.pair(2, "LTYPE");
  writer.pair(70, "1");
  writer.pair(0, "LTYPE");
  writer.pair(2, "CONTINUOUS");
  writer.pair(70, "0");
  writer.pair(3, "Solid line");
  writer.pair(72, "65");
  writer.pair(73, "0");
  writer.number(40, 0);
  writer.pair(0, "ENDTAB");
  writer.pair(0, "TABLE");
  writer.pair(2, "LAYER");
  writer.pair(70, std::to_string(drawing.layers.size()));
  for (const Layer& layer : drawing.layers) {
    writer.pair(0, "LAYER");
    writer.pair(2, layer_name(layer.name));
    writer.pair(70, "0");
    writer.pair(62, std::to_string(color_index(layer.color)));
    writer.pair(6, "CONTINUOUS");
  }
  writer.pair(0, "ENDTAB");
  writer.pair(0, "ENDSEC");
}

// Returns how the dots are drawn. Without a pen, dots and shapes are drawn by their outlines.
Drawing manner_of(const Drawing& drawing) {
  Drawing manner;
  manner.shape = drawing.shape;
  manner.outlines = drawing.outlines;
  manner.pen = drawing.pen;
  manner.touch = drawing.touch;
  if (drawing.pen > 0 || drawing.shape == DotShape::outline) return manner;
  manner.shape = DotShape::circle;
  manner.pen = 1;
  return manner;
}

}  // namespace

std::string encode_dxf(const Drawing& drawing) {
  require_drawable(drawing);
  Writer writer(drawing);
  writer.text = comment_lines("paper " + shortest(drawing.width) + " x " +
                                  shortest(drawing.height) + " mm, coordinates in mm",
                              comment_start) +
                metadata_comments(drawing.metadata, comment_start);
  write_header(drawing, writer);
  write_tables(drawing, writer);
  writer.pair(0, "SECTION");
  writer.pair(2, "ENTITIES");
  const Drawing manner = manner_of(drawing);
  PenWithinPaper within(writer, drawing);
  for (const Layer& layer : drawing.layers) {
    writer.layer = layer_name(layer.name);
    draw_with(within, manner, layer);
  }
  writer.pair(0, "ENDSEC");
  writer.pair(0, "EOF");
  return std::move(writer.text);
}

std::vector<std::pair<std::string, std::string>> dxf_metadata(std::string_view dxf) {
  return metadata_of_comments(dxf, comment_start);
}

}  // namespace dapple
