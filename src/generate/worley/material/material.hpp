// Declares what the parts of materials share: a texture whose output color is painted by a look.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/output_row.hpp"

namespace dapple::cells {

// Returns the rows of outputs by which a renderer lights a surface.
std::span<const Output> surface_rows();
// Returns the outputs that the look needs. The first is the output under the gradient, or `color`.
std::vector<std::string> painted_outputs(const WorleyLook& look);
// Returns the three channels of the output color in linear light, at four samples per pixel.
Image painted_color(std::span<const Points> octaves, int width, int height,
                    const WorleyOptions& options, const WorleyLook& look, Context& context);
// Makes a texture as worley() does, with its output color painted.
Image painted_texture(std::span<const Points> octaves, int width, int height,
                      const WorleyOptions& options, const WorleyLook& look, Context& context);
// Converts the three channels of the output color to an sRGB picture.
Image picture_of_color(Image color);

}  // namespace dapple::cells
