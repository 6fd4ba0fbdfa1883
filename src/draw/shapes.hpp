// What a drawing's layers come to in pixels: discs by bands of rows, strokes, edges of what is
// filled.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "draw/crowd.hpp"
#include "draw/dot_tiles.hpp"
#include "draw/frame.hpp"

namespace dapple {

class Stamps;

struct Stroke {
  std::vector<Vec2> points;
  double half_width = 0;
  double y0 = 0, y1 = 0;  // what it reaches

  // A line on the paper, mm.
  Stroke(std::vector<Vec2> line, double width, const Frame& frame);
};

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

// How near to the truth a picture is: stamps may do where dots hardly overlap, or wherever there is
// a crowd; then pixels are not cut, either.
enum class Care { exact, rough, hasty };

// How a layer is drawn in a picture of so many pixels.
struct Grain {
  bool stamped = false;
  int cut = 1;  // parts along a pixel
};
Grain grain_of(const PreparedLayer& layer, const Drawing& drawing, double width, double height,
               Care care);

// What the window shows of a layer in a picture of the whole paper of width x height pixels.
Shapes place(const PreparedLayer& layer, const LayerPart& part, const Drawing& drawing,
             double width, double height, const PictureWindow& window, Care care, Context& context);

}  // namespace dapple
