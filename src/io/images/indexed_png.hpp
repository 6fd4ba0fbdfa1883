// PNG files of few colors: indexed with a palette, or gray of 1, 2 or 4 bits.
#pragma once

#include "io/images/png_file.hpp"

namespace dapple {

// Encodes an image of 8 bits that names its palette, colors in the palette's order, others that
// occur (colors with an alpha of their own) after them. False, with nothing written, where a
// smaller file of this kind cannot hold it: more than 256 colors, other channels than Y or R G B
// or R G B A. Gray stays gray: of 2, 4 or 16 even levels, else it is no case for this.
bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error);

}  // namespace dapple
