// Draws a layer with a pen, for any plotter language.
#pragma once

#include <functional>

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
