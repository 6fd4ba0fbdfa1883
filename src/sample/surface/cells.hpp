// Points in space in the cubes of lattices, to find those near each other by the radii of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dapple/surface.hpp"
#include "sample/surface/block.hpp"

namespace dapple::surface {

// Level by level and class by class, in the order of a curve on which the cubes of one level that
// make one of a higher level follow each other.
struct Cells {
  struct Cell : Tile {
    std::uint64_t code = 0;
    std::size_t first = 0, end = 0;
  };
  struct Level {
    std::int32_t level = 0;
    std::int32_t class_id = 0;
    std::size_t first = 0, end = 0;  // of its cells
  };
  const SurfacePoints& points;
  Frame frame;
  Apart apart = Apart::one;
  double stretch = 1;                        // of radii
  std::vector<std::vector<double>> classes;  // SurfaceRadius, in the unit of the frame
  std::vector<Cell> cells;
  std::vector<Level> levels;
  Places places;  // number: the point; from the middle of its cell

  // In the unit of the frame.
  Vec3 place_of_point(std::size_t i) const {
    return (Vec3{points.x[i], points.y[i], points.z[i]} - frame.origin) * (1 / frame.radius);
  }
  // Adds the places of cells from one level on that lie within `share` of what is asked for of the
  // bounds of the tile.
  void gather_round(const Tile& tile, std::int32_t least_level, float share, Places& into) const;

  // body(i, j) for each pair nearer than `share` of what is asked for whose finer point is of the
  // cell, once.
  template <class Body>
  void for_pairs(const Cell& cell, float share, Places& near, Places& found,
                 const Body& body) const {
    gather_round(cell, cell.level, share, near);
    for (std::size_t k = cell.first; k < cell.end; ++k) {
      const auto i = static_cast<std::size_t>(places.number[k]);
      const Reach reach{{places.x()[k], places.y()[k], places.z()[k]}, places.r()[k], share, 0};
      select_near(apart, near, 0, reach, found);
      for (std::size_t n = 0; n < found.count; ++n) {
        const auto j = static_cast<std::size_t>(found.number[n]);
        // Those of a level find each other.
        const bool twice = apart == Apart::one || level_of(in_units(j)) == cell.level;
        if (j != i && !(twice && j < i)) body(i, j);
      }
    }
  }

 private:
  std::int32_t class_of(std::size_t i) const {
    return apart == Apart::given ? points.class_id[i] : 0;
  }
  // What the radius of a point says of its level.
  double in_units(std::size_t i) const {
    if (apart == Apart::one) return 1;
    if (apart != Apart::given) return static_cast<double>(points.r[i]) * stretch / frame.radius;
    const auto c = static_cast<std::size_t>(points.class_id[i]);
    return classes[c][c];
  }
  std::pair<std::size_t, std::size_t> within(const Level& of, std::int32_t level,
                                             const std::array<std::int32_t, 3>& at) const;
  void gather_cell(const Tile& tile, const Cell& cell, float share, Places& into) const;
  void add(std::size_t i, std::int32_t level, std::uint64_t code);
  friend Cells make_cells(const SurfacePoints& points, std::span<const std::uint32_t> which,
                          const Frame& frame, const SurfaceRadius& radius, double stretch);
};

// Of some of the points, which must outlive the cells; their radii count `stretch` times, and none
// may be less than that of the frame.
Cells make_cells(const SurfacePoints& points, std::span<const std::uint32_t> which,
                 const Frame& frame, const SurfaceRadius& radius, double stretch = 1);

}  // namespace dapple::surface
