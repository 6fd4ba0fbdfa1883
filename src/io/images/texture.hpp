// Textures to look up, .tx: levels of half the size each, and what renderers want to know of them.
#pragma once

#include "io/images/module.hpp"

namespace dapple {

// The levels below an image down to a single pixel, as they are stored: means over the area of each
// pixel, of light where the image is one; labels are those at the middle of the pixel.
std::vector<Image> smaller_levels(const Image& image);

// Makes the encoding one of a texture: its levels, and texts as maketx of OpenImageIO writes them.
// Colors of the image are multiplied by its alpha, which means need.
void encode_as_texture(Image& image, ImageEncoding& how);

}  // namespace dapple
