// Writes drawings as SVG (W3C, SVG 1.1): one user unit is a millimeter, and each group is a layer,
// numbered as pen plotter software expects.
//
// Dots of one size are strokes with round caps, as long as the smallest step of a coordinate, since
// some viewers drop strokes without length. They take 15 bytes each instead of 40 for a circle
// element, and a pen touches the paper once for each. Dots of several sizes are circle
// elements, in drawing order. A shape is written once and reused: 45 bytes per dot. Coordinates are
// rounded once, to multiples of a power of ten far below the size of a dot. They are written as
// exact differences, so that no error accumulates along a path.
#include "io/drawings/svg.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/text/hex_text.hpp"
#include "core/text/number_text.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

constexpr std::string_view recipe_namespace = "urn:dapple";
// Viewers show a pixel lighter if its dots belong to two paths than if one path covers it. So one
// path has no seams, and its tones are closest to the drawing. But XML readers commonly refuse
// attributes beyond 10 MB, and a dot takes up to 20 bytes.
constexpr std::size_t dots_in_a_path = 500000;

// A character that must be escaped in XML.
struct Entity {
  std::string_view name;
  char character;
};
constexpr std::array<Entity, 5> entities{
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#13;", '\r'}}};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto known = std::find_if(entities.begin(), entities.end(),
                                    [c](const Entity& entity) { return entity.character == c; });
    // Other control characters cannot be written at all.
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (known != entities.end()) {
      out += known->name;
    } else {
      out += control ? ' ' : c;
    }
  }
  return out;
}

// Returns 10^exponent exactly.
double power_of_ten(int exponent) {
  double power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// Writes numbers in units of 10^-decimals millimeters.
class Writer {
 public:
  explicit Writer(int decimals) : decimals_(decimals), unit_(1 / power_of_ten(decimals)) {}

  std::string text;

  std::int64_t units(double mm) const { return std::llround(mm / unit_); }

  // Returns the length of the stroke for a touch of a pen, which is never 0.
  std::int64_t touch_units(double mm) const { return std::max<std::int64_t>(1, units(mm)); }
  // Returns where a stroke of this length starts whose middle is at `mm`.
  std::int64_t start_units(double mm, std::int64_t along) const {
    return std::llround(mm / unit_ - 0.5 * static_cast<double>(along));
  }

  // Returns the shortest decimal, without leading or trailing zeros.
  std::string number(std::int64_t n) const {
    std::string digits = std::to_string(static_cast<std::uint64_t>(n < 0 ? -n : n));
    const auto fraction = static_cast<std::size_t>(decimals_);
    if (digits.size() < fraction) digits.insert(0, fraction - digits.size(), '0');
    std::string whole = digits.substr(0, digits.size() - fraction);
    std::string part = digits.substr(digits.size() - fraction);
    part.erase(part.find_last_not_of('0') + 1);
    if (whole == "0") whole.clear();
    if (whole.empty() && part.empty()) return "0";
    return (n < 0 ? "-" : "") + whole + (part.empty() ? "" : "." + part);
  }
  std::string number(double mm) const { return number(units(mm)); }

  // Writes two numbers with the shortest separator that keeps them apart.
  void pair(std::int64_t x, std::int64_t y) {
    text += number(x);
    if (y >= 0) text += ' ';
    text += number(y);
  }

  // Writes the first point as it is, and each other point as the difference from the one before.
  void path(std::span<const Vec2> points) {
    std::int64_t x = 0;
    std::int64_t y = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::int64_t to_x = units(points[i].x);
      const std::int64_t to_y = units(points[i].y);
      text += i == 0 ? "M" : i == 1 ? "l" : to_x >= x ? " " : "";
      pair(to_x - x, to_y - y);
      x = to_x;
      y = to_y;
    }
  }

 private:
  int decimals_;
  double unit_;
};

// Returns the number of decimals that place a dot exactly to a hundredth of its radius.
int decimals_for(double smallest_radius, double paper) {
  const double size = smallest_radius > 0 ? smallest_radius : paper / 1000;
  int decimals = 1;
  while (decimals < 8 && size * power_of_ten(decimals) < 50) ++decimals;
  return decimals;
}

