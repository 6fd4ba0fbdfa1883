// Computes orientations of objects that stand on points, as quaternions x, y, z, w.
#pragma once

#include <array>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// Returns the rotation of an object whose up is y: by `degrees` around its own up, counterclockwise
// seen from above, then by the shortest way to the unit vector `up`.
inline std::array<float, 4> turn_to(const Vec3& up, double degrees) {
  const double s = portable_sine(degrees / 720);
  const double c = portable_cosine(degrees / 720);
  // Rotates y to `up`; if `up` is -y, rotates around x.
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
  // The product (x, 0, z, w) (0, s, 0, c).
  return {rounded(x * c - z * s), rounded(w * s), rounded(z * c + x * s), rounded(w * c)};
}

}  // namespace dapple
