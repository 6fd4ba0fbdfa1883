// Meshes in files.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// A mesh from a file, by its extension:
//
//   .ply  elements vertex (x, y, z; all other numbers but normals become columns; s, t or u, v or
//         texture_u, texture_v are places in a texture) and face (a list vertex_indices or
//         vertex_index; a list texcoord), ascii or binary
//   .stl  ascii or binary
//   .obj  v (with colors), vt and f lines; all objects and groups together
//   .glb .gltf  glTF 2.0, the latter with its numbers in it: all triangles of the scene, moved as
//         its nodes say, TEXCOORD_0, COLOR_0 and single numbers _NAME of vertices; in meters, the
//         others in a unit that they do not tell
//
// A face of more than three corners is a fan of triangles from its first where that fills it, as
// each convex one, and has its ears cut off where not; one that crosses itself is a fan too, and
// one of more than 4096 corners that no fan fills is refused. Mesh::face counts faces as the file
// does. Places in a texture are left out where some face has none, and so is what else
// the file holds. Throws Error(input) with the place at
// fault, and Error(limit), before anything is allocated, for what memory cannot hold.
// Warns of objects without area, and of faces that are not flat or cross themselves.
Mesh read_mesh(const std::string& path, Context& context);
// read_mesh() from bytes in memory, without warnings.
Mesh decode_mesh(std::string_view bytes, std::string_view extension, const Limits& limits);
// True for .ply .stl .obj .glb .gltf.
bool is_mesh_format(std::string_view extension);

}  // namespace dapple
