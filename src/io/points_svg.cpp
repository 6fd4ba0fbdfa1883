// The dots of an SVG file as points: circles, ellipses, zero-length lines, round paths, and <use>
// of them, through transforms and viewports. Positions become pixels of 1/96 inch from the page's
// top left corner; styles in attributes and in style="" are followed, style sheets are not.
#include <algorithm>
#include <pugixml.hpp>
#include <unordered_map>

#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "io/points_format.hpp"
#include "io/svg.hpp"
#include "io/svg_path.hpp"

namespace dapple {
namespace {

// What children inherit.
struct Style {
  Affine to_page;
  double stroke_width = 1;  // in the units of the element
  std::string_view fill = "black";
  std::string_view stroke = "none";
};

struct Side {
  double pixels = 0;
  bool given = false;
};

// A length in pixels; percentages count as not given.
Side side(std::string_view text) {
  double value = 0;
  if (!take_svg_number(text, value)) return {};
  const auto end = text.find_last_not_of(" \t\r\n");
  const std::string_view unit = end == std::string_view::npos ? "" : text.substr(0, end + 1);
  struct Named {
    std::string_view name;
    double pixels;
  };
  static constexpr Named units[] = {{"", 1},           {"px", 1},         {"in", 96},
                                    {"cm", 96 / 2.54}, {"mm", 96 / 25.4}, {"Q", 96 / 101.6},
                                    {"pt", 96.0 / 72}, {"pc", 16}};
  for (const Named& known : units) {
    if (known.name == unit) return {value * known.pixels, value > 0};
  }
  return {};
}

// The value of a property: style="" goes before the attribute.
std::string_view property(const pugi::xml_node& node, std::string_view name) {
  std::string_view style = node.attribute("style").value();
  while (!style.empty()) {
    std::string_view declaration = style.substr(0, style.find(';'));
    style.remove_prefix(std::min(declaration.size() + 1, style.size()));
    const auto colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const auto trim = [](std::string_view text) {
      const auto first = text.find_first_not_of(" \t\r\n");
      if (first == std::string_view::npos) return std::string_view();
      return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    };
    if (trim(declaration.substr(0, colon)) == name) return trim(declaration.substr(colon + 1));
  }
  return node.attribute(std::string(name).c_str()).value();
}

double number(const pugi::xml_node& node, std::string_view name) {
  return side(property(node, name)).pixels;
}

class SvgReader {
 public:
  explicit SvgReader(const Limits& limits) : limits_(limits) {}

  PointSet read(const pugi::xml_document& document, std::size_t bytes) {
    const pugi::xml_node root = document.document_element();
    if (local_name(root) != "svg") {
      throw Error(ErrorKind::input, "is no SVG file: its root element is <" +
                                        std::string(root.name()).substr(0, 40) + ">");
    }
    // A file that uses its symbols again and again can grow without end.
    visits_left_ = 16 * bytes;
    collect_ids(root, 0);
    Style style;
    style.to_page = page(root);
    children(root, inherited(root, style), 0);
    if (points_.empty()) {
      throw Error(ErrorKind::input,
                  "holds no dots: no circles, ellipses, zero-length strokes or round paths");
    }
    if (inks_.size() < 2 || inks_.size() > most_inks) points_.klass.clear();
    return finished(std::move(points_), has_page_);
  }

 private:
  static constexpr int deepest = 200;
  // Beyond any set of pens the colours are a gradient, not classes.
  static constexpr std::size_t most_inks = 64;

  static std::string_view local_name(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    const auto colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
  }

  static void check_depth(int depth) {
    if (depth > deepest) {
      throw Error(ErrorKind::input,
                  "its elements are nested more than " + std::to_string(deepest) + " levels deep");
    }
  }

  void collect_ids(const pugi::xml_node& node, int depth) {
    check_depth(depth);
    if (const pugi::xml_attribute id = node.attribute("id")) ids_.emplace(id.value(), node);
    for (const pugi::xml_node child : node.children()) collect_ids(child, depth + 1);
  }

