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

constexpr std::size_t most_colours = 256;

// Colours of `#hex,#hex,...`, or of a file: an Adobe colour table (.act), a GIMP palette (.gpl),
// one of Paint Shop Pro (.pal, JASC) or Paint.NET (.txt), or a list of hexadecimal colours, one a
// line
// (.hex). 2..256 different ones, in order. Throws Error(usage) that names the line or byte.
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

// A colour of light, or of encoded values, as the space where errors of means are weighed: its
// luminance and two differences of colour that count less.
Rgb place_of(const Rgb& wanted);

// Mixes colours of a palette to a given mean.
class Mixer {
 public:
  // `linear`: means are taken in linear light, else in encoded values; colours that are wanted come
  // as such. `perceptual`: likeness is a distance in Oklab, else in those values.
  Mixer(std::vector<Rgb8> colours, bool linear, bool perceptual = true);

  // Dark to bright; what Part::colour counts.
  const std::vector<Rgb8>& colours() const { return colours_; }
  // A colour as light or encoded values.
  const Rgb& wanted(int colour) const { return wanted_[static_cast<std::size_t>(colour)]; }
  // Where likeness is measured.
  Rgb look_of(const Rgb& wanted) const;
  // What a mixture's mean is.
  Rgb mean(const Mixture& mixture) const;

  // The weights w >= 0 that add up to 1 and bring the mean of the colours to `wanted`, or as near
  // as the palette can; of all such weights those that use the colours most alike to it. The
  // mixture of a similar colour as `guess` makes it faster.
  Mixture mix(const Rgb& wanted, const Mixture& guess = {}) const;

 private:
  std::vector<Rgb8> colours_;
  bool linear_;
  bool perceptual_;
  std::vector<Rgb> wanted_;
  // By component, so that loops over colours run in vectors.
  std::array<std::vector<double>, 3> place_;
  std::array<std::vector<double>, 3> look_;
};

}  // namespace dapple::palette
