// Converts layers of a drawing to pixels: discs by bands of rows, strokes, edges of filled areas.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "draw/dense_discs.hpp"
#include "draw/dot_tiles.hpp"
#include "draw/frame.hpp"

namespace dapple {

class CoverageStamps;

struct Stroke {
  std::vector<Vec2> points;
  double half_width = 0;
  double y0 = 0, y1 = 0;  // extent in y

  // Makes a stroke of a line on the paper, in mm.
  Stroke(std::vector<Vec2> line, double width, const Frame& frame);
};

// The data of a layer that all its pictures share.
struct PreparedLayer {
  const Layer* layer = nullptr;
  // The share of the discs' area that lies on other discs; 1 if the layer has other shapes too.
  double overlap = 1;
  // The sum of the radii by which pixels are cut, in mm.
  double radii = 0;
  DotTiles tiles;
  // Empty unless `to_look_at` is set and there are enough discs.
  DenseDiscs crowd;
};
PreparedLayer prepare(const Layer& layer, const Drawing& drawing, bool to_look_at,
                      Context& context);

// The part of a layer that is drawn: discs, then lines point by point, in drawing order.
struct LayerPart {
  bool fills = true;
  std::size_t marks = std::numeric_limits<std::size_t>::max();
};
std::size_t marks_of(const Layer& layer);

// The discs or rings of a band, in drawing order.
struct BandDots {
  std::vector<Annulus> rings;
  // The outline in place of each ring, 1/reach times as large. Empty for discs and rings.
  std::vector<const Outline*> outlines;
};

// The part of a layer that a window shows.
struct Shapes {
  const Drawing* drawing = nullptr;
  const PreparedLayer* prepared = nullptr;
  Frame frame;
  // True if the coverages of a pixel by discs add up, because discs hardly overlap. Otherwise
  // coverages are combined as for random positions.
  bool apart = false;
  std::size_t discs = 0;                           // the number of discs to draw, from the first on
  std::shared_ptr<const CoverageStamps> stamps{};  // drawn instead of discs, if near enough
  std::vector<Stroke> strokes;
  std::vector<std::array<Vec2, 2>> edges;  // of filled areas
  std::array<float, 3> ink{};              // linear light

  // Returns the dots that reach into the band.
  BandDots dots_of(int band) const;
};

// The accuracy of a picture. rough: stamps if dots hardly overlap. hasty: stamps for any crowd, and
// pixels that are not cut.
enum class Care { exact, rough, hasty };

// The manner in which a layer is drawn, for a picture of a given size.
struct Grain {
  bool stamped = false;
  int cut = 1;  // parts along a pixel
};
Grain grain_of(const PreparedLayer& layer, const Drawing& drawing, double width, double height,
               Care care);

// Returns a layer's shapes in a window of the picture, which has width x height pixels in all.
Shapes place(const PreparedLayer& layer, const LayerPart& part, const Drawing& drawing,
             double width, double height, const PictureWindow& window, Care care, Context& context);

}  // namespace dapple
