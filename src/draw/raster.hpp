// Windows of a drawing's picture.
#pragma once

#include "dapple/drawing.hpp"
#include "draw/shapes.hpp"

namespace dapple {

// The part `window` of what rasterize() makes of the drawing at width x height pixels: the same to
// the last bit, but for the rounding of sums along a row where outlines or polygons are filled. The
// window lies in the picture. O(discs + pixels + covered pixels of those in the window).
Image rasterize(const Drawing& drawing, int width, int height, const PictureWindow& window,
                Context& context);

}  // namespace dapple
