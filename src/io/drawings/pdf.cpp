// Writes drawings as PDF (ISO 32000): one page of the paper's size. Each layer of the drawing is a
// layer that can be hidden. Each ink is a Separation color space of its name, so prepress programs
// make a plate of it. Dots are zero-length strokes with round caps, as in SVG. Circles are four
// curves each.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/constants.hpp"
#include "core/text/number_text.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/plane.hpp"
#include "draw/pen_path.hpp"
#include "io/drawings/pdf_file.hpp"
#include "io/images/module.hpp"

namespace dapple {
namespace {

constexpr double points_per_mm = 72 / mm_per_inch;
constexpr double outline_units = 1000;  // per radius, in the description of a shape

// Writes millimeters in thousandths of a point, which is exact enough and keeps numbers short.
class Page {
 public:
  explicit Page(const Drawing& drawing) : drawing_(drawing) {}

  std::string text;

  void color(const std::string& name) {
    for (const float part : parse_color(name)) {
      text += number(std::round(static_cast<double>(part) * 10000) / 10000) + " ";
    }
  }
  void width(double mm) { text += number(rounded(mm * points_per_mm)) + " w\n"; }
  void place(Vec2 p) {
    text += number(rounded(p.x * points_per_mm)) + " " +
            number(rounded((drawing_.height - p.y) * points_per_mm));
  }

  // Draws each dot as a separate stroke. Programs that widen thin lines to a pixel blacken many
  // dots of one path, but mix the dots of several paths.
  void dots(const std::vector<Disc>& discs) {
    double last = -1;
    for (const Disc& disc : discs) {
      const bool touches = drawing_.shape != DotShape::disc && drawing_.pen > 0;
      const double size = touches ? drawing_.pen : 2 * disc.radius;
      if (size != last) width(last = size);
      touch(disc.center);
    }
  }

  // Draws the dots as copies of a shape with radius outline_units.
  void copies(const std::vector<Disc>& discs) {
    for (const Disc& disc : discs) {
      const double size = disc.radius * points_per_mm / outline_units;
      const std::string scale = number(std::round(size * 1e8) / 1e8);
      text += "q " + scale + " 0 0 -" + scale + " ";
      place(disc.center);
      text += " cm " + pdf_shape_name(disc.outline) + " Do Q\n";
    }
  }
  void shape(const Outline& outline) {
    for (const Outline::Part& part : outline.parts) {
      for (const std::vector<Vec2>& ring : part.rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          text += number(std::round(ring[i].x * outline_units) + 0.0) + " " +
                  number(std::round(ring[i].y * outline_units) + 0.0) + (i == 0 ? " m\n" : " l\n");
        }
      }
      text += part.even_odd ? "f*\n" : "f\n";
    }
  }

  void fill(const std::vector<std::vector<Vec2>>& rings) {
    for (const std::vector<Vec2>& ring : rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        place(ring[i]);
        text += i == 0 ? " m\n" : " l\n";
      }
      text += "h\n";
    }
    text += "f\n";
  }

  void touch(Vec2 at) {
    place(at);
    text += " m h S\n";
  }
  void circle(const Disc& disc) {
    constexpr double k = 0.5522847498307936;  // 4 (sqrt 2 - 1) / 3
    constexpr std::array<Vec2, 12> curve{{{1, k},
                                          {k, 1},
                                          {0, 1},
                                          {-k, 1},
                                          {-1, k},
                                          {-1, 0},
                                          {-1, -k},
                                          {-k, -1},
                                          {0, -1},
                                          {k, -1},
                                          {1, -k},
                                          {1, 0}}};
    place(disc.center + Vec2{disc.radius, 0});
    text += " m";
    for (std::size_t i = 0; i < curve.size(); ++i) {
      text += i % 3 == 0 ? "\n" : " ";
      place(disc.center + curve[i] * disc.radius);
      if (i % 3 == 2) text += " c";
    }
    text += " h S\n";
  }
  void line(const std::vector<Vec2>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      place(points[i]);
      text += i == 0 ? " m\n" : " l\n";
    }
    text += "S\n";
  }

 private:
  static double rounded(double value) { return std::round(value * 1000) / 1000 + 0.0; }
  static std::string number(double value) { return number_text(value, std::chars_format::fixed); }

  const Drawing& drawing_;
};

