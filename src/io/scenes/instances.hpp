// Points on a surface as instances of an object, which scenes hold.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/surface.hpp"
#include "io/text_keys.hpp"

namespace dapple {

// Places count from the middle of all, which may be far from the origin.
struct Instances {
  Vec3 middle;
  std::vector<std::array<float, 3>> place;
  std::vector<std::array<float, 4>> turn;  // x, y, z, w
  std::vector<float> size;
};
// Of their size or of 0.6 r, and as they are turned or up along the normal.
Instances instances_of(const SurfacePoints& points);

// From the largest class; 1 where there are none.
std::int32_t count_of_classes(const SurfacePoints& points);

// What stands on each point until users put something of their own there: a cone of width and
// height 1 that grows up y from the origin, of flat faces.
struct Cone {
  static constexpr std::uint16_t sides = 8;
  std::vector<std::array<float, 3>> corners;
  std::vector<std::array<float, 3>> normals;  // of each corner
  std::vector<std::uint16_t> triangles;       // three corners each
};
Cone make_cone();

// glTF 2.0 with EXT_mesh_gpu_instancing, and a PointInstancer of USD.
std::string encode_glb(const SurfacePoints& points);
std::string encode_usda(const SurfacePoints& points);

// True for .glb and .usda.
bool is_scene_format(std::string_view extension);
// What the bytes of such a file tell of its origin; none where another program made it.
Metadata scene_metadata(std::string_view bytes);

}  // namespace dapple
