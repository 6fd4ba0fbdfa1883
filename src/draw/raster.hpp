// Windows of a drawing's picture, at any scale.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dapple/drawing.hpp"
#include "draw/shapes.hpp"

namespace dapple {

// A drawing that is looked at again and again: checked once, with its dots in tiles, and with what
// was found about how they overlap. Never changes, so that several threads may draw it.
class PreparedDrawing {
 public:
  // Throws Error(usage) where the paper has no size, and what require_drawable() throws. O(dots).
  // `to_look_at`: for views that may be rough, too.
  PreparedDrawing(std::shared_ptr<const Drawing> drawing, Context& context,
                  bool to_look_at = false);

  // What a picture of it shows.
  struct View {
    double width = 1;  // of all of the paper, pixels
    double height = 1;
    PictureWindow window;
    std::vector<LayerPart> layers{};  // none: all of each
    // Crowds of dots about as large as pixels may be drawn by stamps (stamps.hpp), some times as
    // fast: a pixel is wrong by a hundredth at the most where an edge goes through it, tone is not.
    bool roughly = false;
    // More roughly still, to be replaced at once: also by stamps where dots overlap much, or else
    // in pixels that are not cut into parts, where small dots that overlap are too light.
    bool hastily = false;
  };
  // At a whole width and height, and in whole pixels, this is the part `window` of what
  // rasterize() makes of the drawing, the same to the last bit, but for the rounding of sums along
  // a row where outlines or polygons are filled. O(pixels + covered pixels of the dots in the
  // window). Throws Error(usage) for sizes that are not positive, Error(limit) beyond 10^9 pixels a
  // side.
  Image rasterize(const View& view, Context& context) const;

  // Whether that is the quicker for haste, with about how many dots in the window.
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
