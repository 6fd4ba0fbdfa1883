// Reads palettes, and mixes colors from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

// Reads a color as parse_color() does, or CIELAB as `lab(54 80 -7)`. Throws Error(usage).
Rgb8 parse_rgb8(std::string_view text);

// Reads colors such as `#223344,navy`, or a file. Formats: Adobe color table (.act) and swatches
// (.ase: RGB, gray, CIELAB), GIMP (.gpl), Paint Shop Pro (.pal, JASC), Windows (.pal, RIFF),
// Paint.NET (.txt), hexadecimal colors, one per line (.hex), and measurements (CGATS: .txt, .ti3)
// as spectra, XYZ or CIELAB. Returns 2..256 different colors, in
// order. Throws Error(usage), which names the line or byte.
// `names` receives the names of the colors, "" for those without, or no names for most formats.
std::vector<Rgb8> parse(const TextInput& input, std::vector<std::string>* names = nullptr);

// Returns the color of `lab(L a b)`, CIELAB for the light D50 as in CSS, or nothing.
std::optional<Rgb8> lab_color(std::string_view text);
// Returns a color of CIELAB for the light D50.
Rgb8 color_of_lab(const Rgb& lab);
// Returns true for a table of measurements in CGATS.
bool is_measured_table(std::string_view text);
// Reads such a table. If a color has the name `paper`, all colors are relative to it, and it is
// white. Throws Error(usage), which names the color.
std::vector<Rgb8> parse_measured(std::string_view text, const std::string& file,
                                 std::vector<std::string>* names);

struct Part {
  int color = 0;
  double weight = 0;
};
// A mixture from dark to bright, with each color once. Weights add up to 1.
struct Mixture {
  std::array<Part, 6> parts;  // four are enough; rounding may keep one more
  int count = 0;
  int nearest = 0;  // the color most similar to the wanted one
};

// Visible differences near a color.
struct Metric {
  std::array<Rgb, 3> rows;  // a matrix from differences of light, or of encoded values
  Rgb slope{};              // of light over encoded values, for Space::both
};

// The space in which a mixture has the wanted mean. No mixture has it in light and in encoded
// values alike: `both` keeps the sum of the two squared errors small.
enum class Space { light, values, both };

// Returns the mixture of `colors`, which index `all` (at least one). Its weights w >= 0 add up to 1
// and minimize:
//     |mean - wanted|^2 + grain * sum of w |color - wanted|^2.
// Lengths |.| are by the metric. If `grain` is below 0, returns only the nearest color. A mixture
// of a similar color as `guess` saves time.
Mixture mix(std::span<const Rgb> all, std::span<const std::uint8_t> colors, const Metric& metric,
            const Rgb& wanted, double grain, const Mixture& guess);

// Mixes colors of a palette to a given mean.
class Mixer {
 public:
  // `space`: wanted colors are encoded values in Space::values, otherwise linear light.
  // `perceptual`: differences are in Oklab, otherwise in the values. `strength`: 1 gives exact
  // means, less prefers near colors. Between two colors only the middle part of this length is
  // mixed. At 0 only the nearest color is used. `tolerance`: of means, for less grain; 1 is about a
  // hundredth of the way between two colors.
  Mixer(std::vector<Rgb8> colors, Space space, bool perceptual = true, double strength = 1,
        double tolerance = 1);

  // Returns the colors from dark to bright; Part::color is an index of them.
  const std::vector<Rgb8>& colors() const { return colors_; }
  // Returns a color as light, or as encoded values in Space::values.
  const Rgb& wanted(int color) const { return wanted_[static_cast<std::size_t>(color)]; }
  const Rgb& encoded(int color) const { return encoded_[static_cast<std::size_t>(color)]; }
  Space space() const { return space_; }
  // Returns the position of a color in the space that measures similarity.
  Rgb look_of(const Rgb& wanted) const;
  // Returns the metric at a color. `chroma`: the weight of color differences relative to lightness.
  Metric metric_at(const Rgb& wanted, double chroma) const;
  // Returns the metric at a color with the mixer's own weight of chroma.
  Metric metric_at(const Rgb& wanted) const { return metric_at(wanted, chroma_); }
  // Returns the mean color of a mixture.
  Rgb mean(const Mixture& mixture) const;

  // Returns the mixture of the most similar colors whose mean is `wanted`, or as near as the
  // palette allows. Weights are >= 0 and add up to 1. A mixture of a similar color as `guess` saves
  // time.
  Mixture mix(const Rgb& wanted, const Mixture& guess = {}) const;
  // As above, but mixes only the colors in `among`, at least one, by a similar color's metric.
  Mixture mix_among(std::span<const std::uint8_t> among, const Metric& metric, const Rgb& wanted,
                    const Mixture& guess) const;

 private:
  Rgb seen_light(const Rgb& wanted) const;  // with the light that the screen or paper adds

  std::vector<Rgb8> colors_;
  Space space_;
  bool perceptual_;
  double chroma_;
  double grain_ = -1;  // cost of grain beside errors of means; below 0: the nearest color only
  std::vector<Rgb> encoded_;
  std::vector<Rgb> wanted_;
  std::vector<std::uint8_t> all_;
};

}  // namespace dapple::palette