double drawn_radius(const Drawing& drawing, const Disc& disc) {
  const bool traced = drawing.shape == DotShape::spiral || drawing.shape == DotShape::outline;
  if (traced && drawing.pen > 0) return 0.5 * drawing.pen;
  return drawing.shape == DotShape::point && drawing.pen > 0 ? 0.5 * drawing.pen : disc.radius;
}

int decimals_of(const Drawing& drawing) {
  double smallest = 0;
  const auto note = [&smallest](double radius) {
    if (radius > 0 && (smallest == 0 || radius < smallest)) smallest = radius;
  };
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) note(drawn_radius(drawing, disc));
    for (const Polyline& line : layer.lines) note(0.5 * line.width);
  }
  int decimals = decimals_for(smallest, std::max(drawing.width, drawing.height));
  // Two places and two sizes are rounded, by half a unit in each direction, and each of two strokes
  // reaches half a unit to each side.
  constexpr double rounded_away = 3.5;
  while (drawing.slack > 0 && decimals < 8 &&
         rounded_away > drawing.slack * power_of_ten(decimals)) {
    ++decimals;
  }
  return decimals;
}

std::string hex_color(const std::string& color) {
  std::array<std::uint8_t, 3> bytes{};
  const std::array<float, 3> rgb = parse_color(color);
  for (std::size_t c = 0; c < 3; ++c) {
    bytes[c] = static_cast<std::uint8_t>(std::lround(rgb[c] * 255.0f));
  }
  return "#" + hex_text(bytes);
}

void write_metadata(const Drawing& drawing, std::string& out) {
  if (drawing.metadata.empty()) return;
  out += "<metadata>\n";
  for (const auto& [key, value] : drawing.metadata) {
    out += "<dapple:text key=\"" + escaped(key) + "\">" + escaped(value) + "</dapple:text>\n";
  }
  out += "</metadata>\n";
}

// Writes the paper's color in a layer whose name starts with %, which plotters skip as
// documentation. White paper under a pen is left out, since some plotters trace every shape.
void write_paper(const Drawing& drawing, std::string& out) {
  if (drawing.background == "none") return;
  const std::string color = hex_color(drawing.background);
  if (drawing.pen > 0 && color == "#ffffff") return;
  out += "<g id=\"paper\" inkscape:groupmode=\"layer\" inkscape:label=\"% paper\"><rect width=\"" +
         shortest(drawing.width) + "\" height=\"" + shortest(drawing.height) + "\" fill=\"" +
         color + "\"/></g>\n";
}

// Writes strokes of at least this length, centered on the dots, with the round caps of their group.
void write_touches(const std::vector<Disc>& discs, double length, Writer& writer) {
  const std::int64_t along = writer.touch_units(length);
  std::int64_t x = 0;
  std::int64_t y = 0;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const std::int64_t to_x = writer.start_units(discs[i].center.x, along);
    const std::int64_t to_y = writer.units(discs[i].center.y);
    if (i % dots_in_a_path == 0) {
      writer.text += i == 0 ? "<path d=\"M" : "\"/>\n<path d=\"M";
      x = y = 0;
    } else {
      writer.text += 'm';
    }
    writer.pair(to_x - x, to_y - y);
    writer.text += 'h' + writer.number(along);
    x = to_x + along;
    y = to_y;
  }
  if (!discs.empty()) writer.text += "\"/>\n";
}

void write_circles(const std::vector<Disc>& discs, Writer& writer) {
  for (const Disc& disc : discs) {
    writer.text += "<circle cx=\"" + writer.number(disc.center.x) + "\" cy=\"" +
                   writer.number(disc.center.y) + "\" r=\"" + writer.number(disc.radius) + "\"/>\n";
  }
}

// Writes a line as paths of at most `corners` points: some programs take minutes to read or move
// long ones. The next path begins where the last one ended, so that plotting programs join them.
void write_line(const Polyline& line, int corners, Writer& writer) {
  if (line.points.empty()) return;
  in_parts(line.points, corners, [&](std::span<const Vec2> part) {
    writer.text += "<path stroke-width=\"" + writer.number(line.width) + "\" d=\"";
    if (part.size() == 1) {
      const std::int64_t along = writer.touch_units(0);
      writer.text += 'M';
      writer.pair(writer.start_units(part[0].x, along), writer.units(part[0].y));
      writer.text += 'h' + writer.number(along);
    } else {
      writer.path(part);
    }
    writer.text += "\"/>\n";
  });
}

