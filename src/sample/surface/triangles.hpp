// Puts triangles in a form that does not depend on the order of faces, vertices or corners.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple::surface {

// Throws as validate(mesh) does, but does not require a face with an area.
void require_usable(const Mesh& mesh);
// Returns true if the area of a triangle of the mesh is more than rounding error.
bool has_area(const Mesh& mesh, std::size_t triangle);

// Returns a hash that continues `key` with a place; -0 counts as 0.
std::uint64_t add_to_key(std::uint64_t key, const Vec3& place);

struct Triangle {
  Vec3 a, e1, e2;      // least corner, in radii from the origin of the frame, and edges from it
  Vec3 normal;         // unit normal of the front
  double area;         // in square radii
  double longest;      // longest edge, in radii
  std::uint64_t key;   // a hash of its corners and of their orientation
  std::int32_t index;  // index in the mesh
  std::array<std::uint8_t, 3> corner;  // corners of the mesh's triangle at a, a + e1, a + e2
};

inline std::array<float, 3> normal_of(const Triangle& t) {
  return {static_cast<float>(t.normal.x), static_cast<float>(t.normal.y),
          static_cast<float>(t.normal.z)};
}

// Returns the key of a triangle of the mesh.
std::uint64_t key_of(const Mesh& mesh, std::size_t triangle);

// The frame of the triangles: place = origin + radius * coordinates.
struct Frame {
  Vec3 origin;  // the least coordinates of the mesh
  Vec3 extent;  // in radii
  double radius = 1;

  Vec3 place(const Vec3& in_radii) const { return origin + in_radii * radius; }
};
Frame frame_of(const Mesh& mesh, double radius);

// Return a triangle of the mesh, with or without area. The key may be given if it is known.
Triangle canonical(const Mesh& mesh, std::size_t index, const Frame& frame);
Triangle canonical(const Mesh& mesh, std::size_t index, std::uint64_t key, const Frame& frame);
bool has_area(const Triangle& triangle);

struct Triangles {
  std::vector<Triangle> all;  // sorted by key
  std::int64_t without_area = 0;
};
// Returns the triangles with area, each once.
Triangles canonical_triangles(const Mesh& mesh, const Frame& frame, Context& context);
// Keeps one of the triangles that coincide, wound either way, as paths cross them as one.
void leave_out_twins(Triangles& triangles, const Context& context);

}  // namespace dapple::surface