// Returns the index of a layer's ink in `sheet`, which gains the ink if it is new.
std::size_t ink_of(const Layer& layer, PdfPage& sheet) {
  const std::string& name = layer.ink.empty() ? layer.color : layer.ink;
  const auto at = std::find_if(sheet.inks.begin(), sheet.inks.end(),
                               [&](const PdfPage::Ink& ink) { return ink.name == name; });
  const auto index = static_cast<std::size_t>(at - sheet.inks.begin());
  if (at == sheet.inks.end()) sheet.inks.push_back({name, parse_color(layer.color)});
  return index;
}

PdfPage::Layer page_layer(const Drawing& drawing, const Layer& layer, PdfPage& sheet) {
  Page page(drawing);
  if (layer.color == drawing.background) {  // dots of the paper, which no plate prints
    page.color(layer.color);
    page.text += "RG ";
    page.color(layer.color);
    page.text += "rg\n";
  } else {
    const std::string space = pdf_ink_name(ink_of(layer, sheet));
    page.text += space + " CS 1 SCN " + space + " cs 1 scn\n";
  }
  if (!layer.fills.empty()) page.fill(layer.fills);
  const bool by_pen =
      drawing.pen > 0 && (drawing.shape == DotShape::circle || drawing.shape == DotShape::spiral ||
                          drawing.shape == DotShape::outline);
  if (!drawing.outlines.empty() && drawing.pen <= 0) {
    page.copies(layer.discs);
  } else if (by_pen) {
    page.width(drawing.pen);
    Layer dots;
    dots.discs = layer.discs;
    draw_with(page, drawing, dots);
  } else {
    page.dots(layer.discs);
  }
  for (const Polyline& line : layer.lines) {
    if (line.points.empty()) continue;
    page.width(line.width);
    if (line.points.size() == 1) {
      page.touch(line.points.front());
    } else {
      page.line(line.points);
    }
  }
  return {layer.name, std::move(page.text)};
}

// Returns true if the paper is drawn. White paper under a pen is left out, as in SVG.
bool shows_paper(const Drawing& drawing) {
  if (drawing.background == "none") return false;
  const auto color = parse_color(drawing.background);
  return drawing.pen == 0 || std::any_of(color.begin(), color.end(), [](float c) { return c < 1; });
}

void check(const ModuleError& error) {
  if (!error.text.empty()) throw Error(error.kind, error.text);
}

}  // namespace

std::string encode_pdf(const Drawing& drawing) {
  require_drawable(drawing);
  PdfPage sheet;
  sheet.width = drawing.width * points_per_mm;
  sheet.height = drawing.height * points_per_mm;
  sheet.texts = drawing.metadata;
  if (shows_paper(drawing)) {
    Page page(drawing);
    page.color(drawing.background);
    page.text += "rg 0 0 ";
    page.place({drawing.width, 0});
    page.text += " re f\n";
    sheet.layers.push_back({"", std::move(page.text)});
  }
  for (const auto& outline : drawing.outlines) {
    if (drawing.pen > 0) break;
    Page dot(drawing);
    dot.shape(*outline);
    sheet.shapes.push_back({std::move(dot.text), outline->reach * outline_units + 1});
  }
  for (const Layer& layer : drawing.layers) {
    if (!is_empty(layer)) sheet.layers.push_back(page_layer(drawing, layer, sheet));
  }
  std::string bytes;
  check(image_module("pdf").write_pdf(sheet, bytes));
  return bytes;
}

}  // namespace dapple
