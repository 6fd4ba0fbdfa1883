// A picture made ready for drawing, as artists do before they begin: contrast, detail, sharpness.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"

namespace dapple {

// `auto`: as the picture needs it; `none`; or a factor by which values lie further from middle
// gray.
struct Contrast {
  bool automatic = false;
  double factor = 1;

  friend bool operator==(const Contrast&, const Contrast&) = default;
};
std::string to_text(const Contrast& value);
void from_text(std::string_view text, Contrast& value);

// In the order in which they are done.
struct PrepareOptions {
  ImageInput tones_from = {};  // a picture whose shares of light and dark this one gets
  Contrast contrast = {};
  double detail = 0;          // by how much local contrast grows; edges keep their height
  double sharpen = 0;         // by how much steps get steeper, over a pixel or two
  OnPaper<Length> blur = {};  // standard deviation of a Gaussian
  bool clean = false;         // scans: the paper gets white, specks of a few pixels go
};
void describe(PrepareOptions& options, OptionList& list);

// False where nothing is asked for.
bool changes_tones(const PrepareOptions& options);

// The picture so prepared; its size, names and encoding stay. What is done is done to the lightness
// of pixels as they are encoded for the eye (sRGB; other numbers as they are), and colors go along,
// so that hue and saturation stay. Values end up in 0..1; transparent pixels count for nothing.
// Automatic contrast stretches what lies between the half per cent of darkest and of lightest
// pixels to all of 0..1, unless it fills that already, and brings a middle tone that is darker or
// lighter than most pictures' nearer to theirs, but not that of paper; of a night it is the lights
// that rise, above the three quarters that are darkest. Where half of the picture is nearly even,
// the little detail there is grows too. Detail is what a guided filter of the picture by itself
// (He, Sun, Tang 2013) takes away. What is no light counts as black. `channel`: which is meant, as
// in MapOptions; the others stay. O(pixels). Throws Error(limit) where memory does not hold it all,
// Error(input) where there is no such channel.
Image prepared(const Image& image, const PrepareOptions& options, Context& context,
               const std::string& channel = "luminance");

}  // namespace dapple
