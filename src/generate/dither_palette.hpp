// Palettes: reading them, and mixing a colour from them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dapple/options.hpp"

namespace dapple::palette {

using Rgb8 = std::array<std::uint8_t, 3>;
using Rgb = std::array<double, 3>;

// Colours of `#hex,#hex,...`, a GIMP palette (.gpl), or a list of hexadecimal colours, one a line
// (.hex). 2..256 different ones, in order. Throws Error(usage) that names the line.
std::vector<Rgb8> parse(const TextInput& input);

struct Part {
  int colour = 0;
  double weight = 0;
};
// From dark to bright, each colour once; weights add up to 1.
struct Mixture {
  std::array<Part, 6> parts;  // at most four are needed; rounding may keep one more
  int count = 0;
  int nearest = 0;  // the single colour most alike to what was wanted

  // Gives the part 1 - strength of all weight to the nearest colour.
  void weaken(double strength);
};

// Mixes colours of a palette to a given mean.
class Mixer {
 public:
  // `linear`: means are taken in linear light, else in encoded values.
  Mixer(std::vector<Rgb8> colours, bool linear);

  // Dark to bright; what Part::colour counts.
  const std::vector<Rgb8>& colours() const { return colours_; }

  // The weights w >= 0 that add up to 1 and bring the mean of the colours to the encoded sRGB
  // colour `wanted`, or as near as the palette can; of all such weights those that use the colours
  // most alike to it. The mixture of a similar colour as `guess` makes it faster.
  Mixture mix(const Rgb& wanted, const Mixture& guess = {}) const;

 private:
  std::vector<Rgb8> colours_;
  bool linear_;
  std::vector<Rgb> place_;  // in the space of means: luminance and two differences of colour
  std::vector<Rgb> look_;   // Oklab
};

}  // namespace dapple::palette
