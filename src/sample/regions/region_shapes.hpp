// Answers where a place lies in the polygons of regions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lists.hpp"
#include "dapple/regions.hpp"

namespace dapple {

// An edge from its lower to its higher y, so that regions on both sides of it agree.
struct RegionEdge {
  Vec2 from, to;

  // Returns true if the edge comes within a rounding error of the box.
  bool touches(const Box& box) const;
};

// The edges of all regions, in bands of y. The regions need not outlive it.
class RegionShapes {
 public:
  explicit RegionShapes(const Regions& regions);

  std::size_t size() const { return boxes_.size(); }
  const Box& box(std::size_t region) const { return boxes_[region]; }
  bool contains(std::size_t region, Vec2 p) const;
  // Returns true if no place of the box is inside the region.
  bool is_outside(std::size_t region, const Box& box) const;
  // Calls body(edge) for the edges that may touch the box, some of them more than once.
  template <class Body>
  void for_edges(std::size_t region, const Box& box, const Body& body) const {
    const std::size_t last = band_of(region, box.y1);
    for (std::size_t b = band_of(region, box.y0); b <= last; ++b) {
      for (const std::uint32_t e : bands_.of(b)) body(e);
    }
  }
  const RegionEdge& edge(std::uint32_t index) const { return edges_[index]; }
  // Returns the area by `rows` lines across the region, exact to about 1 / rows^2.
  double area(std::size_t region, int rows) const;
  double perimeter(std::size_t region) const { return perimeters_[region]; }

 private:
  std::size_t band_of(std::size_t region, double y) const;

  std::vector<RegionEdge> edges_;
  std::vector<Box> boxes_;
  std::vector<double> perimeters_;
  std::vector<std::size_t> first_band_;
  std::vector<double> bands_per_unit_;
  Lists<std::uint32_t> bands_;
};

}  // namespace dapple
