// Turns of objects that stand on points, as quaternions x, y, z, w.
#pragma once

#include <array>
#include <cmath>

#include "dapple/mesh.hpp"

namespace dapple {

// Of an object whose up is y: by the shortest way to `up`, of length 1.
inline std::array<float, 4> turn_to(const Vec3& up) {
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
  return {static_cast<float>(x), 0, static_cast<float>(z), static_cast<float>(w)};
}

}  // namespace dapple
