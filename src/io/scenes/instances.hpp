// Converts points on a surface to instances of an object, for scenes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/geometry.hpp"
#include "dapple/mesh.hpp"
#include "dapple/points.hpp"
#include "io/text_keys.hpp"

namespace dapple {

// Places are relative to the center of all points, which may be far from the origin.
struct Instances {
  Vec3 middle;
  std::vector<std::array<float, 3>> place;
  std::vector<std::array<float, 4>> turn;  // x, y, z, w
  std::vector<float> size;
};
// Uses the size of the object or 0.6 r, and its turn or the rotation around the normal.
Instances instances_of(const Points& points);

// Returns the largest class id + 1, or 1 if there are no classes.
std::int32_t count_of_classes(const Points& points);

// The placeholder on each point, which users replace by their own object: a flat-shaded cone of
// width and height 1 that grows up y from the origin.
struct Cone {
  static constexpr std::uint16_t sides = 8;
  std::vector<std::array<float, 3>> corners;
  std::vector<std::array<float, 3>> normals;  // of each corner
  std::vector<std::uint16_t> triangles;       // three corners each
};
Cone make_cone();

// Encode glTF 2.0 with EXT_mesh_gpu_instancing, and USD with a PointInstancer.
std::string encode_glb(const Points& points);
std::string encode_usda(const Points& points);

// Returns true for .glb and .usda.
bool is_scene_format(std::string_view extension);
// Returns the metadata in the bytes of a scene, or none if another program made it.
Metadata scene_metadata(std::string_view bytes);

}  // namespace dapple
