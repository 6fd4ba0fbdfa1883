// Reads the dots of an SVG file as points: circles, ellipses, strokes of almost no length, round
// paths, and <use> of them, through transforms and viewports. Positions become pixels of 1/96 inch
// from the top left corner of the page.
#include "io/drawings/svg.hpp"

#include <algorithm>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/units.hpp"
#include "io/drawings/svg_path.hpp"
#include "io/drawings/svg_tree.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

class SvgReader {
 public:
  explicit SvgReader(const Limits& limits) : limits_(limits) {}

  Points read(std::string_view bytes) {
    SvgTree tree(bytes, limits_);
    tree.visit(page(tree.root()), [this](pugi::xml_node node, std::string_view name,
                                         const SvgStyle& style) { shape(node, name, style); });
    if (points_.empty()) {
      throw Error(
          ErrorKind::input,
          "holds no dots: no circles, ellipses, strokes of almost no length or round paths");
    }
    if (inks_.size() < 2 || inks_.size() > most_inks) points_.class_id.clear();
    points_.notes = tree.notes();
    return finished(std::move(points_), has_page_, false);
  }

 private:
  // More colors than any set of pens are a gradient, not classes.
  static constexpr std::size_t most_inks = 64;
  // Length of a stroke that still looks like a dot, by its width.
  static constexpr double longest_touch = 0.2;

  // Rounds a page side that was made in whole pixels and written in millimeters.
  static double whole(double pixels) {
    const double rounded = std::round(pixels);
    return std::abs(pixels - rounded) <= 1e-12 * pixels ? rounded : pixels;
  }

  // Sets the page in pixels and returns the transform from the root's units to the page.
  // preserveAspectRatio is the default, xMidYMid meet, or none.
  Affine page(pugi::xml_node root) {
    double box[4] = {};
    std::string_view text = root.attribute("viewBox").value();
    bool has_box = true;
    for (double& value : box) has_box = has_box && take_svg_number(text, value);
    has_box = has_box && box[2] > 0 && box[3] > 0;
    SvgSide width = svg_side(root.attribute("width").value());
    SvgSide height = svg_side(root.attribute("height").value());
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

  void shape(pugi::xml_node node, std::string_view name, const SvgStyle& style) {
    if (style.fill == "none" && style.stroke == "none") return;
    const Vec2 center{svg_number(node, "cx"), svg_number(node, "cy")};
    if (name == "circle") {
      add(center, svg_number(node, "r"), style);
    } else if (name == "ellipse") {
      add(center, std::sqrt(std::max(0.0, svg_number(node, "rx") * svg_number(node, "ry"))), style);
    } else if (name == "line") {
      const Vec2 a{svg_number(node, "x1"), svg_number(node, "y1")};
      const Vec2 b{svg_number(node, "x2"), svg_number(node, "y2")};
      touch((a + b) * 0.5, length(b - a), style);
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

  void add(const PathDot& dot, const SvgStyle& style) {
    if (dot.radius == 0)
      touch(dot.center, dot.length, style);
    else
      add(dot.center, dot.radius, style);
  }

  // Adds a stroke that is much shorter than wide, which has the size of the pen.
  void touch(Vec2 at, double along, const SvgStyle& style) {
    if (along > longest_touch * style.stroke_width) return;
    add(at, 0.5 * style.stroke_width, style.stroke, style);
  }

  void add(Vec2 center, double radius, const SvgStyle& style) {
    add(center, radius, style.fill == "none" ? style.stroke : style.fill, style);
  }

  void add(Vec2 center, double radius, std::string_view color, const SvgStyle& style) {
    Vec2 at = style.to_page(center);
    const double diameter = 2 * radius * style.to_page.scale();
    if (!std::isfinite(at.x) || !std::isfinite(at.y) || !(diameter > 0) || diameter > 1e30) return;
    if (has_page_ && !settle(at, 0.05 * diameter)) return;
    if (points_.size() % 65536 == 0) {
      require_points(static_cast<double>(points_.size()) + 65536, limits_);
    }
    points_.add(at, static_cast<float>(diameter));
    points_.class_id.push_back(ink(color));
  }

  // Returns false for a dot whose center is off the page: it is clipped, or waste beside the
  // drawing. Rounding may put a dot on the edge or up to `hair` beyond it; such dots belong to the
  // page and are moved inside.
  bool settle(Vec2& at, double hair) const {
    const Domain& page = points_.domain;
    if (!(at.x >= -hair && at.x <= page.width + hair)) return false;
    if (!(at.y >= -hair && at.y <= page.height + hair)) return false;
    at.x = std::clamp(at.x, 0.0, std::nextafter(page.width, 0.0));
    at.y = std::clamp(at.y, 0.0, std::nextafter(page.height, 0.0));
    return true;
  }

  std::int32_t ink(std::string_view color) {
    const auto found = std::find(inks_.begin(), inks_.end(), color);
    if (found != inks_.end()) return static_cast<std::int32_t>(found - inks_.begin());
    if (inks_.size() <= most_inks) inks_.emplace_back(color);
    return static_cast<std::int32_t>(inks_.size() - 1);
  }

  const Limits& limits_;
  Points points_;
  bool has_page_ = false;
  std::vector<std::string> inks_;
  std::vector<PathDot> dots_;
};

}  // namespace

Points decode_svg(std::string_view bytes, const Limits& limits) {
  Points points = SvgReader(limits).read(bytes);
  points.metadata = svg_metadata(bytes);
  return points;
}

}  // namespace dapple
