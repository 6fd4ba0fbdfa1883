// Dithers an image to levels or a palette, with a mask or by error diffusion.
#pragma once

#include "dapple/extend/option_words.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/mask.hpp"

namespace dapple {

enum class DitherMethod {
  mask,
  bayer,
  floyd_steinberg,
  ostromoukhov,
  jarvis,
  stucki,
  burkes,
  sierra,
  atkinson
};
constexpr auto option_names(DitherMethod) {
  return words_to<DitherMethod::atkinson>("mask", "bayer", "floyd-steinberg", "ostromoukhov",
                                          "jarvis", "stucki", "burkes", "sierra", "atkinson");
}
enum class DitherChannels { independent, locked };
constexpr auto option_names(DitherChannels) {
  return words_to<DitherChannels::locked>("independent", "locked");
}
enum class DitherMixing { both, light };
constexpr auto option_names(DitherMixing) {
  return words_to<DitherMixing::light>("both", "light");
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
  PrepareOptions prepare = {};  // of the picture, before all other steps
  // The size of the result in pixels, of each frame; at most one of width and height, fit, and
  // cover is given. Only one of width and height: the other keeps the proportions. Both: stretched
  // to this size. fit: the largest size within it that keeps the proportions. cover: exactly this
  // size; what protrudes on two sides is cut off. 0, empty: the size of the picture.
  int width = 0;
  int height = 0;
  Size fit = {};
  Size cover = {};
  DitherMethod method = DitherMethod::mask;
  bool serpentine = true;  // error diffusion passes over every other row to the left
  ImageInput mask = {};    // threshold texture of any kind; none: a mask is made
  int slices = 1;          // frames in the strip that `mask` is, if its file does not say
  Size size{128, 128};     // of a mask that is made
  int levels = 2;          // per channel, 2..256
  TextInput palette = {};  // instead of levels: #hex,#hex,... or a file of colors
  int colors = 0;          // 2..256: makes a palette of this size, instead of `palette`; 0: none
  // A picture whose colors are the palette: all, if these are at most `colors` (0: 256), otherwise
  // as many as mix all others best.
  ImageInput palette_from = {};
  // The colors that are written for those of `palette`, in the same order: a device is told its
  // pure colors, and `palette` holds what they look like. Empty: those of `palette`.
  TextInput device_palette = {};
  bool perceptual = true;  // palettes: true: compare colors in Oklab; false: by their values
  bool gray = false;       // true: convert to luminance first
  bool linear = true;      // true: keep means in linear light; false: in encoded values
  // Applies to a given palette if `linear`. both: means in linear light and means in encoded values
  // are as near as the palette allows; light: means are exact in linear light, as with two colors.
  DitherMixing mixing = DitherMixing::both;
  // Between two levels or colors only the middle part of this length is dithered; the rest takes
  // the nearer of the two. 1 keeps tones, 0 keeps areas plain. A larger value has more grain and a
  // smaller error of the mean, for mixtures of any colors.
  double strength = 1;
  DitherNoise noise = DitherNoise::uniform;  // levels by a mask only
  DitherChannels channels = DitherChannels::independent;
  DitherAlpha alpha = DitherAlpha::keep;
};
void describe(DitherOptions& options, OptionList& list);

// Returns an image of 8 bits, sRGB, of the same size unless the options give one. Pictures are
// resampled by cubic convolution in linear light. Values outside black..white count as black or
// white. The image's encoding defines its values; `data` is dithered as encoded numbers and stays
// `data`. Slices are frames: slice i uses slice i of the mask, which repeats. A mask that is made
// is blue noise in time too, over at most 16 frames. Error diffusion starts anew in each frame.
//
// Levels are evenly spaced in encoded values, in each of R, G, B, or Y. In linear light the mean of
// any flat area keeps its light to within one level of the mask. Unless channels are locked, R, G
// and B have separate masks (a mask of one channel is shifted for G and B). The noise of luminance
// then has 0.56 of the power that one mask gives it. Triangular noise has a variance of a quarter
// of a step at every value, so the grain does not show the signal. Uniform noise has that variance
// only halfway between two levels.
//
// Palettes: each pixel picks one of at most five palette colors whose weighted mean is the target
// color, or the nearest color that the palette can mix. No mixture of a given palette has the right
// mean both for the eye (light) and for programs that scale pictures (encoded values), so its
// errors are shared between the two (see `mixing`). The result is RGB, with the palette, or that of
// the device, in WriterHints::palette in the given order. Gray levels without alpha also set
// WriterHints::palette.
//
// Error diffusion takes the nearest level or color and adds the error to neighboring pixels.
//
// Alpha is kept, dithered to 0 and 1 by the same method, or cut to 0 and 1 at one half. With a
// palette, pixels that end up at alpha 0 have its first color.
//
// Throws Error(usage) for an unreadable palette (with the line or byte at fault) and for options
// that exclude each other. Throws Error(input) for values that are not finite.
Image dither(const Image& image, const DitherOptions& options, Context& context);

}  // namespace dapple
