// Converts the colors of files to sRGB, as the files describe them (Little CMS).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dapple/plane.hpp"

namespace dapple {

// The colors of a file as it states them. Without a statement they are sRGB.
struct ColorProfile {
  std::string icc = {};  // an ICC profile; wins over the rest
  // x and y of red, green, blue and white (CIE 1931); all 0: those of sRGB.
  std::array<double, 8> chromaticities = {};
  double gamma = 0;           // light is the value to this power; 0: the curve of sRGB
  std::string unusable = {};  // a statement that no conversion exists for, such as "PQ (HDR)"

  bool empty() const { return *this == ColorProfile(); }
  friend bool operator==(const ColorProfile&, const ColorProfile&) = default;
};

// Returns the profile that code points for video describe (ITU-T H.273): primaries, transfer
// function and matrix. Values of limited range and curves of HDR are unusable.
ColorProfile profile_of_code_points(int primaries, int transfer, int matrix);

// The meaning of the values of a pixel. cmyk_inverted: 1 is no ink. lab: CIELAB of TIFF, whose a
// and b are signed integers.
enum class ColorModel { gray, rgb, cmyk, cmyk_inverted, lab };

// Converts pixels of one kind. Several threads may use it at once.
class ColorConversion {
 public:
  // Returns a conversion for pixels whose values have this type. The result is gray or RGB: sRGB,
  // or its primaries in linear light if `encoding` is linear. Returns null if the colors differ
  // from sRGB by less than a step of 8 bits, or if the profile cannot be used; `problem` then says
  // why. Colors outside of sRGB are cut, but not in linear floats.
  static std::unique_ptr<const ColorConversion> of(const ColorProfile& profile, ColorModel model,
                                                   PixelType type, Encoding encoding,
                                                   std::string& problem);
  ~ColorConversion();

  int channels() const;  // of the result

  // Values of pixels: one pointer per channel, and the distance from pixel to pixel.
  struct Row {
    std::array<float*, 4> values = {};
    int step = 1;
  };
  // Converts `count` pixels; both rows may be the same.
  void convert(const Row& from, const Row& to, int count) const;

 private:
  struct Parts;
  explicit ColorConversion(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace dapple
