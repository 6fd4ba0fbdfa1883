// Between the parts of materials: a texture that has the output color as a look paints it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dapple/worley.hpp"

namespace dapple::cells {

// What the look is painted by: first what its gradient goes over, `color` where there is none.
std::vector<std::string> painted_outputs(const WorleyLook& look);
// The three channels of the output color in linear light, at four samples a pixel.
Image painted_color(std::span<const PointSet> octaves, int width, int height,
                    const WorleyOptions& options, const WorleyLook& look, Context& context);
// worley() with its output color painted.
Image painted_texture(std::span<const PointSet> octaves, int width, int height,
                      const WorleyOptions& options, const WorleyLook& look, Context& context);
// The same three channels as an sRGB picture.
Image picture_of_color(Image color);

}  // namespace dapple::cells
