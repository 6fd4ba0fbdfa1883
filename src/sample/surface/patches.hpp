// The surface cut into pieces of at most six radii, on each of which r is linear.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/surface.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {

// Longest edge of a piece, in its least radius.
constexpr double piece_edge = 6;
// Its largest radius, in that.
constexpr double piece_ratio = 2;

// All lengths in the unit of the frame, which is the least radius of all.
struct Piece {
  Vec3 a, e1, e2;  // a corner and the edges from it
  double area;
  double longest;                   // edge
  float ball;                       // radius of one round the middle of its corners that holds it
  std::array<float, 3> r{1, 1, 1};  // at its corners
  std::uint64_t key;
  std::int32_t triangle;  // of Triangles::all
  std::int32_t class_id = 0;

  float least() const { return std::min({r[0], r[1], r[2]}); }
  float most() const { return std::max({r[0], r[1], r[2]}); }
  // r at a place of weights s and t of the second and third corner.
  double radius(double s, double t) const {
    return static_cast<double>(r[0]) + s * static_cast<double>(r[1] - r[0]) +
           t * static_cast<double>(r[2] - r[0]);
  }
};

inline Vec3 middle_of(const Piece& piece) {
  return piece.a + (piece.e1 + piece.e2) * (1.0 / 3);
}

// Edge of a tile, in its unit.
constexpr double tile_edge = 9;
// Where a place lies in the lattice of that unit.
std::array<std::int32_t, 3> lattice_place(const Vec3& p, double unit);

// The least radius of all of the surface, which is the unit of the frame.
double least_radius(const Mesh& mesh, const SurfaceRadius& radius);
inline bool varies(const SurfaceRadius& radius) {
  return !radius.corners.empty() || radius.texture.has_value();
}
// Whether all points have one.
inline bool is_one(const SurfaceRadius& radius) {
  return !varies(radius) && radius.classes.empty();
}

// Those of each class cover the surface. Throws Error(limit) where they would be too many.
std::vector<Piece> make_pieces(const Mesh& mesh, const std::vector<Triangle>& triangles,
                               const Frame& frame, const SurfaceRadius& radius, Context& context);

// A triangle as a piece, which it may be too large for, without its ball.
Piece whole(const Triangle& triangle, std::size_t number);
bool stays_whole(const Piece& part);
float ball_of(const Piece& part);
// What parts are cut into, one after the other; about how many they are of one.
std::vector<Piece> cut(const std::vector<Piece>& parts, Context& context);
double expected_pieces(const Piece& part);
// Throws Error(limit) where memory cannot hold so many.
void require_pieces(double count, Context& context);

// How many points of a maximal set there will be, over the packing constant: the integral of
// 1 / r^2.
double expected_squares(const std::vector<Piece>& pieces);

// Lowers r at corners until no edge of a part rises by more than `slope` of its length; corners in
// one place are one. (slope.cpp)
void limit_slope(std::vector<Piece>& parts, double slope);

}  // namespace dapple::surface
