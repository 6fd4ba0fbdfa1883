// Finds points in space that are near each other by their radii, with cubes of lattices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dapple/points.hpp"
#include "dapple/radii.hpp"
#include "sample/surface/block.hpp"

namespace dapple::surface {

// Sorted by level, then by class, then along a curve. On the curve, the cubes of one level that
// make a cube of a higher level are consecutive.
struct Cells {
  struct Cell : Tile {
    std::uint64_t code = 0;
    std::size_t first = 0, end = 0;
  };
  struct Level {
    std::int32_t level = 0;
    std::int32_t class_id = 0;
    std::size_t first = 0, end = 0;  // range of its cells
  };
  const Points& points;
  Frame frame;
  Apart apart = Apart::one;
  double stretch = 1;                        // factor on the radii
  std::vector<std::vector<double>> classes;  // SurfaceRadius::classes, in the unit of the frame
  std::vector<Cell> cells;
  std::vector<Level> levels;
  Places places;  // relative to the center of the cell; number: the point

  // Returns the place of a point in the unit of the frame.
  Vec3 place_of_point(std::size_t i) const {
    return (Vec3{points.x[i], points.y[i], points.z[i]} - frame.origin) * (1 / frame.radius);
  }
  // Collects the places near the bounds of a tile from cells of `least_level` and above. Near means
  // within `share` of the required distance.
  void gather_around(const Tile& tile, std::int32_t least_level, float share, Places& into) const;

  // Calls body(i, j) once for each pair nearer than `share` of the required distance. The finer
  // point of the pair is in `cell`.
  template <class Body>
  void for_pairs(const Cell& cell, float share, Places& near, Places& found,
                 const Body& body) const {
    gather_around(cell, cell.level, share, near);
    for (std::size_t k = cell.first; k < cell.end; ++k) {
      const auto i = static_cast<std::size_t>(places.number[k]);
      const Reach reach{places.place(k), places.limit()[k], share, 0};
      select_near(apart, near, 0, reach, found);
      for (std::size_t n = 0; n < found.count; ++n) {
        const auto j = static_cast<std::size_t>(found.number[n]);
        // Points of one level find each other twice.
        const bool twice = apart == Apart::one || level_of(in_units(j)) == cell.level;
        if (j != i && !(twice && j < i)) body(i, j);
      }
    }
  }

 private:
  std::int32_t class_of(std::size_t i) const {
    return apart == Apart::given ? points.class_id[i] : 0;
  }
  // Returns the radius that sets the level of a point, in the unit of the frame.
  double in_units(std::size_t i) const {
    if (apart == Apart::one) return 1;
    if (apart != Apart::given)
      return static_cast<double>(points.radius[i]) * stretch / frame.radius;
    const auto c = static_cast<std::size_t>(points.class_id[i]);
    return classes[c][c];
  }
  std::pair<std::size_t, std::size_t> within(const Level& of, std::int32_t level,
                                             const std::array<std::int32_t, 3>& at) const;
  void gather_cell(const Tile& tile, const Cell& cell, float share, Places& into) const;
  void add(std::size_t i, std::int32_t level, std::uint64_t code);
  friend Cells make_cells(const Points& points, std::span<const std::uint32_t> which,
                          const Frame& frame, const SurfaceRadius& radius, double stretch);
};

// Sorts the points `which` into cells; `points` must outlive the cells. Radii are multiplied by
// `stretch` and then at least the radius of the frame.
Cells make_cells(const Points& points, std::span<const std::uint32_t> which, const Frame& frame,
                 const SurfaceRadius& radius, double stretch = 1);

}  // namespace dapple::surface
