// Meshes that tests and benchmarks share.
#pragma once

#include <cmath>

#include "dapple/mesh.hpp"

namespace dapple {

// Round the z axis, of radii 1 and .4, as so many rings of so many pairs of triangles.
inline Mesh torus(int around, int across) {
  constexpr double circle = 6.283185307179586;
  Mesh mesh;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double s = circle * i / around;
      const double t = circle * j / across;
      const double r = 1 + 0.4 * std::cos(t);
      mesh.vertices.push_back({r * std::cos(s), r * std::sin(s), 0.4 * std::sin(t)});
    }
  }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace dapple
