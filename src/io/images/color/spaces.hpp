// Defines the color spaces of written pictures: their names and curves, and conversions to them.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/plane.hpp"
#include "io/images/color/primaries.hpp"

namespace dapple {

// A color space with a name of its own.
struct ColorSpace {
  std::string_view name;        // as in MaterialX, if it has one
  std::string_view scene_name;  // by the Color Interop Forum, as in USD
  const Chromaticities* primaries;
  double gamma;              // light is the value to this power; 0: the curve of sRGB
  int code_points;           // primaries by ITU-T H.273; 0: none
  std::string_view aliases;  // separated by |

  bool is_linear() const { return gamma == 1; }
};
inline constexpr std::string_view raw_space = "raw";

// A space that a picture is converted to.
struct OutputSpace {
  std::string name = {};
  // A space of this file. For a space of a configuration, the space from which `convert` starts.
  const ColorSpace* known = nullptr;
  bool is_raw = false;     // values as usual, but without a statement
  bool is_linear = false;  // values are light
  // Converts pixels of three values; empty: `known` is the space itself.
  std::function<void(float* pixels, std::size_t count)> convert = nullptr;

  // Returns the space of this file that this is; nullptr for "raw" and spaces of a configuration.
  const ColorSpace* own() const { return convert ? nullptr : known; }
};

// Returns the space of this name: a space of this file, by any of its names in any case, or a
// space of the OpenColorIO configuration that the environment names. Throws Error(usage), which
// lists the names.
std::shared_ptr<const OutputSpace> output_space(std::string_view name);

// Returns all names of a space, its own first.
std::vector<std::string> names_of(const OutputSpace& space);

// Throws Error(usage) if files with this extension cannot hold or state the space.
void require_space(const OutputSpace& space, std::string_view extension);

// Converts the colors of an image: of a picture, or the channels color.R, color.G and color.B of
// data. Returns the number of pixels with a value outside of 0..1. Other channels stay.
// `has_colors` becomes true if there are colors.
std::size_t convert_colors(Image& image, const OutputSpace& space, bool& has_colors);

// Returns what a file states about a space.
ColorStatement statement_of(const OutputSpace& space);

// Returns an ICC profile (ISO 15076-1) of a space.
std::string icc_profile(const ColorSpace& space);

using ColorMatrix = std::array<std::array<double, 3>, 3>;
// Returns the matrix from light by `from` to light by `to`. White becomes white (Bradford, as in
// ISO 15076-1).
ColorMatrix light_matrix(const Chromaticities& from, const Chromaticities& to);
// Returns the adaptation of XYZ from the white of the primaries to that of ICC profiles, D50, and
// the matrix from light to the adapted XYZ.
ColorMatrix adaptation_to_d50(const Chromaticities& from);
ColorMatrix matrix_to_d50(const Chromaticities& from);

}  // namespace dapple
