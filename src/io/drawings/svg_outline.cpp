// Reads the outlines of an SVG file as a shape for dots.
#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/limits.hpp"
#include "io/drawings/svg_shapes.hpp"

namespace dapple {
namespace {

constexpr double chord_tolerance = 1.0 / 2000;  // of the shape's extent
constexpr int most_chords = 256;                // of one curve

// A piece of an outline: a cubic curve from the end of the previous piece.
struct Curve {
  Vec2 first, second, to;
  bool straight = false;
};
struct Trace {
  Vec2 start;
  std::vector<Curve> curves;
  bool closed = false;

  Vec2 end() const { return curves.back().to; }  // requires at least one curve
};

// Collects the path's steps as curves on the page.
class Tracer final : public PathSink {
 public:
  explicit Tracer(const Affine& to_page) : to_page_(to_page) {}

  std::vector<Trace> traces;

  void start(Vec2 at) override {
    traces.push_back({to_page_(at), {}, false});
    at_ = start_ = at;
  }
  void line(Vec2 to) override {
    traces.back().curves.push_back({to_page_(at_), to_page_(to), to_page_(to), true});
    at_ = to;
  }
  void quadratic(Vec2 control, Vec2 to) override {
    cubic(at_ * (1.0 / 3) + control * (2.0 / 3), to * (1.0 / 3) + control * (2.0 / 3), to);
  }
  void cubic(Vec2 first, Vec2 second, Vec2 to) override {
    traces.back().curves.push_back({to_page_(first), to_page_(second), to_page_(to), false});
    at_ = to;
  }
  void arc(double rx, double ry, double degrees, bool large, bool sweep, Vec2 to) override {
    rx = std::abs(rx);
    ry = std::abs(ry);
    if (at_ == to) return;
    if (!(rx > 0) || !(ry > 0)) return line(to);
    turn(ellipse_arc(at_, rx, ry, degrees, large, sweep, to), to);
  }
  void close() override {
    if (!(at_ == start_)) line(start_);
    traces.back().closed = true;
  }
  void finish() override {}

  // Adds an arc that starts at at_; pieces of an eighth of a turn are within 4e-6 of the radius.
  void turn(const EllipseArc& arc, Vec2 to) {
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(arc.turn) / 0.785)));
    const double step = arc.turn / pieces;
    const double handle = 4.0 / 3 * portable_tangent(step / 4);
    const auto along = [&](double angle) {  // derivative
      const Vec2 u = direction(angle / full_circle);
      return arc.turned({-arc.rx * u.y, arc.ry * u.x});
    };
    for (int i = 0; i < pieces; ++i) {
      const double a = arc.from + step * i;
      const double b = a + step;
      const Vec2 end = i + 1 == pieces ? to : arc.at(b);
      cubic(at_ + along(a) * handle, end - along(b) * handle, end);
    }
  }

 private:
  const Affine& to_page_;
  Vec2 at_;
  Vec2 start_;
};

void trace_ellipse(Vec2 center, double rx, double ry, Tracer& tracer) {
  if (!(rx > 0) || !(ry > 0)) return;
  EllipseArc all;
  all.center = center;
  all.rx = rx;
  all.ry = ry;
  all.turn = full_circle;
  const Vec2 start = center + Vec2{rx, 0};
  tracer.start(start);
  tracer.turn(all, start);
  tracer.close();
}

void trace_rectangle(pugi::xml_node node, Tracer& tracer) {
  const double width = svg_number(node, "width");
  const double height = svg_number(node, "height");
  if (!(width > 0) || !(height > 0)) return;
  const Vec2 at{svg_number(node, "x"), svg_number(node, "y")};
  const auto radius = [&](const char* name, const char* other, double most) {
    const bool given = !svg_property(node, name).empty();
    return std::clamp(svg_number(node, given ? name : other), 0.0, 0.5 * most);
  };
  const double rx = radius("rx", "ry", width);
  const double ry = radius("ry", "rx", height);
  const Vec2 end = at + Vec2{width, height};
  tracer.start({at.x + rx, at.y});
  tracer.line({end.x - rx, at.y});
  tracer.arc(rx, ry, 0, false, true, {end.x, at.y + ry});
  tracer.line({end.x, end.y - ry});
  tracer.arc(rx, ry, 0, false, true, {end.x - rx, end.y});
  tracer.line({at.x + rx, end.y});
  tracer.arc(rx, ry, 0, false, true, {at.x, end.y - ry});
  tracer.line({at.x, at.y + ry});
  tracer.arc(rx, ry, 0, false, true, {at.x + rx, at.y});
  tracer.close();
}

