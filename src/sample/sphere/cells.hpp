// Cuts the unit sphere along parallels and meridians.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lists.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/mesh.hpp"

namespace dapple::sphere {

// A part between two parallels and two meridians less than half a turn apart. Its area is that of a
// rectangle (Archimedes). So two uniform numbers give a uniform place in it, even at the poles.
struct Cell {
  bool south = false;
  double low = 0, high = 0;   // depth below the pole of its half, 1 - |z|: exact if small
  double west = 0, east = 0;  // turns
  std::uint64_t key = 0;
};

// A place with the radius at the place.
struct Point {
  Vec3 at;
  double r;
};

Vec3 place_on(bool south, double depth, const Vec2& way);
// Returns the angle from the nearer pole, in quarter turns; `rho` is the distance from the axis.
double latitude_of(double rho, double height);
double latitude_of(const Vec3& place);

// A cell with the values that tests of it need.
struct Shape {
  Shape() = default;
  explicit Shape(const Cell& cell);

  std::array<Vec2, 2> ways;     // directions of its meridians
  std::array<Vec3, 4> corners;  // two along each meridian
  Vec3 middle;
  double reach = 0;    // distance of its farthest place from the middle
  bool south = false;  // as in the cell
  double low = 0, high = 0;

  // Returns true if the ball around `at` with the squared radius `square` contains the cell. Along
  // a parallel, the place farthest from `at` is an end or the place across the pole. Along a
  // meridian this holds too, unless the farthest place is more than a quarter turn away.
  bool is_in_ball(const Vec3& at, double square) const;
};

double area_of(const Cell& cell);
// Halves a cell across its longer side.
std::array<Cell, 2> halves_of(const Cell& cell, const Shape& shape);

// The sphere as cells about two radii wide, and for each the cells with places within a radius.
class Roots {
 public:
  Roots(double radius, Context& context);

  std::size_t size() const { return cells_.size(); }
  const Cell& cell(std::size_t root) const { return cells_[root]; }
  std::span<const std::uint32_t> near(std::size_t root) const { return near_.of(root); }
  std::size_t holding(const Vec3& place) const;
  // Returns the cells with places within `reach` of a place in space, not the center, in order.
  std::vector<std::uint32_t> within(const Vec3& place, double reach) const;

 private:
  struct Band {
    std::size_t first, count;
    bool south;
  };
  void find_near(double radius);

  std::size_t bands_a_half_ = 1;
  std::vector<Band> bands_;  // from the north pole to the south pole
  std::vector<Cell> cells_;
  std::vector<Vec3> middle_;   // the middle of each cell
  std::vector<double> reach_;  // distance of its farthest place from the middle
  Lists<std::uint32_t> near_;  // the roots near each
};

}  // namespace dapple::sphere
