// What a drawing's layers come to in pixels: discs by bands of rows, strokes, edges of what is
// filled.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "draw/crowd.hpp"
#include "draw/dot_tiles.hpp"

namespace dapple {

class Stamps;

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
  Vec2 past{};  // how far its corner lies past that of the pixel, 0 <= x, y < 1
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
  Vec2 past{};  // of the corner
  double scale = 1;
  double row_height = 1;

  // A place on the paper.
  Vec2 placed(Vec2 p) const { return p * scale - past; }
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

  // A line on the paper, mm.
  Stroke(std::vector<Vec2> line, double width, const Frame& frame);
};

// What two discs share.
double shared_area(const Annulus& a, const Annulus& b);

// Rows of a frame on the paper, mm, and a part more on each side.
Box in_millimeters(const Frame& frame, double first_row, double rows);

// What of a layer is the same in every picture of it.
struct PreparedLayer {
  const Layer* layer = nullptr;
  // The share of discs' area that lies on other discs, 1 where there is more than discs.
  double overlap = 1;
  // The sum of radii, mm, by which pixels are cut.
  double radii = 0;
  DotTiles tiles;
  // Where pictures are to be looked at, and there are so many discs that this is worth it.
  Crowd crowd;
};
PreparedLayer prepare(const Layer& layer, const Drawing& drawing, bool to_look_at,
                      Context& context);

// How much of a layer is drawn: discs, then lines point by point, in drawing order.
struct LayerPart {
  bool fills = true;
  std::size_t marks = std::numeric_limits<std::size_t>::max();
};
std::size_t marks_of(const Layer& layer);

// Discs or rings of a band, in drawing order.
struct BandDots {
  std::vector<Annulus> rings;
  // Of each ring, what stands for it, 1/reach times as large; none: discs and rings.
  std::vector<const Outline*> outlines;
};

// What a window shows of a layer.
struct Shapes {
  const Drawing* drawing = nullptr;
  const PreparedLayer* prepared = nullptr;
  Frame frame;
  // What discs cover of a pixel adds up, as they hardly overlap. Else they are combined as if they
  // lay there by chance.
  bool apart = false;
  std::size_t discs = 0;                   // the first of them, drawn as such
  std::shared_ptr<const Stamps> stamps{};  // instead, where that is near enough
  std::vector<Stroke> strokes;
  std::vector<std::array<Vec2, 2>> edges;  // of what is filled
  std::array<float, 3> ink{};              // linear light

  // Those that reach into the band.
  BandDots dots_of(int band) const;
};

// What the window shows of a layer in a picture of the whole paper of width x height pixels.
// `roughly`: stamps may do.
Shapes place(const PreparedLayer& layer, const LayerPart& part, const Drawing& drawing,
             double width, double height, const PictureWindow& window, bool roughly,
             Context& context);

}  // namespace dapple
