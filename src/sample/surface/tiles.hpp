// The pieces of a surface sorted into the cubes of lattices, which are what threads work on.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/surface/patches.hpp"

namespace dapple::surface {

// How far apart two points are by the radii of both; one: that of all; given: that of the other,
// which is what the classes of both ask for.
enum class Apart { one, mean, least, most, given };
inline float apart_by(Apart apart, float a, float b) {
  switch (apart) {
    case Apart::mean:
      return 0.5f * (a + b);
    case Apart::least:
      return std::min(a, b);
    case Apart::most:
      return std::max(a, b);
    case Apart::given:
      return b;
    case Apart::one:
      break;
  }
  return a;
}

// Tiles of pieces whose least radius is from 2^level to twice that are of a lattice of their own,
// whose unit that is.
struct Tile {
  std::array<std::int32_t, 3> at;  // of the lattice
  std::int32_t level = 0;
  std::int32_t class_id = 0;  // of all of its pieces
  double unit = 1;            // 2^level
  double per_unit = 1;        // one over that
  std::uint32_t first = 0;    // of its pieces
  std::uint32_t end = 0;
  std::array<float, 3> low, high;  // bounds of its pieces, in units from its middle
  float most = 1;                  // radius of its pieces, in units
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
  // Whether sheets that do not see each other may meet here, so that normals are to be looked at.
  bool gated = true;

  void set_level(std::int32_t of) {
    level = of;
    unit = std::ldexp(1.0, of);
    per_unit = std::ldexp(1.0, -of);
  }
  Vec3 middle() const {
    const double edge = tile_edge * unit;
    return {(at[0] + 0.5) * edge, (at[1] + 0.5) * edge, (at[2] + 0.5) * edge};
  }
  // A place in the unit of the frame, from here.
  Vec3 seen(const Vec3& place) const { return (place - middle()) * per_unit; }
};

// What lies in the frame of the tile at `from` is moved by so much in that of the one at `to`;
// exact.
std::array<float, 3> shift(const std::array<std::int32_t, 3>& from,
                           const std::array<std::int32_t, 3>& to);

struct Tiles {
  std::vector<Piece> pieces;                  // tile by tile, by key
  std::vector<Tile> tiles;                    // level by level, along a Morton curve
  std::vector<std::uint32_t> neighbors;       // of all tiles: those with a place within reach
  std::vector<std::array<float, 3>> normals;  // of each triangle
  float least_cosine = -1;                    // between normals of one sheet
  Apart apart = Apart::one;
  std::vector<std::vector<double>> classes;  // SurfaceRadius, in the unit of the frame

  // How far apart points of a class are from those of a tile, in units of that; 0 where there are
  // no classes.
  float asked(const Tile& tile, std::int32_t class_id) const {
    if (classes.empty()) return 0;
    const auto i = static_cast<std::size_t>(tile.class_id);
    return static_cast<float>(classes[i][static_cast<std::size_t>(class_id)] * tile.per_unit);
  }
  std::span<const std::uint32_t> neighbors_of(const Tile& tile) const {
    return std::span(neighbors).subspan(tile.first_neighbor,
                                        tile.end_neighbor - tile.first_neighbor);
  }
  const std::array<float, 3>& normal(std::int32_t triangle) const {
    return normals[static_cast<std::size_t>(triangle)];
  }
  bool one_sheet(const std::array<float, 3>& a, const std::array<float, 3>& b) const {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > least_cosine;
  }
  bool one_sheet(std::int32_t triangle, std::int32_t other) const {
    return one_sheet(normal(triangle), normal(other));
  }
};

// Throws Error(limit) where the mesh is too wide for the lattice.
void require_room(const Frame& frame);
Tiles make_tiles(std::vector<Piece> pieces, const std::vector<Triangle>& triangles,
                 double gate_degrees, const SurfaceRadius& radius, const Frame& frame,
                 Context& context);
struct EvenPieces;
// Of those; pieces name triangles of the mesh.
Tiles make_tiles(EvenPieces pieces, double gate_degrees, Context& context);
// The distances of its classes, in the unit of the frame.
std::vector<std::vector<double>> classes_in(const Frame& frame, const SurfaceRadius& radius,
                                            double stretch = 1);
// Normals of one sheet have a cosine above this.
float cosine_of_gate(double degrees);
// How far apart points are whose radius varies or not.
Apart apart_of(const SurfaceRadius& radius);

// The level of a radius, in the unit of the frame.
std::int32_t level_of(double radius);
// The order of the cubes of its lattice along the curve.
std::uint64_t morton(const std::array<std::int32_t, 3>& at);
// The same of places from 0 on; those of a cube of a higher level follow each other.
std::uint64_t curve_place(const std::array<std::int32_t, 3>& at);

}  // namespace dapple::surface
