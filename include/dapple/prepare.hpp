// Prepares a picture for drawing: contrast, detail, sharpness.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"

namespace dapple {

// `auto`: as much as the picture needs; `none`; or a factor on the distance of values from middle
// gray.
struct Contrast {
  bool automatic = false;
  double factor = 1;

  friend bool operator==(const Contrast&, const Contrast&) = default;
};
std::string to_text(const Contrast& value);
void from_text(std::string_view text, Contrast& value);

// The steps of the preparation, in the order in which they are done.
struct PrepareOptions {
  ImageInput tones_from = {};  // a picture whose distribution of tones this one gets
  Contrast contrast = {};
  double detail = 0;          // growth of the local contrast; edges keep their height
  double sharpen = 0;         // growth of the steepness of steps, over a pixel or two
  OnPaper<Length> blur = {};  // standard deviation of a Gaussian
  bool clean = false;         // scans: the paper becomes white, specks of a few pixels vanish
};
void describe(PrepareOptions& options, OptionList& list);

// Returns false if the options change nothing.
bool changes_tones(const PrepareOptions& options);

// Returns the prepared picture; its size, names and encoding stay. The steps change the lightness
// of pixels, encoded for the eye (sRGB; other numbers as they are). Colors follow, so that hue and
// saturation stay. Values end up in 0..1, values that are no light count as black, and transparent
// pixels do not count. Automatic contrast stretches the range between the darkest and the lightest
// 0.5 % of pixels to 0..1, unless the range nearly fills it already. It moves the middle tone
// toward that of most pictures, but not the middle tone of paper. At night it lifts only the
// lights, above the darkest 75 %. If half of the picture is nearly even, its little detail grows
// too. Detail is the difference from a guided filter of the picture by itself (He, Sun, Tang 2013).
// `channel` is the one to prepare, as in MapOptions; others stay. O(pixels). Throws Error(limit) if
// memory is too small, Error(input) if the channel does not exist.
Image prepared(const Image& image, const PrepareOptions& options, Context& context,
               const std::string& channel = "luminance");

}  // namespace dapple
