// Holds discs about as large as pixels. They are too many for a preview to compute the rim of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// A disc of one of a few sizes, which counts for a share of its size; or an area that two discs
// share. A shared area counts negatively, so that the sum is the area that the discs cover.
struct DiscMark {
  static constexpr double whole = 1 << 15;

  float x = 0, y = 0;        // mm
  std::uint32_t number = 0;  // of the disc in the layer, or of the later of two discs
  std::int16_t weight = 0;   // in parts of `whole`
  std::uint8_t size = 0;     // index in DenseDiscs::radii()
};

// Marks in cells of the paper.
class DiscCells {
 public:
  // Sorts marks into cells. `cells` holds the cell of each mark, counted row by row.
  void sort(std::vector<DiscMark> marks, const std::vector<std::uint32_t>& cells,
            std::size_t count);
  const DiscMark* begin(std::size_t cell) const { return marks_.data() + begins_[cell]; }
  const DiscMark* end(std::size_t cell) const { return marks_.data() + begins_[cell + 1]; }
  std::size_t bytes() const { return sizeof(DiscMark) * marks_.size() + 4 * begins_.size(); }

 private:
  std::vector<DiscMark> marks_;
  std::vector<std::uint32_t> begins_{0, 0};
};

class DenseDiscs {
 public:
  struct Circle {
    Vec2 center;
    double radius = 0;
  };
  DenseDiscs() = default;
  // Makes a crowd of `count` discs, in mm. Calls circle_of(number) from several threads. O(count)
  // if few discs lie on others.
  DenseDiscs(std::size_t count, const std::function<Circle(std::size_t)>& circle_of,
             Context& context);

  bool empty() const { return count_ == 0; }
  double largest() const { return largest_; }  // radius, mm
  // Returns the radii of marks, in mm.
  const std::vector<double>& radii() const { return radii_; }
  // Calls use(begin, end) for ranges of marks: all marks that lie in a part of the paper, and some
  // beside it.
  template <class Use>
  void visit(const Box& part, const Use& use) const;
  std::size_t bytes() const { return discs_.bytes() + shared_.bytes(); }

 private:
  struct Line {
    double from = 0;
    std::size_t cells = 1;
  };
  std::size_t on(const Line& line, double at) const;
  void lay_out(const std::vector<Circle>& circles);
  void set_sizes(const std::vector<Circle>& circles);
  std::uint8_t size_of(double radius) const;
  std::size_t cell_of(Vec2 p) const { return on(down_, p.y) * across_.cells + on(across_, p.x); }
  void find_shared(const std::vector<Circle>& circles, Context& context);

  std::size_t count_ = 0;
  double largest_ = 0;
  std::vector<double> radii_;  // of discs, ascending, then half of each for shared areas
  double pitch_ = 1;
  Line across_, down_;
  DiscCells discs_, shared_;
};

template <class Use>
void DenseDiscs::visit(const Box& part, const Use& use) const {
  const double far = 2 * largest();
  const std::size_t left = on(across_, part.x0 - far);
  const std::size_t right = on(across_, part.x1 + far);
  for (std::size_t y = on(down_, part.y0 - far); y <= on(down_, part.y1 + far); ++y) {
    const std::size_t row = y * across_.cells;
    for (const DiscCells* cells : {&discs_, &shared_}) {
      use(cells->begin(row + left), cells->end(row + right));
    }
  }
}

}  // namespace dapple
