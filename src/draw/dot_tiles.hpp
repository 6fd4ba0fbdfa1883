// Dots of a layer by place, to find those of a part of the paper without looking at all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// Tiles of some dozens of dots. A dot is in each tile that the square about it touches. Tiles are
// at least as wide as the mean square of the dots' diameters, so that there are at most some four
// numbers a dot.
class DotTiles {
 public:
  struct Dot {
    Vec2 center;
    double reach = 0;  // nothing of it is farther from the center than that
  };

  DotTiles() = default;
  // Of `count` dots, which dot_of is asked for by number, from several threads. O(count).
  DotTiles(std::size_t count, const std::function<Dot(std::size_t)>& dot_of, Context& context);

  // Sets `found` to the numbers below `end` of all dots whose squares touch the part, and of some
  // beside it, in ascending order. O(what is found + count / 64) at the most.
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
  std::vector<std::uint32_t> begins_;   // of each tile in the numbers, and their end
  std::vector<std::uint32_t> numbers_;  // ascending in each tile
};

}  // namespace dapple
