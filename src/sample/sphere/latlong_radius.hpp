// Reads r on the unit sphere from a latitude-longitude map.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"
#include "dapple/radii.hpp"
#include "dapple/space.hpp"
#include "field/pyramid.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple::sphere {

// The columns of the map go once around the sphere, with the middle of the map at the x axis. Its
// rows go from the north pole to the south pole. r is bilinear in latitude and longitude between
// the centers of pixels. Each pole has one value, the mean of the row beside it.
class LatLongRadius {
 public:
  // Takes radius.texture as the map, in the unit of the sphere, whose radius is `sphere`. Throws
  // Error(usage) if the map is not twice as wide as high, or leaves places without r. O(pixels).
  LatLongRadius(const SurfaceRadius& radius, double sphere, Context& context);
  LatLongRadius(const LatLongRadius&) = delete;  // the pyramid refers to the grid
  LatLongRadius& operator=(const LatLongRadius&) = delete;

  double least() const { return least_; }
  double most() const { return most_; }
  // Returns the integral of 1 / r^2 over the sphere.
  double squares() const { return squares_; }

  // A place in coordinates of the map.
  struct Spot {
    double row;     // row of the grid, from the nearer pole; each pole is a row
    double column;  // column of the map, not wrapped
    bool south;
  };
  Spot spot(bool south, double depth, double turns) const;
  double at(const Spot& spot) const;
  double at(const Vec3& place) const;

  // Returns the depth of a row of the grid below the pole of its half, as in Cell.
  double depth_of(double row) const;
  double turns_of(double column) const;
  double latitudes(double row) const;  // turns from the pole of its half
  // Returns bounds of r over a part of the map, including the ends.
  RadiusBounds over(const Spot& first, const Spot& last) const;

 private:
  RadiusBounds over(int top, int bottom, int west, int east) const;  // on the grid, ends included
  double rows_of(double quarter_turns) const;
  void limit(double slope, Context& context);
  void even_poles();
  // Lowers a row to what the row `before` allows. Returns true if that changed anything.
  bool lower(int row, int before, double slope);

  int width_ = 0, height_ = 0;  // size of the map
  Plane<float> grid_;           // with a row for each pole
  RadiusPyramid pyramid_;
  double least_ = 0, most_ = 0, squares_ = 0;
};

// A cell with bounds of r. If at most one line of the map cuts it each way, `nodes` are the corners
// of the resulting pieces.
struct MappedPart {
  MappedPart(const LatLongRadius& radii, const Cell& cell);

  Shape shape;
  struct Node {
    Vec3 at;
    double r;
  };
  std::array<Node, 9> nodes;
  std::size_t count = 0;  // 0: more lines cut it
  double r_middle = 0, least = 0, most = 0;
  double bend = 0;  // bound on the part of a distance that exceeds those at the nodes
};

}  // namespace dapple::sphere
