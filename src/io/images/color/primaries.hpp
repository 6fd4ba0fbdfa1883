// Defines the primaries of color spaces, and what files state about a space.
#pragma once

#include <array>
#include <string>

namespace dapple {

// x and y of red, green, blue and white (CIE 1931).
using Chromaticities = std::array<double, 8>;
inline constexpr Chromaticities rec709_primaries{0.64, 0.33, 0.30,   0.60,
                                                 0.15, 0.06, 0.3127, 0.3290};  // ITU-R BT.709
inline constexpr Chromaticities rec2020_primaries{0.708, 0.292, 0.170,  0.797,
                                                  0.131, 0.046, 0.3127, 0.3290};  // ITU-R BT.2020
inline constexpr Chromaticities p3_primaries{0.680, 0.320, 0.265,  0.690,
                                             0.150, 0.060, 0.3127, 0.3290};  // SMPTE EG 432-1
inline constexpr Chromaticities adobe_primaries{0.64, 0.33, 0.21,   0.71,
                                                0.15, 0.06, 0.3127, 0.3290};  // Adobe RGB (1998)
inline constexpr Chromaticities ap0_primaries{0.7347,  0.2653,  0.0,    1.0, 0.0001,
                                              -0.0770, 0.32168, 0.33767};  // SMPTE ST 2065-1
inline constexpr Chromaticities ap1_primaries{0.713, 0.293, 0.165,   0.830,
                                              0.128, 0.044, 0.32168, 0.33767};  // AMPAS S-2014-004

// Holds what a file states about its colors.
struct ColorStatement {
  std::string name = {};               // oiio:ColorSpace; "": sRGB or linear light
  std::string interop_id = {};         // name of the Color Interop Forum
  Chromaticities chromaticities = {};  // all 0: none
  std::string icc = {};                // an ICC profile; "": none
  int primaries = 0;                   // code points of ITU-T H.273; 0: none
  int transfer = 0;
  bool is_unstated = false;  // the file states no color at all
};

}  // namespace dapple