void trace(pugi::xml_node node, std::string_view name, Tracer& tracer) {
  if (name == "path") {
    read_path(node.attribute("d").value(), tracer);
  } else if (name == "polygon" || name == "polyline") {
    read_path("M" + std::string(node.attribute("points").value()) + (name == "polygon" ? "z" : ""),
              tracer);
  } else if (name == "rect") {
    trace_rectangle(node, tracer);
  } else if (name == "circle" || name == "ellipse") {
    const bool circle = name == "circle";
    trace_ellipse({svg_number(node, "cx"), svg_number(node, "cy")},
                  svg_number(node, circle ? "r" : "rx"), svg_number(node, circle ? "r" : "ry"),
                  tracer);
  } else if (name == "line") {
    tracer.start({svg_number(node, "x1"), svg_number(node, "y1")});
    tracer.line({svg_number(node, "x2"), svg_number(node, "y2")});
  }
}

// Filled or stroked shapes, before their total size is known.
struct Traced {
  pugi::xml_node node;
  std::vector<Trace> traces;  // closed, or filled as if closed
  std::vector<Trace> open;
  bool even_odd = false;
};

std::vector<Vec2> chords(const Trace& trace, double tolerance) {
  std::vector<Vec2> ring{trace.start};
  const auto add = [&ring](Vec2 p) {
    if (!(p == ring.back())) ring.push_back(p);
  };
  Vec2 from = trace.start;
  for (const Curve& curve : trace.curves) {
    int pieces = 1;
    if (!curve.straight) {
      // n chords are within (3/4) m / n^2 of a cubic. m is the largest second difference of its
      // control points.
      const double m = std::max(length(from - curve.first * 2 + curve.second),
                                length(curve.first - curve.second * 2 + curve.to));
      const double wanted = m > 0 ? std::ceil(std::sqrt(0.75 * m / tolerance)) : 1;
      pieces = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(most_chords)));
    }
    for (int i = 1; i < pieces; ++i) {
      const double t = static_cast<double>(i) / pieces;
      const double u = 1 - t;
      add(from * (u * u * u) + curve.first * (3 * u * u * t) + curve.second * (3 * u * t * t) +
          curve.to * (t * t * t));
    }
    add(curve.to);
    from = curve.to;
  }
  if (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  return ring;
}

}  // namespace

std::vector<SvgShape> read_svg_shapes(SvgTree& tree) {
  std::vector<Traced> found;
  tree.visit({}, [&](pugi::xml_node node, std::string_view name, const SvgStyle& style) {
    const bool filled = style.fill != "none" && name != "line";
    if (!filled && style.stroke == "none") return;
    Tracer tracer(style.to_page);
    trace(node, name, tracer);
    Traced shape;
    shape.node = node;
    shape.even_odd = style.fill_rule == "evenodd";
    for (Trace& one : tracer.traces) {
      if (one.curves.empty()) continue;
      const bool closed = one.closed || one.end() == one.start;
      (filled || closed ? shape.traces : shape.open).push_back(std::move(one));
    }
    if (!shape.traces.empty() || !shape.open.empty()) found.push_back(std::move(shape));
  });
  Vec2 low{INFINITY, INFINITY};
  Vec2 high{-INFINITY, -INFINITY};
  for (const Traced& shape : found) {
    for (const auto* const group : {&shape.traces, &shape.open}) {
      for (const Trace& one : *group) {
        for (const Vec2& p : chords(one, INFINITY)) {
          low = {std::min(low.x, p.x), std::min(low.y, p.y)};
          high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
      }
    }
  }
  if (found.empty()) {
    throw Error(ErrorKind::input,
                "holds no shape: no path, rectangle, circle, ellipse, polygon or line");
  }
  const double extent = std::max(high.x - low.x, high.y - low.y);
  std::vector<SvgShape> shapes;
  for (const Traced& shape : found) {
    SvgShape& made = shapes.emplace_back();
    made.node = shape.node;
    Outline::Part& part = made.part;
    part.even_odd = shape.even_odd;
    for (const Trace& one : shape.traces) {
      std::vector<Vec2> ring = chords(one, chord_tolerance * extent);
      if (ring.size() > 2) part.rings.push_back(std::move(ring));
    }
    for (const Trace& one : shape.open) {
      part.lines.push_back(chords(one, chord_tolerance * extent));
    }
  }
  return shapes;
}

Outline decode_outline(std::string_view bytes, const Limits& limits) {
  SvgTree tree(bytes, limits);
  std::vector<Outline::Part> parts;
  for (SvgShape& shape : read_svg_shapes(tree)) parts.push_back(std::move(shape.part));
  Outline outline = make_outline(std::move(parts));
  outline.notes = tree.notes();
  return outline;
}

Outline read_outline(const std::string& path, Context& context) {
  constexpr std::int64_t most_bytes = 16 << 20;
  const std::string bytes = read_file(path, most_bytes, context);
  try {
    Outline outline = decode_outline(bytes, context.limits);
    for (const std::string& note : outline.notes) context.warn(path + ": " + note);
    return outline;
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path);
  }
}

}  // namespace dapple
