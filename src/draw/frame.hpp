// Defines pixels of a window of a picture, and discs in them.
#pragma once

#include <algorithm>
#include <cmath>

#include "dapple/geometry.hpp"

namespace dapple {

// A range of whole numbers. touching() finds i with [i, i + 1) touching [from, to], in [0, limit).
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
  Vec2 past{};  // offset of the corner within its pixel, 0 <= x, y < 1
};

// A window in parts of pixels, cut x cut per pixel. Drawing coordinates are scaled by `scale` in
// both directions, so that discs stay discs. A part is 1 wide and `row_height` high, which differs
// from 1 by the rounding of the picture's size.
struct Frame {
  static constexpr int band_rows = 16;  // pixels

  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  int cut = 1;
  Vec2 past{};  // offset of the corner
  double scale = 1;
  double row_height = 1;

  // Returns the position of a place on the paper.
  Vec2 placed(Vec2 p) const { return p * scale - past; }
  int band_height() const { return band_rows * cut; }
  int bands() const { return (height + band_height() - 1) / band_height(); }
  // Returns the rows that touch [y0, y1], of `rows` rows from `first` on.
  Span rows_of(double y0, double y1, int first, int rows) const {
    return touching(y0 / row_height - (top + first), y1 / row_height - (top + first), rows);
  }
  Span columns_of(double x0, double x1) const { return touching(x0 - left, x1 - left, width); }
  // Returns the place of rows on the paper, in mm, with one part more on each side. The margin
  // allows for rounding at the border.
  Box on_paper(double first_row, double rows) const {
    const double x = left + past.x;
    const double y = (top + first_row) * row_height + past.y;
    return {(x - 1) / scale, (y - 1) / scale, (x + width + 1) / scale,
            (y + rows * row_height + 1) / scale};
  }
};

// A disc or a ring, in parts of pixels.
struct Annulus {
  Vec2 center;
  double outer = 0;
  double inner = 0;
};

}  // namespace dapple
