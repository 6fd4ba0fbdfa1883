// Shared by the readers of meshes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dapple/context.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// Throws Error(limit) where so many are more than an index can count or than memory may hold.
// Called with counts that the size of the file has confirmed.
struct MeshExtras {
  double columns = 0;  // numbers of each vertex beside its place
  bool uv = false;
};
void require_mesh(double vertices, double triangles, const Limits& limits,
                  const MeshExtras& extras = {});

// Adds a face of three corners or more as a fan of triangles; `uv`: of each corner, or none.
void add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face,
              std::span<const Vec2> uv = {});
// Places in a texture are of use where all triangles have them.
void drop_partial_uv(Mesh& mesh);

Mesh decode_ply_mesh(std::string_view bytes, const Limits& limits);
Mesh decode_stl_mesh(std::string_view bytes, const Limits& limits);
Mesh decode_gltf_mesh(std::string_view bytes, const Limits& limits);
Mesh decode_obj_mesh(std::string_view bytes, const Limits& limits);

}  // namespace dapple
