// Builds trees of boxes over items in the order of a curve that keeps neighbors together. Boxes
// cover runs of items, then runs of boxes. The order along the curve is the tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace dapple {

// A closed box. A default box covers nothing.
struct Bounds {
  double x0 = std::numeric_limits<double>::infinity();
  double y0 = std::numeric_limits<double>::infinity();
  double x1 = -std::numeric_limits<double>::infinity();
  double y1 = -std::numeric_limits<double>::infinity();

  void cover(const Bounds& b) {
    x0 = std::min(x0, b.x0);
    y0 = std::min(y0, b.y0);
    x1 = std::max(x1, b.x1);
    y1 = std::max(y1, b.y1);
  }
};

// Returns the levels of the tree, the boxes of runs first and a single box last. `own(i)` is the
// box of item i. A default Box must cover nothing, and cover() must enlarge it.
template <class Box, class Own>
std::vector<std::vector<Box>> box_levels(std::size_t count, std::size_t run, std::size_t fan_out,
                                         const Own& own) {
  std::vector<std::vector<Box>> levels;
  levels.emplace_back((count + run - 1) / run);
  for (std::size_t i = 0; i < count; ++i) levels[0][i / run].cover(own(i));
  while (levels.back().size() > 1) {
    const std::vector<Box>& below = levels.back();
    std::vector<Box> level((below.size() + fan_out - 1) / fan_out);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / fan_out].cover(below[i]);
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace dapple
