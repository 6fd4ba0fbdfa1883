// Reads SVG path data, and finds the dots that different tools draw with it.
#include "io/drawings/svg_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

void skip_separators(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f,"), text.size()));
}

// Reads a flag of an arc. Flags may come without separators: "a1 1 0 013 4".
bool take_flag(std::string_view& text, bool& flag) {
  skip_separators(text);
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return false;
  flag = text[0] == '1';
  text.remove_prefix(1);
  return true;
}

bool finite(Vec2 p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

// Largest relative deviation of a drawn circle. Cubic curves are within 0.03 %; coordinates rounded
// to two places are within a few percent of a small dot.
constexpr double roundness = 0.05;

// A subpath that may be a dot.
class Subpath {
 public:
  explicit Subpath(Vec2 start) : start_(start), corners_{start} {}

  void line(Vec2 to) {
    drawn_ = true;
    if (to != corners_.back()) ++lines_;
    add(to);
  }

  // Adds a curve; `middle` is its point at parameter 1/2.
  void curve(Vec2 middle, Vec2 to) {
    drawn_ = true;
    if (to != corners_.back() || middle != to) {
      ++curves_;
      middles_.push_back(middle);
    }
    add(to);
  }

  void arc(double rx, double ry, double degrees, bool large, bool sweep, Vec2 to);
  void close() {
    drawn_ = true;
    if (corners_.back() != start_) {
      // If an arc ends almost at its start, the closing line is too short to count.
      if (arcs_ == 0) ++lines_;
      add(start_);
    }
  }

  Vec2 end() const { return corners_.back(); }

  void finish(std::vector<PathDot>& dots) const {
    if (!drawn_ || !good_) return;
    if (lines_ <= 1 && curves_ + arcs_ == 0) {
      const Vec2 end = corners_.back();
      dots.push_back({(start_ + end) * 0.5, 0, length(end - start_)});
    } else if (arcs_ > 0) {
      finish_arcs(dots);
    } else {
      finish_outline(dots);
    }
  }

 private:
  void add(Vec2 to) {
    good_ = good_ && finite(to);
    corners_.push_back(to);
  }

  void finish_arcs(std::vector<PathDot>& dots) const {
    // At least 6 radians: some tools draw a circle with a gap of a few degrees.
    if (lines_ > 0 || curves_ > 0 || !same_circle_ || std::abs(turn_) < 6.0) return;
    dots.push_back({center_, radius_});
  }

  // Adds a circle if all corners and curve middles are equally far from their center.
  void finish_outline(std::vector<PathDot>& dots) const {
    if (corners_.back() != start_) return;
    const bool many = curves_ == 0 ? lines_ >= 8 : curves_ >= 2 && lines_ <= 1;
    if (!many) return;
    std::vector<Vec2> outline(corners_.begin() + 1, corners_.end());
    outline.insert(outline.end(), middles_.begin(), middles_.end());
    Vec2 low = outline[0], high = outline[0];
    for (const Vec2 p : outline) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const Vec2 center = (low + high) * 0.5;
    double sum = 0, nearest = INFINITY, farthest = 0;
    for (const Vec2 p : outline) {
      const double distance = length(p - center);
      sum += distance;
      nearest = std::min(nearest, distance);
      farthest = std::max(farthest, distance);
    }
    const double mean = sum / static_cast<double>(outline.size());
    if (farthest - nearest <= 2 * roundness * mean) dots.push_back({center, mean});
  }

  Vec2 start_;
  std::vector<Vec2> corners_;
  std::vector<Vec2> middles_;
  bool drawn_ = false;
  bool good_ = true;
  std::size_t lines_ = 0;
  std::size_t curves_ = 0;
  std::size_t arcs_ = 0;
  bool same_circle_ = true;
  double turn_ = 0;  // radians, signed
  Vec2 center_;
  double radius_ = 0;
};

void Subpath::arc(double rx, double ry, double degrees, bool large, bool sweep, Vec2 to) {
  drawn_ = true;
  const Vec2 from = corners_.back();
  rx = std::abs(rx);
  ry = std::abs(ry);
  if (from == to) return;  // the standard omits such an arc
  if (!(rx > 0) || !(ry > 0)) {
    line(to);
    return;
  }
  ++arcs_;
  add(to);
  const EllipseArc arc = ellipse_arc(from, rx, ry, degrees, large, sweep, to);
  turn_ += arc.turn;
  const double radius = std::sqrt(arc.rx * arc.ry);
  good_ = good_ && finite(arc.center) && std::isfinite(radius);
  if (arcs_ == 1) {
    center_ = arc.center;
    radius_ = radius;
  }
  same_circle_ = same_circle_ && length(arc.center - center_) <= 2 * roundness * radius_ &&
                 std::abs(radius - radius_) <= roundness * radius_;
}

Vec2 cubic_middle(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return (a + d) * 0.125 + (b + c) * 0.375;
}

Vec2 quadratic_middle(Vec2 a, Vec2 b, Vec2 c) {
  return (a + c) * 0.25 + b * 0.5;
}

class DotFinder final : public PathSink {
 public:
  explicit DotFinder(std::vector<PathDot>& dots) : dots_(dots) {}

  void start(Vec2 at) override { subpath_ = Subpath(at); }
  void line(Vec2 to) override { subpath_.line(to); }
  void quadratic(Vec2 control, Vec2 to) override {
    subpath_.curve(quadratic_middle(subpath_.end(), control, to), to);
  }
  void cubic(Vec2 first, Vec2 second, Vec2 to) override {
    subpath_.curve(cubic_middle(subpath_.end(), first, second, to), to);
  }
  void arc(double rx, double ry, double degrees, bool large, bool sweep, Vec2 to) override {
    subpath_.arc(rx, ry, degrees, large, sweep, to);
  }
  void close() override { subpath_.close(); }
  void finish() override { subpath_.finish(dots_); }

 private:
  std::vector<PathDot>& dots_;
  Subpath subpath_{Vec2{}};
};

class PathReader {
 public:
  PathReader(std::string_view data, PathSink& sink) : rest_(data), sink_(sink) {}

  void read() {
    char command = 0;
    for (;;) {
      skip_separators(rest_);
      if (rest_.empty()) break;
      if (is_letter(rest_[0])) {
        command = rest_[0];
        rest_.remove_prefix(1);
      } else if (command == 0 || command == 'z' || command == 'Z') {
        break;
      }
      if (!step(command)) break;
      // After a move, further pairs draw lines.
      if (command == 'M') command = 'L';
      if (command == 'm') command = 'l';
    }
    finish();
  }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  void finish() {
    if (open_) sink_.finish();
    open_ = false;
  }

  PathSink& subpath() {
    // After a close, drawing goes on from the start of the last subpath.
    if (!open_) sink_.start(at_);
    open_ = true;
    return sink_;
  }

  bool point(bool relative, Vec2& p) {
    if (!take_svg_number(rest_, p.x) || !take_svg_number(rest_, p.y)) return false;
    if (relative) p = p + at_;
    return true;
  }

  bool step(char command) {
    const bool relative = command >= 'a';
    const char kind = relative ? command : static_cast<char>(command - 'A' + 'a');
    if (kind == 'c' || kind == 's' || kind == 'q' || kind == 't') return curve(kind, relative);
    previous_ = kind;
    switch (kind) {
      case 'm':
        return move(relative);
      case 'z':
        return close();
      case 'l':
      case 'h':
      case 'v':
        return line(kind, relative);
      case 'a':
        return arc(relative);
      default:
        return false;
    }
  }

  bool move(bool relative) {
    Vec2 to;
    if (!point(relative, to)) return false;
    finish();
    at_ = start_ = to;
    subpath();
    return true;
  }

  bool close() {
    if (open_) sink_.close();
    finish();
    at_ = start_;
    return true;
  }

  bool line(char kind, bool relative) {
    Vec2 to = at_;
    if (kind == 'l') {
      if (!point(relative, to)) return false;
    } else {
      double value = 0;
      if (!take_svg_number(rest_, value)) return false;
      (kind == 'h' ? to.x : to.y) = value + (!relative ? 0 : kind == 'h' ? at_.x : at_.y);
    }
    subpath().line(to);
    at_ = to;
    return true;
  }

  bool curve(char kind, bool relative) {
    // The smooth forms mirror the last control point, if the last command had one.
    Vec2 first = previous_ == (kind == 's' ? 'c' : 'q') ? at_ * 2 - control_ : at_;
    Vec2 second, to;
    if (kind == 'c' || kind == 'q') {
      if (!point(relative, first)) return false;
    }
    const bool cubic = kind == 'c' || kind == 's';
    if (cubic && !point(relative, second)) return false;
    if (!point(relative, to)) return false;
    if (cubic) {
      subpath().cubic(first, second, to);
    } else {
      subpath().quadratic(first, to);
    }
    control_ = cubic ? second : first;
    at_ = to;
    previous_ = cubic ? 'c' : 'q';
    return true;
  }

  bool arc(bool relative) {
    double rx = 0, ry = 0, angle = 0;
    bool large = false, sweep = false;
    Vec2 to;
    if (!take_svg_number(rest_, rx) || !take_svg_number(rest_, ry) ||
        !take_svg_number(rest_, angle) || !take_flag(rest_, large) || !take_flag(rest_, sweep) ||
        !point(relative, to)) {
      return false;
    }
    subpath().arc(rx, ry, angle, large, sweep, to);
    at_ = to;
    return true;
  }

  std::string_view rest_;
  PathSink& sink_;
  bool open_ = false;
  Vec2 at_;
  Vec2 start_;
  Vec2 control_;
  char previous_ = 0;
};

}  // namespace

