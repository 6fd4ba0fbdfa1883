// Draws windows of a drawing's picture, at any scale.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dapple/drawing.hpp"
#include "draw/shapes.hpp"

namespace dapple {

// A drawing that is drawn again and again. It is checked once; its dots are in tiles, and their
// overlap is known. It never changes, so that several threads may draw it.
class PreparedDrawing {
 public:
  // Throws Error(usage) if the paper has no size, and the errors of require_drawable().
  // `to_look_at` also prepares views that may be rough. O(dots).
  PreparedDrawing(std::shared_ptr<const Drawing> drawing, Context& context,
                  bool to_look_at = false);

  // The picture to draw.
  struct View {
    double width = 1;  // of the whole paper, pixels
    double height = 1;
    PictureWindow window;
    std::vector<LayerPart> layers{};  // empty: all of each layer
    // Draws crowds of dots about as large as pixels by tables (disc_coverage_table.hpp), several
    // times as fast. A pixel on an edge is wrong by at most 0.01; the tone is right.
    bool roughly = false;
    // Even rougher, for a picture that is replaced at once. Uses stamps even if dots overlap much,
    // otherwise pixels that are not cut into parts. Small dots that overlap are then too light.
    bool hastily = false;
  };
  // Draws the part `window` of the picture. At a whole width and height, and in whole pixels, this
  // equals rasterize() to the last bit. Only sums along a row may round differently, if outlines or
  // polygons are filled. O(pixels + covered pixels of the dots in the window). Throws Error(usage)
  // for sizes that are not positive, Error(limit) beyond 10^9 pixels a side.
  Image rasterize(const View& view, Context& context) const;

  // The gain of haste: true if it is quicker, and the approximate number of dots in the window.
  struct Haste {
    bool helps = false;
    double dots = 0;
  };
  Haste haste(const View& view) const;

  const Drawing& drawing() const { return *drawing_; }
  std::size_t bytes() const;  // of memory, beside the drawing

 private:
  std::shared_ptr<const Drawing> drawing_;
  std::vector<PreparedLayer> layers_;
};

}  // namespace dapple
