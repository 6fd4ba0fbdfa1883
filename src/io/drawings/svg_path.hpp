// Reads the parts of path data and transforms that the SVG reader needs (SVG 1.1, chapters 7, 8).
#pragma once

#include <string_view>
#include <vector>

#include "core/deterministic_math.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// x' = a x + c y + e, y' = b x + d y + f.
struct Affine {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  Vec2 operator()(Vec2 p) const { return {a * p.x + c * p.y + e, b * p.x + d * p.y + f}; }
  // Applies `inner` first, then this transform.
  Affine operator*(const Affine& inner) const;
  // Returns the mean scale of lengths: the root of the scale of areas.
  double scale() const { return std::sqrt(std::abs(a * d - b * c)); }
};

// Reads translate, scale, rotate, matrix, skewX and skewY in any order. Returns the identity for
// any other text, as browsers do.
Affine parse_transform(std::string_view text);

// Reads a number after blanks or commas, which may be missing before a sign or a second point.
bool take_svg_number(std::string_view& text, double& value);

// Receives the steps of path data. Each step begins at the end of the step before.
class PathSink {
 public:
  virtual ~PathSink() = default;
  virtual void start(Vec2 at) = 0;  // starts a subpath
  virtual void line(Vec2 to) = 0;
  virtual void quadratic(Vec2 control, Vec2 to) = 0;
  virtual void cubic(Vec2 first, Vec2 second, Vec2 to) = 0;
  virtual void arc(double rx, double ry, double degrees, bool large, bool sweep, Vec2 to) = 0;
  virtual void close() = 0;
  virtual void finish() = 0;  // after the last step of a subpath, closed or not
};

// Reads path data up to its first error, as browsers do.
void read_path(std::string_view data, PathSink& sink);

// An elliptical arc by its center. Angles are in radians, on the ellipse as a unit circle.
struct EllipseArc {
  Vec2 center;
  double rx = 0, ry = 0;  // enlarged if needed to join the ends
  Vec2 axis{1, 0};        // direction of the first radius
  double from = 0;
  double turn = 0;  // signed

  // Turns a vector from the frame of the radii to the page.
  Vec2 turned(Vec2 v) const { return {axis.x * v.x - axis.y * v.y, axis.y * v.x + axis.x * v.y}; }
  Vec2 at(double angle) const {
    const Vec2 u = direction(angle / full_circle);
    return center + turned({rx * u.x, ry * u.y});
  }
};
// Requires radii above 0 and ends that differ.
EllipseArc ellipse_arc(Vec2 from, double rx, double ry, double degrees, bool large, bool sweep,
                       Vec2 to);

struct PathDot {
  Vec2 center;
  double radius = 0;  // 0: a stroke, whose size is the pen
  double length = 0;  // of a stroke
};

// Collects the subpaths of path data that may be dots: straight strokes around their middle, which
// are dots if they are short; circles and ellipses of arcs; and round closed curves or polygons
// with at least eight corners. Skips other subpaths.
void path_dots(std::string_view data, std::vector<PathDot>& dots);

}  // namespace dapple
