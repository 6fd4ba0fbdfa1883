// What marks of a crowd cover, by tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dapple/plane.hpp"
#include "draw/crowd.hpp"
#include "draw/frame.hpp"

namespace dapple {

// Of one picture: what a disc of each size covers of the pixels about it, for its center at any of
// 64 x 64 places of a pixel. Centers are moved there, by up to 1/128 of a pixel, so that a pixel is
// wrong by up to that at an edge through it, and no more or less ink than there is.
class Stamps {
 public:
  static constexpr int places = 64;  // along a pixel
  // Pixels, of which the last column stays empty.
  static constexpr int rows = 3;
  static constexpr int columns = 4;
  static constexpr double largest_radius = 1;
  static constexpr double whole = 1 << 13;  // a pixel that is covered

  // Of pixels that are not cut. The crowd stays the caller's.
  Stamps(const Crowd& crowd, const Frame& frame, Context& context);

  // Takes what discs with numbers below `end` cover from what is clear, in rows of the frame from
  // `first` on, whatever their order.
  void draw(int first, std::size_t end, Plane<float>& clear) const;

  const Crowd& crowd() const { return *crowd_; }
  const Frame& frame() const { return frame_; }
  const std::int16_t* table() const { return table_.data(); }

 private:
  const Crowd* crowd_;
  Frame frame_;
  std::vector<std::int16_t> table_;  // by size, row and column of the place, row and column
};

}  // namespace dapple
