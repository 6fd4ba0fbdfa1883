// Defines triangle meshes.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
  friend bool operator==(const Vec3& a, const Vec3& b) = default;
};

inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// A template, so that length({x, y}) stays the length of a Vec2.
template <std::same_as<Vec3> V>
double length(const V& a) {
  return std::sqrt(dot(a, a));
}

// A soup of triangles. Neighbors need not share vertices. Faces may coincide, have no area, or be
// wound either way. The corners run counterclockwise seen from the front.
struct Mesh {
  std::vector<Vec3> vertices = {};  // in the unit of the file
  std::vector<std::array<std::int32_t, 3>> triangles = {};
  // Optional: for each triangle, the number of its face in the file, from 0.
  std::vector<std::int32_t> face = {};
  // Optional: places of the corners of each triangle in a texture. One copy of the texture is 0..1,
  // and v counts up from its lower edge.
  std::vector<std::array<Vec2, 3>> uv = {};
  // Optional: values of all vertices, under the names of the file; colors are 0..1.
  struct Column {
    std::string name;
    std::vector<float> values;
  };
  std::vector<Column> columns = {};
  // Length of the unit, if the file states it, as glTF does.
  std::optional<double> meters_per_unit = {};

  // Returns the column with this name, or nullptr.
  const Column* column(std::string_view name) const {
    for (const Column& each : columns) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
};

// Throws Error(input) for an unusable mesh, naming the first vertex or triangle at fault. Vertices
// must be finite and within 1e18, and triangles must have existing vertices. Columns must have the
// right length, and places in a texture must be finite. A unit must have a length. A mesh needs a
// triangle, a size of at least 1e-30, and a face with an area.
void validate(const Mesh& mesh);

}  // namespace dapple
