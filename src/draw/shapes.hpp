// What a drawing's layers come to in pixels: discs by bands of rows, strokes, edges of what is
// filled.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/drawing.hpp"

namespace dapple {

// Range of whole numbers i with [i, i + 1) touching [from, to], cut to [0, limit).
struct Span {
  int begin = 0;
  int end = 0;
};
inline Span touching(double from, double to, int limit) {
  const double last = limit;
  return {static_cast<int>(std::clamp(std::floor(from), 0.0, last)),
          static_cast<int>(std::clamp(std::ceil(to), 0.0, last))};
}

// A part of a picture, in pixels.
struct PictureWindow {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// That in parts of pixels, cut x cut of them per pixel. Drawing coordinates are scaled by `scale`
// in both directions, so that discs stay discs; a part is then 1 wide and `row_height` high, which
// differs from 1 by the rounding of the picture's size.
struct Frame {
  static constexpr int band_rows = 16;  // pixels

  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  int cut = 1;
  double scale = 1;
  double row_height = 1;

  int band_height() const { return band_rows * cut; }
  int bands() const { return (height + band_height() - 1) / band_height(); }
  // Of `rows` rows from `first` on, those that touch [y0, y1].
  Span rows_of(double y0, double y1, int first, int rows) const {
    return touching(y0 / row_height - (top + first), y1 / row_height - (top + first), rows);
  }
  Span columns_of(double x0, double x1) const { return touching(x0 - left, x1 - left, width); }
};

// A disc or a ring in parts.
struct Annulus {
  Vec2 center;
  double outer = 0;
  double inner = 0;
};

struct Stroke {
  std::vector<Vec2> points;
  double half_width = 0;
  double y0 = 0, y1 = 0;  // what it reaches

  Stroke(std::vector<Vec2> line, double width, double scale);
};

// Those of a layer.
struct Shapes {
  Frame frame;
  // What discs cover of a pixel adds up, as they hardly overlap. Else they are combined as if they
  // lay there by chance.
  bool apart = false;
  std::vector<Annulus, ValueAllocator<Annulus>> rings;  // by band, and in drawing order
  // Of each ring, what stands for it, 1/reach times as large; none: discs and rings.
  std::vector<const Outline*> outlines;
  std::vector<std::size_t> band_start;  // where each band begins in rings, and the end
  std::vector<Stroke> strokes;
  std::vector<std::array<Vec2, 2>> edges;  // of what is filled
  std::array<float, 3> ink{};              // linear light

  bool empty(std::size_t band) const {
    return band_start[band] == band_start[band + 1] && strokes.empty() && edges.empty();
  }
};

// What the window shows of a layer in a picture of the whole paper of width x height pixels.
Shapes place(const Layer& layer, const Drawing& drawing, int width, int height,
             const PictureWindow& window, Context& context);

}  // namespace dapple