constexpr double outline_units = 1000;  // per radius, in the description of a shape

// Returns the id of a shape. The first has no number, since most drawings have one shape.
std::string shape_name(std::size_t outline) {
  return outline == 0 ? "dot" : "dot" + std::to_string(outline + 1);
}

// Writes a shape at the size of the dots if they have one size, otherwise with radius 1 mm.
void write_outline(const Outline& outline, std::size_t index, double radius, Writer& writer) {
  // Without an exponent, since some readers refuse it.
  const std::string scale = number_text(radius / outline_units, std::chars_format::fixed);
  writer.text += "<g id=\"" + shape_name(index) + "\" transform=\"scale(" + scale + ")\">";
  Writer path(0);
  for (const Outline::Part& part : outline.parts) {
    path.text += part.even_odd ? "<path fill-rule=\"evenodd\" d=\"" : "<path d=\"";
    for (std::vector<Vec2> ring : part.rings) {
      for (Vec2& p : ring) p = p * outline_units;
      path.path(ring);
      path.text += 'z';
    }
    path.text += "\"/>";
  }
  writer.text += path.text;
  writer.text += "</g>";
}

// Returns the radius of all dots, or 0 if the radii differ.
double one_radius(const Drawing& drawing) {
  double radius = 0;
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) {
      if (radius == 0) radius = disc.radius;
      if (disc.radius != radius) return 0;
    }
  }
  return radius;
}

void write_uses(const std::vector<Disc>& discs, bool one_size, Writer& writer) {
  for (const Disc& disc : discs) {
    writer.text += "<use xlink:href=\"#" + shape_name(disc.outline) + "\" ";
    if (one_size) {
      writer.text += "x=\"" + writer.number(disc.center.x) + "\" y=\"" +
                     writer.number(disc.center.y) + "\"/>\n";
    } else {
      writer.text += "transform=\"translate(" + writer.number(disc.center.x) + " " +
                     writer.number(disc.center.y) + ")scale(" + writer.number(disc.radius) +
                     ")\"/>\n";
    }
  }
}

void write_dots(const Drawing& drawing, const Layer& layer, const std::string& color,
                Writer& writer) {
  if (layer.discs.empty()) return;
  const int corners = drawing.plotter.line_corners;
  const double size = drawn_radius(drawing, layer.discs.front());
  const bool one_size = std::all_of(layer.discs.begin(), layer.discs.end(), [&](const Disc& disc) {
    return drawn_radius(drawing, disc) == size;
  });
  const bool filled = drawing.shape == DotShape::spiral && drawing.pen > 0;
  if (!drawing.outlines.empty() && drawing.pen <= 0) {
    writer.text += "<g fill=\"" + color + "\">\n";
    write_uses(layer.discs, one_radius(drawing) > 0, writer);
    writer.text += "</g>\n";
    return;
  }
  const bool outlined = drawing.shape == DotShape::circle && drawing.pen > 0;
  if (outlined) {
    writer.text += "<g fill=\"none\" stroke=\"" + color + "\" stroke-width=\"" +
                   writer.number(drawing.pen) + "\">\n";
    write_circles(layer.discs, writer);
  } else if (filled || !drawing.outlines.empty()) {
    writer.text += "<g fill=\"none\" stroke=\"" + color +
                   "\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for (const Disc& disc : layer.discs) {
      if (filled) write_line({spiral(disc, drawing.pen), drawing.pen}, corners, writer);
      const Outline* const outline = drawing.outline_of(disc);
      if (outline == nullptr) continue;
      for (std::vector<Vec2>& line : lines_of(*outline, disc)) {
        write_line({std::move(line), drawing.pen}, corners, writer);
      }
    }
  } else if (one_size) {
    writer.text += "<g fill=\"none\" stroke=\"" + color + "\" stroke-width=\"" +
                   writer.number(2 * size) + "\" stroke-linecap=\"round\">\n";
    write_touches(layer.discs, drawing.touch, writer);
  } else {
    writer.text += "<g fill=\"" + color + "\">\n";
    write_circles(layer.discs, writer);
  }
  writer.text += "</g>\n";
}

