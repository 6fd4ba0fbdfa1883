// Cuts a surface into pieces of at most six radii, on each of which r is linear.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/radii.hpp"
#include "dapple/space.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {

// Longest edge of a piece, in its least radius.
constexpr double piece_edge = 6;
// Largest radius of a piece, in its least radius.
constexpr double piece_ratio = 2;

// A part of a triangle. All lengths are in the unit of the frame, the least radius of the surface.
struct Piece {
  Vec3 a, e1, e2;  // a corner and the edges from it
  double area;
  double longest;                   // longest edge
  float ball;                       // radius of a ball around its center that contains it
  std::array<float, 3> r{1, 1, 1};  // r at its corners
  std::uint64_t key;
  std::int32_t triangle;  // index in Triangles::all
  std::int32_t class_id = 0;

  float least() const { return std::min({r[0], r[1], r[2]}); }
  float most() const { return std::max({r[0], r[1], r[2]}); }
  // Returns r at a place with weights s and t of the second and third corner.
  double radius(double s, double t) const {
    return static_cast<double>(r[0]) + s * static_cast<double>(r[1] - r[0]) +
           t * static_cast<double>(r[2] - r[0]);
  }
};

// A place in a triangle by the weights of its second and third corner: s, t >= 0, s + t <= 1.
struct Weights {
  double s, t;
};
inline Vec3 place_of(const Piece& piece, const Weights& w) {
  return piece.a + piece.e1 * w.s + piece.e2 * w.t;
}

inline Vec3 middle_of(const Piece& piece) {
  return piece.a + (piece.e1 + piece.e2) * (1.0 / 3);
}

// Edge of a tile, in the unit of the tile.
constexpr double tile_edge = 9;
// Returns the indices of the tile that contains a place, in the lattice of tiles of `unit`.
std::array<std::int32_t, 3> lattice_place(const Vec3& p, double unit);

// Returns the least radius of the surface, which is the unit of the frame.
double least_radius(const Mesh& mesh, const SurfaceRadius& radius);
inline bool varies(const SurfaceRadius& radius) {
  return !radius.corners.empty() || radius.texture.has_value();
}
// Returns true if all points have the same radius.
inline bool is_one(const SurfaceRadius& radius) {
  return !varies(radius) && radius.classes.empty();
}

// Cuts the surface into pieces, once per class. Throws Error(limit) if they would be too many.
std::vector<Piece> make_pieces(const Mesh& mesh, const std::vector<Triangle>& triangles,
                               const Frame& frame, const SurfaceRadius& radius, Context& context);

// Parts of triangles on which the radii of all classes are linear, not cut further, and the radii
// of each class at the corners of each part.
struct LinearParts {
  std::vector<Piece> parts;
  std::vector<std::vector<std::array<float, 3>>> radii;
};
LinearParts linear_parts(const Mesh& mesh, const std::vector<Triangle>& triangles,
                         const Frame& frame, std::span<const SurfaceRadius> classes,
                         Context& context);

// Returns a triangle as one piece without its ball; it may be too large for a piece.
Piece whole(const Triangle& triangle, std::size_t number);
bool stays_whole(const Piece& part);
float ball_of(const Piece& part);
// Returns the pieces of all parts, in order. expected_pieces() estimates the pieces of one part.
std::vector<Piece> cut(const std::vector<Piece>& parts, Context& context);
double expected_pieces(const Piece& part);
// Throws Error(limit) if memory cannot hold `count` pieces.
void require_pieces(double count, Context& context);

// Returns the integral of 1 / r^2: the number of points of a maximal set, divided by the packing
// constant.
double expected_squares(const std::vector<Piece>& pieces);
// Returns expected_squares(), but counts at least a row of points along each piece, since points
// may lie along needles, which have almost no area.
double most_squares(const std::vector<Piece>& pieces);

// Lowers r at corners until no edge of a part rises by more than `slope` times its length. Corners
// at one place count as one. (slope.cpp)
void limit_slope(std::vector<Piece>& parts, double slope);

}  // namespace dapple::surface