Affine Affine::operator*(const Affine& inner) const {
  return {a * inner.a + c * inner.b, b * inner.a + d * inner.b,     a * inner.c + c * inner.d,
          b * inner.c + d * inner.d, a * inner.e + c * inner.f + e, b * inner.e + d * inner.f + f};
}

bool take_svg_number(std::string_view& text, double& value) {
  skip_separators(text);
  const auto number = take_number(text);
  if (number) value = *number;
  return number.has_value();
}

Affine parse_transform(std::string_view text) {
  Affine all;
  for (;;) {
    skip_separators(text);
    const auto open = text.find('(');
    if (open == std::string_view::npos) return all;
    std::string_view name = text.substr(0, open);
    name = name.substr(0, name.find_first_of(" \t\r\n"));
    text.remove_prefix(open + 1);
    double v[6] = {};
    std::size_t n = 0;
    while (n < 6 && take_svg_number(text, v[n])) ++n;
    skip_separators(text);
    if (!text.starts_with(')')) return {};
    text.remove_prefix(1);
    const double radians = v[0] * std::numbers::pi / 180;
    if (name == "translate" && n >= 1) {
      all = all * Affine{1, 0, 0, 1, v[0], v[1]};
    } else if (name == "scale" && n >= 1) {
      all = all * Affine{v[0], 0, 0, n > 1 ? v[1] : v[0], 0, 0};
    } else if (name == "rotate" && n >= 1) {
      const Vec2 to = direction(radians / full_circle);
      all = all * Affine{1, 0, 0, 1, v[1], v[2]} * Affine{to.x, to.y, -to.y, to.x, 0, 0} *
            Affine{1, 0, 0, 1, -v[1], -v[2]};
    } else if (name == "matrix" && n == 6) {
      all = all * Affine{v[0], v[1], v[2], v[3], v[4], v[5]};
    } else if (name == "skewX" && n == 1) {
      all = all * Affine{1, 0, portable_tangent(radians), 1, 0, 0};
    } else if (name == "skewY" && n == 1) {
      all = all * Affine{1, portable_tangent(radians), 0, 1, 0, 0};
    } else {
      return {};
    }
  }
}