void write_fills(const std::vector<std::vector<Vec2>>& rings, const std::string& color,
                 Writer& writer) {
  if (rings.empty()) return;
  writer.text += "<path fill=\"" + color + "\" d=\"";
  for (const std::vector<Vec2>& ring : rings) {
    writer.path(ring);
    writer.text += 'z';
  }
  writer.text += "\"/>\n";
}

void write_layer(const Drawing& drawing, const Layer& layer, std::size_t number, Writer& writer) {
  const std::string color = hex_color(layer.color);
  writer.text += "<g id=\"layer" + std::to_string(number) +
                 "\" inkscape:groupmode=\"layer\" inkscape:label=\"" + escaped(layer.name) +
                 "\">\n";
  write_fills(layer.fills, color, writer);
  write_dots(drawing, layer, color, writer);
  if (!layer.lines.empty()) {
    writer.text += "<g fill=\"none\" stroke=\"" + color +
                   "\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for (const Polyline& line : layer.lines) {
      write_line(line, drawing.plotter.line_corners, writer);
    }
    writer.text += "</g>\n";
  }
  writer.text += "</g>\n";
}

std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto known = std::find_if(entities.begin(), entities.end(), [&](const Entity& entity) {
      return text.starts_with(entity.name);
    });
    out += known == entities.end() ? text.front() : known->character;
    text.remove_prefix(known == entities.end() ? 1 : known->name.size());
  }
  return out;
}

}  // namespace

std::string encode_svg(const Drawing& drawing) {
  require_drawable(drawing);
  Writer writer(decimals_of(drawing));
  std::vector<bool> uses(drawing.outlines.size(), false);
  for (const Layer& layer : drawing.layers) {
    if (uses.empty() || drawing.pen > 0) break;
    for (const Disc& disc : layer.discs) uses[disc.outline] = true;
  }
  const bool used = std::find(uses.begin(), uses.end(), true) != uses.end();
  // The size of the paper is not rounded: a rounded viewBox would scale everything.
  const std::string width = shortest(drawing.width);
  const std::string height = shortest(drawing.height);
  writer.text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\""
      " xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" xmlns:dapple=\"" +
      std::string(recipe_namespace) +
      (used ? "\" xmlns:xlink=\"http://www.w3.org/1999/xlink" : "") + "\" width=\"" + width +
      "mm\" height=\"" + height + "mm\" viewBox=\"0 0 " + width + " " + height + "\">\n";
  write_metadata(drawing, writer.text);
  write_paper(drawing, writer.text);
  if (used) {
    const double radius = one_radius(drawing);
    writer.text += "<defs>";
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (uses[i]) write_outline(*drawing.outlines[i], i, radius > 0 ? radius : 1, writer);
    }
    writer.text += "</defs>\n";
  }
  for (std::size_t i = 0; i < drawing.layers.size(); ++i) {
    write_layer(drawing, drawing.layers[i], i + 1, writer);
  }
  writer.text += "</svg>\n";
  return std::move(writer.text);
}

std::vector<std::pair<std::string, std::string>> svg_metadata(std::string_view svg) {
  std::vector<std::pair<std::string, std::string>> found;
  constexpr std::string_view open = "<dapple:text key=\"";
  constexpr std::string_view close = "</dapple:text>";
  const auto end = svg.find("</metadata>");
  if (end == std::string_view::npos) return found;
  svg = svg.substr(0, end);
  for (auto at = svg.find(open); at != std::string_view::npos; at = svg.find(open)) {
    svg.remove_prefix(at + open.size());
    const auto key_end = svg.find("\">");
    const auto text_end = svg.find(close);
    if (key_end == std::string_view::npos || text_end == std::string_view::npos ||
        text_end < key_end) {
      break;
    }
    const std::string_view text = svg.substr(key_end + 2, text_end - key_end - 2);
    found.emplace_back(unescaped(svg.substr(0, key_end)), unescaped(text));
    svg.remove_prefix(text_end);
  }
  return found;
}

}  // namespace dapple
