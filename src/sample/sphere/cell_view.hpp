// Tells the engine which cells of the sphere are covered, and how they are halved.
#pragma once

#include <algorithm>
#include <vector>

#include "sample/sphere/domain.hpp"

namespace dapple::sphere {

// Views a tile of an EvenGround or a MappedGround. Points that may cover a cell are a vector.
template <class Ground>
class CellView {
 public:
  using Around = std::vector<Point>;
  // A cell with the values that tests need.
  struct Cell {
    Cell(const Ground& ground, const sphere::Cell& cell)
        : bounds(cell), part(ground.part(bounds)) {}

    sphere::Cell bounds;
    typename Ground::Part part;
  };

  CellView(const Ground& ground, std::size_t tile) : ground_(ground), tile_(tile) {}

  template <class Points>
  void select(const Cell& cell, const Points& from, Around& around) const {
    around.clear();
    for (const Point& p : from) {
      if (ground_.reaches(p, cell.part)) around.push_back(p);
    }
  }
  template <class Points>
  bool is_covered(const Cell& cell, const Points& points) const {
    return std::any_of(points.begin(), points.end(),
                       [&](const Point& p) { return ground_.covers(p, cell.part); });
  }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    for (const sphere::Cell& half : halves_of(cell.bounds, ground_.shape(cell.part))) {
      Cell part(ground_, half);
      if (body(part)) return true;
    }
    return false;
  }
  bool is_free_at(const Point& place, const Around& points) const {
    return std::none_of(points.begin(), points.end(),
                        [&](const Point& p) { return ground_.are_near(p, place); });
  }
  double spread(const Cell& cell) const { return ground_.spread(tile_, cell.part); }

 protected:
  const Ground& ground_;
  std::size_t tile_;
};

}  // namespace dapple::sphere
