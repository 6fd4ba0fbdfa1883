// A tree of boxes over blocks of dots that lie along a space-filling curve: eight blocks make a
// box, eight boxes a larger one. Nothing is sorted: the order of the dots is the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "relax/kernel/step.hpp"

namespace dapple {

struct FixedBox {
  std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // both ends belong to it

  void grow(std::int32_t by) {
    x0 -= by;
    y0 -= by;
    x1 += by;
    y1 += by;
  }
  void take_in(const FixedBox& other);
  bool meets(const FixedBox& other) const {
    return x0 <= other.x1 && other.x0 <= x1 && y0 <= other.y1 && other.y0 <= y1;
  }
  FixedBox reflected(const FixedMirror& mirror) const;
};

class DotBoxes {
 public:
  explicit DotBoxes(std::size_t dots);
  void update(const FixedPlaces& places);
  const FixedBox& of_block(std::size_t b) const { return levels_.front()[b]; }
  // Appends, in order, every block whose box meets this one.
  void find(const FixedBox& box, std::vector<std::int32_t>& found) const;

 private:
  void find_in(std::size_t level, std::size_t node, const FixedBox& box,
               std::vector<std::int32_t>& found) const;

  std::size_t dots_;
  std::vector<std::vector<FixedBox>> levels_;  // blocks first
};

}  // namespace dapple
