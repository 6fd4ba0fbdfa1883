// Sorts the pieces of a surface into cubes of lattices, the tiles that threads work on.
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

// The rule for the distance of two points. one: the radius of all points. given: the distance of
// both classes, stored as the radius of the other point.
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

// A cube of a lattice. Pieces with a least radius from 2^level to 2^(level + 1) have a lattice of
// their own, in units of 2^level.
struct Tile {
  std::array<std::int32_t, 3> at;  // indices in the lattice
  std::int32_t level = 0;
  std::int32_t class_id = 0;  // class of all of its pieces
  double unit = 1;            // 2^level
  double per_unit = 1;        // 1 / unit
  std::uint32_t first = 0;    // range of its pieces
  std::uint32_t end = 0;
  std::array<float, 3> low, high;  // bounds of its pieces, in units from its center
  float most = 1;                  // largest radius of its pieces, in units
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
  // True if sheets that ignore each other may meet here, so that normals must be compared.
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
  // Returns a place relative to the center of the tile; `place` is in the unit of the frame.
  Vec3 seen(const Vec3& place) const { return (place - middle()) * per_unit; }
};

// Returns the offset, without rounding, from the frame of the tile at `from` to that of the tile at
// `to`. Both tiles have one level.
std::array<float, 3> shift(const std::array<std::int32_t, 3>& from,
                           const std::array<std::int32_t, 3>& to);

// Calls body(at) for each cube of a lattice of `unit` within `away` of the bounds of a tile, in the
// unit of the frame. `least` bounds the indices from below.
template <class Body>
void for_cubes_near(const Tile& tile, double unit, double away, std::int32_t least,
                    const Body& body) {
  const Vec3 middle = tile.middle();
  const auto corner = [&](const std::array<float, 3>& of, double by) {
    const auto along = [&](std::size_t axis) {
      return static_cast<double>(of[axis]) * tile.unit + by;
    };
    auto at = lattice_place(middle + Vec3{along(0), along(1), along(2)}, unit);
    for (std::int32_t& index : at) index = std::max(index, least);
    return at;
  };
  const std::array<std::int32_t, 3> low = corner(tile.low, -away);
  const std::array<std::int32_t, 3> high = corner(tile.high, away);
  for (std::int32_t z = low[2]; z <= high[2]; ++z) {
    for (std::int32_t y = low[1]; y <= high[1]; ++y) {
      for (std::int32_t x = low[0]; x <= high[0]; ++x) body(std::array{x, y, z});
    }
  }
}

struct Tiles {
  std::vector<Piece> pieces;                  // tile by tile, sorted by key
  std::vector<Tile> tiles;                    // level by level, along a Morton curve
  std::vector<std::uint32_t> neighbors;       // for each tile: the tiles with a place within reach
  std::vector<std::array<float, 3>> normals;  // normal of each triangle
  float least_cosine = -1;                    // between normals of one sheet
  Apart apart = Apart::one;
  std::vector<std::vector<double>> classes;  // SurfaceRadius::classes, in the unit of the frame

  // Returns the distance between points of a class and points of a tile, in units of the tile. It
  // is 0 if there are no classes.
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

// Throws Error(limit) if the mesh is too wide for the lattice, or its coordinates too coarse.
void require_room(const Frame& frame);
Tiles make_tiles(std::vector<Piece> pieces, const std::vector<Triangle>& triangles,
                 double gate_degrees, const SurfaceRadius& radius, const Frame& frame,
                 Context& context);
struct EvenPieces;
// As above, but from EvenPieces; pieces then name triangles of the mesh.
Tiles make_tiles(EvenPieces pieces, double gate_degrees, Context& context);
// Returns the distances of the classes in the unit of the frame, times `stretch`.
std::vector<std::vector<double>> classes_in(const Frame& frame, const SurfaceRadius& radius,
                                            double stretch = 1);
// Returns the cosine that the normals of one sheet exceed.
float cosine_of_gate(double degrees);
// Returns the rule for the distance of points with these radii.
Apart apart_of(const SurfaceRadius& radius);

// Returns the level of a radius, in the unit of the frame.
std::int32_t level_of(double radius);
// Returns the place on the curve of a cube of a lattice.
std::uint64_t morton(const std::array<std::int32_t, 3>& at);
// As above, but for indices from 0 on. The cubes in a cube of a higher level are consecutive.
std::uint64_t curve_place(const std::array<std::int32_t, 3>& at);

}  // namespace dapple::surface
