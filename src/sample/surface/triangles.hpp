// Triangles of a mesh in a form that does not depend on the order of faces, vertices or corners.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple::surface {

// All of validate(mesh), but for its area.
void require_usable(const Mesh& mesh);
// That of the mesh's triangle is more than rounding.
bool has_area(const Mesh& mesh, std::size_t triangle);

// A hash of places, one after the other; that of -0 is that of 0.
std::uint64_t add_to_key(std::uint64_t key, const Vec3& place);

struct Triangle {
  Vec3 a, e1, e2;     // the least corner, in radii from the mesh's own, and the edges to the others
  Vec3 normal;        // of length 1, out of the front
  double area;        // in square radii
  double longest;     // edge, in radii
  std::uint64_t key;  // a hash of its corners and of the way that they run
  std::int32_t index;                  // in the mesh
  std::array<std::uint8_t, 3> corner;  // of the mesh's triangle: a, the end of e1, that of e2
};

inline std::array<float, 3> normal_of(const Triangle& t) {
  return {static_cast<float>(t.normal.x), static_cast<float>(t.normal.y),
          static_cast<float>(t.normal.z)};
}

// Of the mesh's.
std::uint64_t key_of(const Mesh& mesh, std::size_t triangle);

// The frame that triangles are seen from: place = origin + radius * what they hold.
struct Frame {
  Vec3 origin;  // the least coordinates of the mesh
  Vec3 extent;  // in radii
  double radius = 1;

  Vec3 place(const Vec3& in_radii) const { return origin + in_radii * radius; }
};
Frame frame_of(const Mesh& mesh, double radius);

// One of the mesh, with or without area; its key may be known.
Triangle canonical(const Mesh& mesh, std::size_t index, const Frame& frame);
Triangle canonical(const Mesh& mesh, std::size_t index, std::uint64_t key, const Frame& frame);
bool has_area(const Triangle& triangle);

struct Triangles {
  std::vector<Triangle> all;  // by key
  std::int64_t without_area = 0;
};
// Those with area, each once.
Triangles canonical_triangles(const Mesh& mesh, const Frame& frame, Context& context);
// Those that lie on each other, wound either way, become one, as they are for paths.
void leave_out_twins(Triangles& triangles);

}  // namespace dapple::surface
