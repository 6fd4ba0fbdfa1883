// Draws a layer with a pen, for any plotter language.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "dapple/drawing.hpp"

namespace dapple {

// Calls pen.touch(center), pen.circle(disc) and pen.line(points) for the dots and lines of a layer
// in their order. Filled dots are touches of a pen as large as the dots; shapes are outlines;
// touches with a length are lines.
template <class Pen>
void draw_with(Pen& pen, const Drawing& drawing, const Layer& layer) {
  for (const Disc& disc : layer.discs) {
    const Outline* const outline = drawing.outline_of(disc);
    if (outline != nullptr && disc.radius > 0) {
      for (const std::vector<Vec2>& line : lines_of(*outline, disc)) pen.line(line);
    } else if (drawing.pen > 0 && drawing.shape == DotShape::circle && disc.radius > 0) {
      pen.circle(disc);
    } else if (drawing.pen > 0 && drawing.shape == DotShape::spiral &&
               2 * disc.radius > drawing.pen) {
      pen.line(spiral(disc, drawing.pen));
    } else if (drawing.touch > 0) {
      const Vec2 half{0.5 * drawing.touch, 0};
      pen.line({disc.center - half, disc.center + half});
    } else {
      pen.touch(disc.center);
    }
  }
  for (const Polyline& line : layer.lines) {
    if (line.points.size() == 1) pen.touch(line.points.front());
    if (line.points.size() > 1) pen.line(line.points);
  }
}

// Calls part(points) for parts of a line with at most `corners` points each. A part begins at the
// point at which the part before it ends. `corners` is at least 2; 0: the whole line is one part.
template <class Part>
void in_parts(std::span<const Vec2> line, int corners, const Part& part) {
  const auto most = corners == 0 ? line.size() : static_cast<std::size_t>(corners);
  while (line.size() > most) {
    part(line.first(most));
    line = line.subspan(most - 1);
  }
  part(line);
}

// Most bytes of a line of G-code or HP-GL with its end, which the buffers of machines hold.
inline constexpr std::size_t longest_plotter_line = 80;

// Hands marks on to `pen` within the paper, since a machine may hit its stops beyond it: marks that
// reach over an edge are moved in, and those larger than the paper are cut to its edges.
template <class Pen>
class PenWithinPaper {
 public:
  PenWithinPaper(Pen& pen, const Drawing& drawing)
      : pen_(pen), width_(drawing.width), height_(drawing.height) {}

  void touch(Vec2 at) { pen_.touch(cut(at)); }
  void circle(const Disc& disc) {
    constexpr double rounding = 0.03;  // mm; of a center and a radius to units of HP-GL
    const Vec2 half{disc.radius + rounding, disc.radius + rounding};
    const Vec2 shift = shift_of(disc.center - half, disc.center + half);
    const Vec2 center = disc.center + shift;
    Disc moved = disc;
    moved.center = center;
    moved.radius =
        std::min({disc.radius, center.x, center.y, width_ - center.x, height_ - center.y});
    if (moved.radius > 0) {
      pen_.circle(moved);
    } else {
      pen_.touch(cut(center));
    }
  }
  void line(const std::vector<Vec2>& points) {
    Vec2 low = points.front();
    Vec2 high = low;
    for (const Vec2 p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (low.x >= 0 && low.y >= 0 && high.x <= width_ && high.y <= height_) return pen_.line(points);
    const Vec2 shift = shift_of(low, high);
    std::vector<Vec2> moved = points;
    for (Vec2& p : moved) p = cut(p + shift);
    pen_.line(moved);
  }

 private:
  Vec2 cut(Vec2 p) const { return {std::clamp(p.x, 0.0, width_), std::clamp(p.y, 0.0, height_)}; }
  // Returns how far to move a mark with these corners.
  Vec2 shift_of(Vec2 low, Vec2 high) const {
    const auto along = [](double from, double to, double side) {
      if (to - from > side) return 0.5 * side - 0.5 * (from + to);
      return from < 0 ? -from : to > side ? side - to : 0;
    };
    return {along(low.x, high.x, width_), along(low.y, high.y, height_)};
  }

  Pen& pen_;
  double width_;
  double height_;
};

// Replaces the dots of each layer by one line through them in order (Kaplan and Bosch, TSP Art,
// 2005). The line is interrupted between two dots if `breaks` returns true. It is as wide as the
// pen. If `pen` is 0, its area is the layer's part of `inks` (mm^2).
void draw_as_lines(Drawing& drawing, double pen, const std::vector<double>& inks,
                   const std::function<bool(const Disc&, const Disc&)>& breaks);

// Removes the first `count` dots or lines. Returns true if any are left.
bool leave_out_first(Drawing& drawing, std::int64_t count);

// Throws Error(input) for places, sizes and widths not finite or beyond 10 km, and for dots without
// their shape. Throws Error(usage) for an invalid plotter.
void require_drawable(const Drawing& drawing);

inline bool is_empty(const Layer& layer) {
  return layer.discs.empty() && layer.lines.empty() && layer.fills.empty();
}

}  // namespace dapple
