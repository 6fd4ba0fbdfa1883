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
// Four parts at most, and the nearest colour; weights add up to 1. (Room for one more: the last
// colour that came in, should rounding keep it.)
struct Mixture {
  std::array<Part, 6> parts;
  int count = 0;
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
  // most alike to it. `strength` below 1 gives the rest of the weight to the single colour most
  // alike. Parts from dark to bright.
  Mixture mix(const Rgb& wanted, double strength = 1) const;

 private:
  std::vector<Rgb8> colours_;
  bool linear_;
  std::vector<Rgb> place_;  // in the space of means: luminance and two differences of colour
  std::vector<Rgb> look_;   // Oklab
};

}  // namespace dapple::palette
