// Triangle meshes.
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
// A template, so that length({x, y}) stays that of a Vec2.
template <std::same_as<Vec3> V>
double length(const V& a) {
  return std::sqrt(dot(a, a));
}

// A soup of triangles: neighbors need not share vertices, faces may lie together, have no area, or
// be wound either way; the front is where the corners run counterclockwise.
struct Mesh {
  std::vector<Vec3> vertices = {};  // in the unit of the file
  std::vector<std::array<std::int32_t, 3>> triangles = {};
  // Optional: the number of the file's face that each triangle is a part of, from 0.
  std::vector<std::int32_t> face = {};
  // Optional: where the corners of each triangle lie in a texture. One copy of it is 0..1, and v
  // counts up from its lower edge.
  std::vector<std::array<Vec2, 3>> uv = {};
  // Optional: numbers of all vertices, as the file names them; colors are 0..1.
  struct Column {
    std::string name;
    std::vector<float> values;
  };
  std::vector<Column> columns = {};
  // How long the unit is, where the file says so, as glTF does.
  std::optional<double> meters_per_unit = {};

  // nullptr: there is none of that name.
  const Column* column(std::string_view name) const {
    for (const Column& each : columns) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
};

// What is in the way of using it, as Error(input) that names the first vertex or triangle at fault:
// a vertex that is not finite or beyond 1e18, a triangle of vertices that are not there, a column
// of another length, a place in a texture that is not finite, a unit without a length, no triangles
// at all, or less than 1e-30 across, or without a face that has an area.
void validate(const Mesh& mesh);

}  // namespace dapple
