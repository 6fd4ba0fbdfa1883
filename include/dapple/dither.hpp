// Dithering an image, to levels or a palette: with a mask, or by error diffusion.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/mask.hpp"
#include "dapple/option_words.hpp"
#include "dapple/prepare.hpp"

namespace dapple {

enum class DitherMethod { mask, bayer, floyd_steinberg, ostromoukhov };
constexpr auto option_names(DitherMethod) {
  return words_to<DitherMethod::ostromoukhov>("mask", "bayer", "floyd-steinberg", "ostromoukhov");
}
enum class DitherChannels { independent, locked };
constexpr auto option_names(DitherChannels) {
  return words_to<DitherChannels::locked>("independent", "locked");
}
enum class DitherNoise { uniform, triangular };
constexpr auto option_names(DitherNoise) {
  return words_to<DitherNoise::triangular>("uniform", "triangular");
}
enum class DitherAlpha { keep, dither, threshold };
constexpr auto option_names(DitherAlpha) {
  return words_to<DitherAlpha::threshold>("keep", "dither", "threshold");
}

struct DitherOptions {
  PrepareOptions prepare = {};  // of the picture, before anything else
  DitherMethod method = DitherMethod::mask;
  ImageInput mask = {};    // threshold texture of any kind; none: one is made
  Size size{128, 128};     // of the mask made on the spot
  int levels = 2;          // per channel, 2..256
  TextInput palette = {};  // instead of levels: #hex,#hex,... or a file of colors
  int colors = 0;  // instead of both: a palette of so many, 2..256, made for the image; 0: none
  bool perceptual = true;  // palettes: likeness by Oklab, else by the distance of values
  bool gray = false;       // luminance first
  bool linear = true;      // averages are right in linear light; false: in encoded values
  // Of two levels or colors the middle part of this length between them is dithered, the rest is
  // the nearer one: at 1 tones are right, at 0 areas are plain. The more, the more grain and the
  // less error of the mean, for mixtures of any colors.
  double strength = 1;
  DitherNoise noise = DitherNoise::uniform;  // of levels by a mask
  DitherChannels channels = DitherChannels::independent;
  DitherAlpha alpha = DitherAlpha::keep;
};
void describe(DitherOptions& options, OptionList& list);

// Same size as the image, 8 bits, sRGB. Values outside black..white count as black or white; the
// image's encoding decides what they mean, `data` being dithered as encoded numbers. Slices are
// frames: slice i meets slice i of the mask, which repeats (a mask made on the spot is blue noise
// in time too, over at most 16 frames); error diffusion begins anew.
//
// Levels are evenly spaced in encoded values, in each of R, G, B, or Y. In linear light the mean of
// any flat area keeps its light to within one level of the mask. Unless channels are locked, R, G
// and B have masks of their own (a mask of one channel is shifted for G and B): the noise of
// luminance then has 0.56 of the power it has under one mask for all. Triangular noise has a
// variance of a quarter of a step at every value, which uniform noise has only halfway between two
// levels: nothing of the signal is seen in the grain.
//
// Palettes: each pixel picks one of at most four colors of the palette whose weighted mean is the
// color wanted, or the nearest color the palette can mix; the result is RGB, with the palette in
// WriterHints::palette in the order given (so are gray levels where there is no alpha).
//
// Error diffusion takes the nearest level or color and hands what that is off by to neighbors.
//
// Alpha is kept, or becomes 0 and 1, by the same method or at one half. Under a palette, pixels
// that end up at alpha 0 have its first color.
//
// Throws Error(usage) for a palette that cannot be read (with the line or byte at fault) and for
// options that exclude each other, Error(input) for values that are not finite.
Image dither(const Image& image, const DitherOptions& options, Context& context);

}  // namespace dapple
