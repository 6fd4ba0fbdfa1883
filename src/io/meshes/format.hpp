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
void require_mesh(double vertices, double triangles, const Limits& limits);

// Adds a face of three corners or more as a fan of triangles.
void add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face);

Mesh decode_ply_mesh(std::string_view bytes, const Limits& limits);
Mesh decode_stl_mesh(std::string_view bytes, const Limits& limits);
Mesh decode_obj_mesh(std::string_view bytes, const Limits& limits);

}  // namespace dapple
