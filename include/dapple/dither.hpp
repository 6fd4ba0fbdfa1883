// Dithering an image with a mask, to grey levels or a palette.
#pragma once

#include "dapple/mask.hpp"

namespace dapple {

struct DitherOptions {
  ImageInput mask;      // threshold texture; none: one is made
  Size size{64, 64};    // of the mask made on the spot
  int levels = 2;       // per channel, 2..256
  TextInput palette;    // instead of levels: #hex,#hex,... or a file of colours (.gpl, .hex)
  bool grey = false;    // luminance first
  bool linear = true;   // averages are right in linear light; false: in encoded values
  double strength = 1;  // 0: nearest level, 1: full dither
};
void describe(DitherOptions& options, OptionList& list);

// Same size as the image. In linear light the mean of any flat area keeps its light to within one
// level of the mask. Palettes: each pixel picks among the palette so that its neighbourhood
// averages to the colour.
Image dither(const Image& image, const DitherOptions& options, Context& context);

}  // namespace dapple