// Follows SVG 1.1, appendix F.6.5.
EllipseArc ellipse_arc(Vec2 from, double rx, double ry, double degrees, bool large, bool sweep,
                       Vec2 to) {
  EllipseArc arc;
  arc.axis = direction(degrees * std::numbers::pi / 180 / full_circle);
  const Vec2 half = (from - to) * 0.5;
  // In this frame the ellipse is a unit circle.
  const Vec2 p{(arc.axis.x * half.x + arc.axis.y * half.y) / rx,
               (-arc.axis.y * half.x + arc.axis.x * half.y) / ry};
  const double reach = length(p);
  double grow = 1;
  if (reach > 1) grow = reach;  // an ellipse too small to join the ends is enlarged
  const double across = reach / grow;
  double offset = std::sqrt(std::max(0.0, 1 - across * across)) / std::max(across, 1e-300);
  if (large == sweep) offset = -offset;
  const Vec2 unit{offset * p.y / grow, -offset * p.x / grow};
  arc.rx = grow * rx;
  arc.ry = grow * ry;
  arc.center = arc.turned({arc.rx * unit.x, arc.ry * unit.y}) + (from + to) * 0.5;
  arc.from = portable_angle(p.y / grow - unit.y, p.x / grow - unit.x);
  arc.turn = 2 * portable_asin(std::min(1.0, across));
  if (large) arc.turn = full_circle - arc.turn;
  if (!sweep) arc.turn = -arc.turn;
  return arc;
}

void read_path(std::string_view data, PathSink& sink) {
  PathReader(data, sink).read();
}

void path_dots(std::string_view data, std::vector<PathDot>& dots) {
  DotFinder finder(dots);
  read_path(data, finder);
}

}  // namespace dapple