  // A page made in whole pixels and written in millimetres is whole again.
  static double whole(double pixels) {
    const double rounded = std::round(pixels);
    return std::abs(pixels - rounded) <= 1e-12 * pixels ? rounded : pixels;
  }

  // The page in pixels, and the way from the root's units to it. preserveAspectRatio: the default,
  // xMidYMid meet, or none.
  Affine page(const pugi::xml_node& root) {
    double box[4] = {};
    std::string_view text = root.attribute("viewBox").value();
    bool has_box = true;
    for (double& value : box) has_box = has_box && take_svg_number(text, value);
    has_box = has_box && box[2] > 0 && box[3] > 0;
    Side width = side(root.attribute("width").value());
    Side height = side(root.attribute("height").value());
    if (has_box) {
      if (!width.given) width.pixels = height.given ? height.pixels * box[2] / box[3] : box[2];
      if (!height.given) height.pixels = width.given ? width.pixels * box[3] / box[2] : box[3];
    }
    has_page_ = has_box || (width.given && height.given);
    if (!has_page_) return {};
    points_.domain = {whole(width.pixels), whole(height.pixels), false};
    if (!has_box) return {};
    double sx = width.pixels / box[2], sy = height.pixels / box[3];
    Vec2 spare;
    if (std::string_view(root.attribute("preserveAspectRatio").value()) != "none") {
      const double s = std::min(sx, sy);
      spare = {0.5 * (width.pixels - s * box[2]), 0.5 * (height.pixels - s * box[3])};
      sx = sy = s;
    }
    return {sx, 0, 0, sy, spare.x - sx * box[0], spare.y - sy * box[1]};
  }

  static Style inherited(const pugi::xml_node& node, Style style) {
    if (const auto text = property(node, "transform"); !text.empty()) {
      style.to_page = style.to_page * parse_transform(text);
    }
    if (const auto text = property(node, "stroke-width"); !text.empty()) {
      style.stroke_width = side(text).pixels;
    }
    if (const auto text = property(node, "fill"); !text.empty()) style.fill = text;
    if (const auto text = property(node, "stroke"); !text.empty()) style.stroke = text;
    return style;
  }

  void children(const pugi::xml_node& node, const Style& style, int depth) {
    for (const pugi::xml_node child : node.children()) element(child, style, depth + 1);
  }

  void element(const pugi::xml_node& node, const Style& outer, int depth) {
    if (node.type() != pugi::node_element) return;
    check_depth(depth);
    if (visits_left_-- == 0) {
      throw Error(ErrorKind::limit, "its <use> elements repeat too much to be read");
    }
    const std::string_view name = local_name(node);
    for (const std::string_view hidden :
         {"defs", "symbol", "clipPath", "mask", "pattern", "marker", "metadata"}) {
      if (name == hidden) return;
    }
    if (property(node, "display") == "none") return;
    Style style = inherited(node, outer);
    if (name == "g" || name == "a" || name == "switch") {
      children(node, style, depth);
    } else if (name == "svg") {
      style.to_page = style.to_page * Affine{1, 0, 0, 1, number(node, "x"), number(node, "y")};
      children(node, style, depth);
    } else if (name == "use") {
      use(node, style, depth);
    } else {
      shape(node, name, style);
    }
  }

  void use(const pugi::xml_node& node, Style style, int depth) {
    std::string_view target = node.attribute("href").value();
    if (target.empty()) target = node.attribute("xlink:href").value();
    if (!target.starts_with('#')) return;
    const auto found = ids_.find(std::string(target.substr(1)));
    if (found == ids_.end()) return;
    style.to_page = style.to_page * Affine{1, 0, 0, 1, number(node, "x"), number(node, "y")};
    if (local_name(found->second) == "symbol")
      children(found->second, style, depth + 1);
    else
      element(found->second, style, depth + 1);
  }

