// Palettes: reading them, and mixing a color from them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"

namespace dapple::palette {

using Rgb8 = std::array<std::uint8_t, 3>;
using Rgb = std::array<double, 3>;

constexpr std::size_t most_colors = 256;

// A color as parse_color() reads it, in bytes. Throws Error(usage).
Rgb8 parse_rgb8(std::string_view text);

// Colors written out, such as `#223344,navy`, or of a file: an Adobe color table (.act), a GIMP
// palette (.gpl), one of Paint Shop Pro (.pal, JASC) or Paint.NET (.txt), or a list of hexadecimal
// colors, one a line (.hex). 2..256 different ones, in order. Throws Error(usage) that names the
// line or byte.
std::vector<Rgb8> parse(const TextInput& input);

struct Part {
  int color = 0;
  double weight = 0;
};
// From dark to bright, each color once; weights add up to 1.
struct Mixture {
  std::array<Part, 6> parts;  // at most four are needed; rounding may keep one more
  int count = 0;
  int nearest = 0;  // the single color most alike to what was wanted
};

// What differences of light, or of encoded values, look like near a color.
using Metric = std::array<Rgb, 3>;

// The weights w >= 0 that add up to 1 of those of all colors that are named (at least one), so that
//     |mean - wanted|^2 + grain * sum of w |color - wanted|^2
// by the metric is least. `grain` below 0: the nearest color alone. The mixture of a similar color
// as `guess` makes it faster.
Mixture mix(std::span<const Rgb> all, std::span<const std::uint8_t> colors, const Metric& metric,
            const Rgb& wanted, double grain, const Mixture& guess);

// Mixes colors of a palette to a given mean.
class Mixer {
 public:
  // `linear`: means are taken in linear light, else in encoded values; colors that are wanted come
  // as such. `perceptual`: differences are those of Oklab, else of the values. `strength`: 1 asks
  // for means that are right, less for colors that are near; of two colors the middle part of that
  // length between them is mixed. At 0 mixtures are the nearest color alone.
  Mixer(std::vector<Rgb8> colors, bool linear, bool perceptual = true, double strength = 1);

  // Dark to bright; what Part::color counts.
  const std::vector<Rgb8>& colors() const { return colors_; }
  // A color as light or encoded values.
  const Rgb& wanted(int color) const { return wanted_[static_cast<std::size_t>(color)]; }
  // The place of a color in the space where likeness is measured.
  Rgb look_of(const Rgb& wanted) const;
  // `chroma`: how much a difference of color counts against one of lightness.
  Metric metric_at(const Rgb& wanted, double chroma = 0.4) const;
  // The mean color of a mixture.
  Rgb mean(const Mixture& mixture) const;

  // The weights w >= 0 that add up to 1 and bring the mean of the colors to `wanted`, or as near
  // as the palette can, with the colors most alike to it. The mixture of a similar color as
  // `guess` makes it faster.
  Mixture mix(const Rgb& wanted, const Mixture& guess = {}) const;
  // Of some colors alone, at least one, by a metric of a similar color.
  Mixture mix_among(std::span<const std::uint8_t> among, const Metric& metric, const Rgb& wanted,
                    const Mixture& guess) const;

 private:
  std::vector<Rgb8> colors_;
  bool linear_;
  bool perceptual_;
  double grain_ = -1;  // what it costs beside errors of means; below 0: all
  std::vector<Rgb> wanted_;
  std::vector<std::uint8_t> all_;
};

}  // namespace dapple::palette
