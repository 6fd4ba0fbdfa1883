// Finds the dots in a part of the paper without looking at all dots of a layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// Tiles of a few dozen dots. A dot is in each tile that the square around it touches. Tiles are at
// least as wide as the root mean square of the dots' diameters. So there are at most about four
// numbers per dot.
class DotTiles {
 public:
  struct Dot {
    Vec2 center;
    double reach = 0;  // no ink of the dot is farther from the center
  };

  DotTiles() = default;
  // Makes tiles of `count` dots. Calls dot_of(number) from several threads. O(count).
  DotTiles(std::size_t count, const std::function<Dot(std::size_t)>& dot_of, Context& context);

  // Sets `found` to the numbers below `end` of all dots whose squares touch the part. Numbers are
  // in ascending order, and include some dots nearby. At most O(found numbers + count / 64).
  void find(const Box& part, std::size_t end, std::vector<std::uint32_t>& found) const;

  std::size_t bytes() const { return sizeof(std::uint32_t) * (begins_.size() + numbers_.size()); }

 private:
  struct Range {
    std::size_t begin, end;
  };
  Range columns_of(double from, double to) const {
    return range(from - left_, to - left_, columns_);
  }
  Range rows_of(double from, double to) const { return range(from - top_, to - top_, rows_); }
  Range range(double from, double to, std::size_t tiles) const;
  void lay_out(const std::function<Dot(std::size_t)>& dot_of, Context& context);

  double left_ = 0, top_ = 0, pitch_ = 1;
  std::size_t columns_ = 1, rows_ = 1;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> begins_;   // start of each tile in the numbers, then their end
  std::vector<std::uint32_t> numbers_;  // ascending in each tile
};

}  // namespace dapple
