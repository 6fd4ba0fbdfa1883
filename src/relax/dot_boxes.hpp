// Keeps a tree of boxes over blocks of dots that lie along a space-filling curve.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "relax/kernel/step.hpp"

namespace dapple {

struct FixedBox {
  // A closed box. A default box covers nothing.
  std::int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;

  void grow(std::int32_t by) {
    x0 -= by;
    y0 -= by;
    x1 += by;
    y1 += by;
  }
  void cover(const FixedBox& other) {
    x0 = std::min(x0, other.x0);
    y0 = std::min(y0, other.y0);
    x1 = std::max(x1, other.x1);
    y1 = std::max(y1, other.y1);
  }
  bool meets(const FixedBox& other) const {
    return x0 <= other.x1 && other.x0 <= x1 && y0 <= other.y1 && other.y0 <= y1;
  }
  FixedBox reflected(const FixedMirror& mirror) const;
};

class DotBoxes {
 public:
  explicit DotBoxes(std::size_t dots) : dots_(dots) {}
  void update(const FixedPlaces& places);
  const FixedBox& of_block(std::size_t b) const { return levels_.front()[b]; }
  // Appends, in order, every block whose box meets `box`.
  void find(const FixedBox& box, std::vector<std::int32_t>& found) const;

 private:
  void find_in(std::size_t level, std::size_t node, const FixedBox& box,
               std::vector<std::int32_t>& found) const;

  std::size_t dots_;
  std::vector<std::vector<FixedBox>> levels_;  // the boxes of blocks first
};

}  // namespace dapple
