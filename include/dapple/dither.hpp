// Dithering an image with a mask, to grey levels or a palette.
#pragma once

#include "dapple/mask.hpp"

namespace dapple {

struct DitherOptions {
  ImageInput mask;      // threshold texture; none: one is made
  Size size{128, 128};  // of the mask made on the spot
  int levels = 2;       // per channel, 2..256
  TextInput palette;    // instead of levels: #hex,#hex,... or a file of colours (.gpl, .hex)
  bool grey = false;    // luminance first
  bool linear = true;   // averages are right in linear light; false: in encoded values
  double strength = 1;  // 0: nearest level or colour, 1: full dither
};
void describe(DitherOptions& options, OptionList& list);

// Same size as the image, 8 bits, sRGB; alpha is kept as it is. Values outside black..white count
// as black or white; the image's encoding decides what they mean, `data` being dithered as encoded
// numbers.
//
// Levels are evenly spaced in encoded values, in each of R, G, B, or Y. In linear light the mean of
// any flat area keeps its light to within one level of the mask. R, G and B have masks of their own
// (a mask of one channel is shifted for R and B): the noise of luminance then has 0.56 of the power
// it has under one mask for all.
//
// Palettes: each pixel picks one of at most four colours of the palette whose weighted mean is the
// colour wanted, or the nearest colour the palette can mix; the result is RGB.
//
// Throws Error(usage) for a palette that cannot be read (with the line at fault), Error(input) for
// values that are not finite.
Image dither(const Image& image, const DitherOptions& options, Context& context);

}  // namespace dapple
