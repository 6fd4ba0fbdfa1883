// r round the unit sphere, by a lat-long map.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/surface.hpp"
#include "field/pyramid.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple::sphere {

// The map's columns go once round the sphere, its middle at the x axis, its rows from the north
// pole to the south pole. r is bilinear in latitude and longitude between the middles of pixels;
// each pole has one value, the mean of the row beside it.
class Radii {
 public:
  // radius.texture is the map, in the unit of the sphere, whose radius is `sphere`. Throws
  // Error(usage) for a map that is not twice as wide as high, or that leaves places without r;
  // O(pixels).
  Radii(const SurfaceRadius& radius, double sphere, Context& context);
  Radii(const Radii&) = delete;  // the pyramid looks at the grid
  Radii& operator=(const Radii&) = delete;

  double least() const { return least_; }
  double most() const { return most_; }
  // The integral of 1 / r^2 over the sphere.
  double squares() const { return squares_; }

  // A place as it lies in the map.
  struct Spot {
    double row;     // of the grid, whose first and last rows are the poles; from the nearer pole
    double column;  // of the map, not wrapped
    bool south;
  };
  Spot spot(bool south, double depth, double turns) const;
  double at(const Spot& spot) const;
  double at(const Vec3& place) const;

  // How far from the pole of its half a row of the grid is, as Cell has it.
  double depth_of(double row) const;
  double turns_of(double column) const;
  double latitudes(double row) const;  // turns from that pole
  // Over a part of the map: ends included, and what lies between them.
  RadiusBounds over(const Spot& first, const Spot& last) const;

 private:
  RadiusBounds over(int top, int bottom, int west, int east) const;  // of the grid, ends included
  double rows_of(double quarter_turns) const;
  void limit(double slope, Context& context);
  void even_poles();
  // Lowers a row by what the one before allows; true where that changed anything.
  bool lower(int row, int before, double slope);

  int width_ = 0, height_ = 0;  // of the map
  Plane<float> grid_;           // with a row for each pole
  RadiusPyramid pyramid_;
  double least_ = 0, most_ = 0, squares_ = 0;
};

}  // namespace dapple::sphere
