// Spaces with radii of points, on which tests try what all of them promise.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"

namespace dapple {

struct Model {
  std::string name;
  Space space;
  Radii radii;
  std::size_t dimensions = 2;
};

inline DensityField hill(const Domain& domain) {
  Plane<float> r(40, 30);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) r(x, y) = 1.5F + 0.05F * static_cast<float>(x);
  }
  return DensityField::from_radius(std::move(r), domain, 1.0);
}

inline VolumeField cloud(bool wrap) {
  Context context;
  Voxels voxels{12, 10, 9, {}};
  for (int i = 0; i < 12 * 10 * 9; ++i) {
    voxels.values.push_back(1.2F + 0.1F * static_cast<float>(i % 12));
  }
  VolumeRules rules;
  rules.wrap = wrap;
  return VolumeField::from_radius(std::move(voxels), rules, context);
}

inline SurfaceRadius growing(const Mesh& mesh) {
  SurfaceRadius radius;
  for (const auto& triangle : mesh.triangles) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3& p = mesh.vertices[static_cast<std::size_t>(triangle[c])];
      corners[c] = 0.1F + 0.05F * static_cast<float>(std::abs(p.x));
    }
    radius.corners.push_back(corners);
  }
  return radius;
}

inline SurfaceRadius lat_long() {
  Plane<float> r(64, 32);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 64; ++x) r(x, y) = 0.1F + 0.004F * static_cast<float>(y);
  }
  SurfaceRadius radius;
  Context context;
  radius.texture = DensityField::from_radius(std::move(r), {64, 32, true}, std::nullopt, context);
  radius.largest = 0.3;
  return radius;
}

// Returns the mesh with texture coordinates.
inline Mesh with_places(Mesh mesh) {
  for (const auto& triangle : mesh.triangles) {
    std::array<Vec2, 3>& places = mesh.uv.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3& p = mesh.vertices[static_cast<std::size_t>(triangle[c])];
      places[c] = {0.3 * p.x + 0.5, 0.3 * p.y + 0.5};
    }
  }
  return mesh;
}

inline SurfaceRadius texture() {
  Plane<float> r(24, 24);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 24; ++x) r(x, y) = 0.15F + 0.01F * static_cast<float>(x);
  }
  SurfaceRadius radius;
  Context context;
  radius.texture = DensityField::from_radius(std::move(r), {24, 24, true}, std::nullopt, context);
  radius.largest = 0.5;
  return radius;
}

inline const std::vector<Model>& models() {
  const Domain flat{40, 30, false};
  const Domain wrapped{40, 30, true};
  const Mesh ring = torus(40, 20);
  const Mesh mapped = with_places(ring);
  const ClassRadii classes{{3, 2}};
  static const std::vector<Model> all{
      {"plane", flat, 1.5},
      {"torus", wrapped, 1.5},
      {"plane by a field", flat, hill(flat)},
      {"torus by a field", wrapped, hill(wrapped)},
      {"classes of a plane", flat, classes},
      {"fields of classes", wrapped,
       ClassFields{{hill(wrapped), DensityField::constant(wrapped, 3)}}},
      {"box", Space::box({14, 12, false}, 10), 1.6, 3},
      {"wrapped box", Space::box({14, 12, true}, 10), 1.6, 3},
      {"box by a field", Space::box({12, 10, false}, 9), cloud(false), 3},
      {"box by the lesser radii", Space::box({12, 10, true}, 9),
       Radii(cloud(true), ConflictRule::min), 3},
      {"classes of a box", Space::box({20, 18, false}, 16), classes, 3},
      {"fields of classes of a box", Space::box({12, 10, false}, 9),
       ClassVolumes{{cloud(false), cloud(false).times(1.3)}}, 3},
      {"fields of classes of a torus", Space::box({12, 10, true}, 9),
       ClassVolumes{{cloud(true).times(0.8), cloud(true)}}, 3},
      {"box of four dimensions", Space::box({7, 6, true}, 6, 5), 1.3, 4},
      {"surface", Space::on_surface(ring), 0.15},
      {"surface along paths", Space::on_surface(ring, {SurfaceMetric::surface}), 0.2},
      {"surface by corners", Space::on_surface(ring), growing(ring)},
      {"classes of a surface", Space::on_surface(ring), ClassRadii{{0.3, 0.2}}},
      {"radii of classes of a surface", Space::on_surface(ring),
       ClassSurfaces{{growing(ring), 0.25}}},
      {"maps of classes of a surface", Space::on_surface(mapped),
       ClassSurfaces{{texture(), 0.3}, {}, ClassDistance::mean}},
      {"solid", Space::in_solid(ring), 0.15, 3},
      {"solid by a field", Space::in_solid(ring), cloud(false).times(0.45), 3},
      {"classes of a solid", Space::in_solid(ring), ClassRadii{{0.2, 0.15}}, 3},
      {"fields of classes of a solid", Space::in_solid(ring),
       ClassVolumes{{cloud(false).times(0.45), cloud(false).times(0.6)}}, 3},
      {"sphere", Space::on_sphere(1), 0.16},
      {"sphere by a map", Space::on_sphere(1), lat_long()},
      {"classes of a sphere", Space::on_sphere(1), ClassRadii{{0.2, 0.15}}},
      {"maps of classes of a sphere", Space::on_sphere(2), ClassSurfaces{{lat_long(), 0.25}}},
  };
  return all;
}

}  // namespace dapple
