// Reads meshes from files.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// Reads a mesh from a file, by its extension:
//
//   .ply  elements vertex (x, y, z; all other numbers but normals become columns; s, t or u, v or
//         texture_u, texture_v are places in a texture) and face (a list vertex_indices or
//         vertex_index; a list texcoord), ascii or binary
//   .stl  ascii or binary
//   .obj  v (with colors), vt and f lines; all objects and groups together
//   .glb .gltf  glTF 2.0, .gltf only with embedded data: all triangles of the scene, moved by their
//         nodes, TEXCOORD_0, COLOR_0 and single numbers _NAME of vertices; in meters. The other
//         formats do not state their unit.
//
// A face of more than three corners becomes a fan of triangles from its first corner if the fan
// fills it, as in each convex face. Otherwise its ears are cut off. A face that crosses itself is a
// fan too. A face of more than 4096 corners that no fan fills is an error. Mesh::face counts faces
// as the file does. Places in a texture are dropped if any face has none; other content of the file
// is ignored. Throws Error(input) with the place at fault. Throws Error(limit) before allocation if
// memory is short. Warns of objects without area, and of faces that are not flat or cross
// themselves.
Mesh read_mesh(const std::string& path, Context& context);
// Reads a mesh from bytes in memory as read_mesh() does, without warnings.
Mesh decode_mesh(std::string_view bytes, std::string_view extension, const Limits& limits);
// Returns true for .ply .stl .obj .glb .gltf.
bool is_mesh_format(std::string_view extension);

}  // namespace dapple