  void shape(const pugi::xml_node& node, std::string_view name, const Style& style) {
    const Vec2 centre{number(node, "cx"), number(node, "cy")};
    if (name == "circle") {
      add(centre, number(node, "r"), style);
    } else if (name == "ellipse") {
      add(centre, std::sqrt(std::max(0.0, number(node, "rx") * number(node, "ry"))), style);
    } else if (name == "line") {
      const Vec2 a{number(node, "x1"), number(node, "y1")};
      if (a == Vec2{number(node, "x2"), number(node, "y2")}) touch(a, style);
    } else if (name == "path") {
      dots_.clear();
      path_dots(node.attribute("d").value(), dots_);
      for (const PathDot& dot : dots_) add(dot, style);
    } else if (name == "polyline" || name == "polygon") {
      dots_.clear();
      path_dots(
          "M" + std::string(node.attribute("points").value()) + (name == "polygon" ? "z" : ""),
          dots_);
      for (const PathDot& dot : dots_) add(dot, style);
    }
  }

  void add(const PathDot& dot, const Style& style) {
    if (dot.radius == 0)
      touch(dot.centre, style);
    else
      add(dot.centre, dot.radius, style);
  }

  // A stroke of no length: as large as the pen.
  void touch(Vec2 at, const Style& style) {
    add(at, 0.5 * style.stroke_width, style.stroke, style);
  }

  void add(Vec2 centre, double radius, const Style& style) {
    add(centre, radius, style.fill == "none" ? style.stroke : style.fill, style);
  }

  void add(Vec2 centre, double radius, std::string_view colour, const Style& style) {
    Vec2 at = style.to_page(centre);
    const double diameter = 2 * radius * style.to_page.scale();
    if (!std::isfinite(at.x) || !std::isfinite(at.y) || !(diameter > 0) || diameter > 1e30) return;
    if (has_page_ && !settle(at, 0.05 * diameter)) return;
    if (points_.size() % 65536 == 0) {
      require_points(static_cast<double>(points_.size()) + 65536, limits_);
    }
    points_.add(at, static_cast<float>(diameter));
    points_.klass.push_back(ink(colour));
  }

  // False for a dot whose centre is off the page: it is cut away there, or waste beside the
  // drawing. Rounded coordinates may put a dot on the edge or a hair beyond: that one belongs to
  // the page.
  bool settle(Vec2& at, double hair) const {
    const Domain& page = points_.domain;
    if (!(at.x >= -hair && at.x <= page.width + hair)) return false;
    if (!(at.y >= -hair && at.y <= page.height + hair)) return false;
    at.x = std::clamp(at.x, 0.0, std::nextafter(page.width, 0.0));
    at.y = std::clamp(at.y, 0.0, std::nextafter(page.height, 0.0));
    return true;
  }

  std::int32_t ink(std::string_view colour) {
    const auto found = std::find(inks_.begin(), inks_.end(), colour);
    if (found != inks_.end()) return static_cast<std::int32_t>(found - inks_.begin());
    if (inks_.size() <= most_inks) inks_.emplace_back(colour);
    return static_cast<std::int32_t>(inks_.size() - 1);
  }

  const Limits& limits_;
  PointSet points_;
  bool has_page_ = false;
  std::size_t visits_left_ = 0;
  std::vector<std::string> inks_;
  std::vector<PathDot> dots_;
  std::unordered_map<std::string, pugi::xml_node> ids_;
};

}  // namespace

PointSet decode_svg(std::string_view bytes, const Limits& limits) {
  Context context;
  context.limits = limits;
  // The shortest element, "<a/>", becomes a node of 64 bytes and its text.
  context.require_memory(17.0 * static_cast<double>(bytes.size()), "an SVG file of this size");
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(bytes.data(), bytes.size());
  if (!result) {
    const std::string_view before = bytes.substr(
        0, std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                    bytes.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw Error(ErrorKind::input,
                "line " + std::to_string(line) + ": not XML: " + result.description());
  }
  PointSet points = SvgReader(limits).read(document, bytes.size());
  points.metadata = svg_metadata(bytes);
  return points;
}

}  // namespace dapple
