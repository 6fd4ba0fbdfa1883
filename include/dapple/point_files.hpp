// Points in files.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "dapple/surface.hpp"

namespace dapple {

// Points from a file, by its extension; "-" is recognized by its content.
//
//   .csv .tsv .txt  columns x, y and r, class, rank, size, rotation, z by name, the first three by
//                   place, any common separator
//   .ply            vertex elements, ascii or binary
//   .json           columns x, y, r, class, rank, z, domain and metadata; or rows [x, y, r]
//   .npy            an N x 2 or N x 3 array of integers or floats
//   .svg            dots of any tool: circles, ellipses, round paths and zero-length strokes, in
//                   pixels of 1/96 inch; r is a dot's diameter, the distance at which equal dots
//                   touch, and class counts the inks in order of appearance where there are several
//
// Where a file has no r, r is 0. Where nothing names a domain (CSV, NPY, PLY of other tools), the
// domain is the bounding box from (0, 0), rounded up to whole numbers, and flat. Points whose z are
// all 0, or go below, have none. Throws Error(input) with the place at fault, and Error(limit),
// before anything is allocated, for what memory cannot hold.
// .csv and .npy files have a sidecar with their domain and their recipe (below). One that is of
// other bytes, or cannot be read, is passed over with a warning.
PointSet read_points(const std::string& path, Context& context);
PointSet read_points(const std::string& path, const Limits& limits);
// read_points() from bytes in memory; extension "": recognized by content.
PointSet decode_points(std::string_view bytes, std::string_view extension, const Limits& limits);
// The bytes of a point file ("": CSV). Every format gives x, y and r back exactly, .csv, .ply and
// .json also class, rank, size, rotation and z, .ply and .json also domain and metadata.
std::string encode_points(const PointSet& points, std::string_view extension);
// The same of points on a surface: columns x, y, r, z, nx, ny, nz, then u, v (the weights of the
// second and the third corner of the triangle), face, and size, rotation, qx, qy, qz, qw where they
// have them; .npy holds the first seven as 8-byte numbers. Readers of plane sets see them from
// above.
std::string encode_points(const SurfacePoints& points, std::string_view extension);
// What .csv, .tsv, .txt and .npy have no room for stands beside them in a file of JSON,
// NAME.csv.json: the domain, and the metadata. It knows the bytes that it belongs to.
bool has_sidecar(std::string_view extension);
std::string sidecar_path(const std::string& path);
std::string encode_sidecar(const PointSet& points, std::string_view bytes);
std::string encode_sidecar(const SurfacePoints& points, std::string_view bytes);
// True for an .npy file of two or three columns, and for one that cannot be read: others hold
// images (dapple/image_files.hpp).
bool is_array_of_points(const std::string& path);
// True for extensions that points are written to as numbers: .csv .tsv .txt .ply .json .npy.
bool is_point_format(std::string_view extension);

}  // namespace dapple
