// Reads and writes files of points.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Reads points from a file, by its extension. "-" is recognized by its content.
//
//   .csv .tsv .txt  columns x, y and r, class, rank, size, rotation, z by name. The first three are
//                   also known by place; any common separator
//   .ply            vertex elements, ascii or binary
//   .json           columns x, y, r, class, rank, z, domain and metadata; or rows [x, y, r]
//   .npy            an N x 2 or N x 3 array of integers or floats
//   .svg            dots of any tool: circles, ellipses, round paths and short strokes, in
//                   pixels of 1/96 inch. r is a dot's diameter, the distance at which equal dots
//                   touch. With several inks, class counts them in order of appearance
//
// r is 0 if the file has none. Without a domain (CSV, NPY, PLY of other tools) it is flat: the
// bounding box from (0, 0), rounded up to whole numbers. Points have no z if all z are 0 or one is
// below 0. Throws Error(input) with the place at fault. Throws Error(limit), before it allocates,
// if memory cannot hold the points. A sidecar of .csv or .npy (below) supplies domain and recipe;
// one that is unreadable or belongs to other bytes is ignored with a warning.
Points read_points(const std::string& path, Context& context);
Points read_points(const std::string& path, const Limits& limits);
// As above, but reads bytes in memory; extension "": recognized by content.
Points decode_points(std::string_view bytes, std::string_view extension, const Limits& limits);
// Returns the bytes of a point file ("": CSV). Every format keeps x, y and r exactly. .csv, .ply
// and .json also keep class, rank, size, rotation and z; .ply and .json also domain and metadata.
//
// Points on a surface, in a solid or on a sphere: columns x, y, r, z, nx, ny, nz; then u, v (the
// weights of the second and third corner of the triangle) and face; then class, rank, size,
// rotation, qx, qy, qz, qw; each if present. .npy holds those up to the normal as 8-byte numbers.
// .glb and .usda are scenes with an object on each point. Readers of plane sets see the points from
// above.
std::string encode_points(const Points& points, std::string_view extension);
// The domain and metadata of .csv, .tsv, .txt and .npy files are in a JSON file beside them, named
// NAME.csv.json. This sidecar identifies the bytes that it belongs to.
bool has_sidecar(std::string_view extension);
std::string sidecar_path(const std::string& path);
std::string encode_sidecar(const Points& points, std::string_view bytes);
// Returns true for an .npy file of two or three columns, and for one that cannot be read. Other
// files hold images (dapple/image_files.hpp).
bool is_array_of_points(const std::string& path);
// Returns true for extensions of points as numbers: .csv .tsv .txt .ply .json .npy.
bool is_point_format(std::string_view extension);
// Returns true for extensions of scanned points, which are read but not written: .xyz .pts .asc.
bool is_cloud_format(std::string_view extension);

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
// Returns true for .ply .stl .obj .glb .gltf .off.
bool is_mesh_format(std::string_view extension);

}  // namespace dapple
