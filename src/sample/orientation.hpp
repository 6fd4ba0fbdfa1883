// Turns of objects that stand on points, as quaternions x, y, z, w.
#pragma once

#include <array>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// Of an object whose up is y: first round its own up by `degrees`, counterclockwise seen from
// above, then by the shortest way to `up`, of length 1.
inline std::array<float, 4> turn_to(const Vec3& up, double degrees) {
  const double s = portable_sine(degrees / 720);
  const double c = portable_cosine(degrees / 720);
  // y to up; from straight below, round x.
  double x = up.z;
  double z = -up.x;
  double w = 1 + up.y;
  const double size = std::sqrt(x * x + z * z + w * w);
  constexpr double upside_down = 1e-9;
  if (size < upside_down) {
    x = 1;
    z = w = 0;
  } else {
    x /= size;
    z /= size;
    w /= size;
  }
  const auto rounded = [](double v) { return static_cast<float>(v); };
  if (degrees == 0) return {rounded(x), 0, rounded(z), rounded(w)};
  // (x, 0, z, w) (0, s, 0, c)
  return {rounded(x * c - z * s), rounded(w * s), rounded(z * c + x * s), rounded(w * c)};
}

}  // namespace dapple
