// Converts colors between linear light and Oklab, and finds color names.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/deterministic_math.hpp"

namespace dapple {

// Returns the color name that is nearest to `text`, or "" if no name is near.
std::string nearest_color(std::string_view text);

// The shares of red, green and blue in luminance (ITU-R BT.709).
inline constexpr std::array<double, 3> luminance_shares{0.2126, 0.7152, 0.0722};

template <class Real>
Real luminance(const std::array<Real, 3>& light) {
  return static_cast<Real>(luminance_shares[0]) * light[0] +
         static_cast<Real>(luminance_shares[1]) * light[1] +
         static_cast<Real>(luminance_shares[2]) * light[2];
}

// The Oklab space (Ottosson 2020): lightness, green to red, blue to yellow. Its matrices convert
// linear light to cone responses, and the cube roots of the responses to the color.
namespace oklab {

using Matrix = std::array<std::array<double, 3>, 3>;
inline constexpr Matrix from_light{{{0.4122214708, 0.5363325363, 0.0514459929},
                                    {0.2119034982, 0.6806995451, 0.1073969566},
                                    {0.0883024619, 0.2817188376, 0.6299787005}}};
inline constexpr Matrix from_roots{{{0.2104542553, 0.7936177850, -0.0040720468},
                                    {1.9779984951, -2.4285922050, 0.4505937099},
                                    {0.0259040371, 0.7827717662, -0.8086757660}}};
inline constexpr Matrix to_roots{{{1, 0.3963377774, 0.2158037573},
                                  {1, -0.1055613458, -0.0638541728},
                                  {1, -0.0894841775, -1.2914855480}}};
inline constexpr Matrix to_light{{{4.0767416621, -3.3077115913, 0.2309699292},
                                  {-1.2684380046, 2.6097574011, -0.3413193965},
                                  {-0.0041960863, -0.7034186147, 1.7076147010}}};

template <class Real>
std::array<Real, 3> product(const Matrix& m, const std::array<Real, 3>& v) {
  std::array<Real, 3> result;
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = static_cast<Real>(m[i][0]) * v[0] + static_cast<Real>(m[i][1]) * v[1] +
                static_cast<Real>(m[i][2]) * v[2];
  }
  return result;
}

template <class Real>
std::array<Real, 3> of_light(const std::array<Real, 3>& light) {
  std::array<Real, 3> cones = product(from_light, light);
  for (Real& c : cones) c = static_cast<Real>(portable_cbrt(static_cast<double>(c)));
  return product(from_roots, cones);
}

// Returns the light of a color. A component below 0, which no light has, becomes 0.
template <class Real>
std::array<Real, 3> light_of(const std::array<Real, 3>& color) {
  std::array<Real, 3> cones = product(to_roots, color);
  for (Real& c : cones) c = c * c * c;
  std::array<Real, 3> light = product(to_light, cones);
  for (Real& c : light) c = std::max(c, Real{0});
  return light;
}

}  // namespace oklab
}  // namespace dapple
