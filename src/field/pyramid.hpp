// Finds exact bounds of a radius map over rectangles of pixels: a quadtree of minima and maxima.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/field.hpp"

namespace dapple {

// Holds only the levels above the pixels: a third of the map's number of pixels, at 8 bytes each.
// Keeps a view of the map, which must outlive it.
class RadiusPyramid {
 public:
  RadiusPyramid() = default;
  // `map` is +inf in forbidden pixels, otherwise finite and > 0.
  RadiusPyramid(const Plane<float>& map, const Context& context);

  // Returns bounds over the pixels x0..x1, y0..y1, ends included, all inside the map.
  RadiusBounds over(int x0, int y0, int x1, int y1) const;

 private:
  struct Bounds {
    float min;
    float max;
  };
  struct Level {
    int width;
    int height;
    std::size_t start;
  };
  struct Query;

  void descend(int level, int x, int y, Query& query) const;

  PlaneView<const float> map_;
  std::vector<Level> levels_;  // levels_[0]: blocks of 2x2 pixels
  std::vector<Bounds> nodes_;
};

}  // namespace dapple
