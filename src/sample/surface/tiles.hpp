// The surface cut into pieces of a few radii, and those sorted into the cubes of a lattice, which
// is what threads work on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {

// Longest edge of a piece, and edge of a tile, in radii.
constexpr double piece_edge = 3;
constexpr double tile_edge = 6;

struct Piece {
  Vec3 a, e1, e2;  // a corner and the edges from it, in radii
  double area;     // in square radii
  double longest;  // edge
  float ball;      // radius of one round the middle of its corners that holds it
  std::uint64_t key;
  std::int32_t triangle;  // of Triangles::all
};

struct Tile {
  std::array<std::int32_t, 3> at;  // of the lattice
  std::uint32_t first = 0;         // of its pieces
  std::uint32_t end = 0;
  std::array<float, 3> low, high;  // bounds of its pieces, in radii from its middle
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
  // Whether sheets that do not see each other may meet here, so that normals are to be looked at.
  bool gated = true;

  Vec3 middle() const {
    return {(at[0] + 0.5) * tile_edge, (at[1] + 0.5) * tile_edge, (at[2] + 0.5) * tile_edge};
  }
};

// What lies in the frame of the tile at `from` is moved by so much in that of the one at `to`;
// exact.
std::array<float, 3> shift(const std::array<std::int32_t, 3>& from,
                           const std::array<std::int32_t, 3>& to);

struct Tiles {
  std::vector<Piece> pieces;                  // tile by tile, by key
  std::vector<Tile> tiles;                    // along a Morton curve
  std::vector<std::uint32_t> neighbors;       // of all tiles: those with a place within a radius
  std::vector<std::array<float, 3>> normals;  // of each triangle
  float least_cosine = -1;                    // between normals of one sheet

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

// Throws Error(limit) where pieces or tiles would be too many.
Tiles make_tiles(const std::vector<Triangle>& triangles, const Frame& frame, double gate_degrees,
                 Context& context);

// Where a place lies in the lattice, and the order of its cubes along the curve.
std::array<std::int32_t, 3> lattice_place(const Vec3& p);
std::uint64_t morton(const std::array<std::int32_t, 3>& at);

}  // namespace dapple::surface
