// PNG files of few colours: indexed with a palette, or grey of 1, 2 or 4 bits.
#pragma once

#include "io/png_file.hpp"

namespace dapple {

// Encodes an image of 8 bits that names its palette, colours in the palette's order, others that
// occur (colours with an alpha of their own) after them. False, with nothing written, where a
// smaller file of this kind cannot hold it: more than 256 colours, other channels than Y or R G B
// or R G B A. Grey stays grey: of 2, 4 or 16 even levels, else it is no case for this.
bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error);

}  // namespace dapple
