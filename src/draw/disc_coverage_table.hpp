// Tabulates the coverage by marks of a crowd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/plane.hpp"
#include "draw/dense_discs.hpp"
#include "draw/frame.hpp"

namespace dapple {

// Coverage tables of one picture. They hold the pixels around a disc of each size, centered at any
// of 64 x 64 places per pixel. Centers move to a place, by up to 1/128 of a pixel. A pixel with an
// edge through it is wrong by up to 1/128; the amount of ink is right.
class CoverageStamps {
 public:
  static constexpr int places = 64;  // along a pixel
  // The size of a stamp in pixels. Its last column stays empty.
  static constexpr int rows = 3;
  static constexpr int columns = 4;
  static constexpr double largest_radius = 1;
  static constexpr double whole = 1 << 13;  // a covered pixel

  // Makes tables for pixels that are not cut. The crowd must outlive them.
  CoverageStamps(const DenseDiscs& crowd, const Frame& frame, Context& context);

  // Removes the coverage by discs with numbers below `end` from `clear`, in rows of the frame from
  // `first` on. The order of the discs does not matter.
  void draw(int first, std::size_t end, Plane<float>& clear) const;

  const DenseDiscs& crowd() const { return *crowd_; }
  const Frame& frame() const { return frame_; }
  const std::int16_t* table() const { return table_.data(); }

 private:
  const DenseDiscs* crowd_;
  Frame frame_;
  std::vector<std::int16_t> table_;  // by size, row and column of the place, row and column
};

}  // namespace dapple
