// Cell noise as most programs have it: one site at random in each square of a lattice, and a pixel
// looks at the sites of the 3x3 squares round it only. Periodic.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "dapple/points.hpp"

namespace dapple {

class LatticeCells {
 public:
  // Squares along each side, a power of two, of so many pixels.
  LatticeCells(int across, int pixels) : across_(across), pixels_(static_cast<float>(pixels)) {}

  // Squared distances to the nearest sites of the 3x3 squares, the nearest first.
  template <std::size_t K>
  std::array<float, K> nearest(float x, float y) const {
    std::array<float, K> best;
    best.fill(std::numeric_limits<float>::infinity());
    const int column = static_cast<int>(std::floor(x / pixels_));
    const int row = static_cast<int>(std::floor(y / pixels_));
    for (int r = row - 1; r <= row + 1; ++r) {
      for (int c = column - 1; c <= column + 1; ++c) {
        const std::uint32_t random = hash(c, r);
        const float dx = (static_cast<float>(c) + fraction(random)) * pixels_ - x;
        const float dy = (static_cast<float>(r) + fraction(random >> 16)) * pixels_ - y;
        float d = dx * dx + dy * dy;
        for (float& b : best) {
          const float beyond = std::max(d, b);
          b = std::min(d, b);
          d = beyond;
        }
      }
    }
    return best;
  }

  Points sites() const {
    Points set;
    const double size = static_cast<double>(across_) * static_cast<double>(pixels_);
    set.domain = {size, size, true};
    for (int r = 0; r < across_; ++r) {
      for (int c = 0; c < across_; ++c) {
        const std::uint32_t random = hash(c, r);
        set.add({static_cast<double>((static_cast<float>(c) + fraction(random)) * pixels_),
                 static_cast<double>((static_cast<float>(r) + fraction(random >> 16)) * pixels_)},
                1);
      }
    }
    return set;
  }

 private:
  // 0 to 1 in steps of 2^-12: places are exact in float.
  static float fraction(std::uint32_t random) {
    return static_cast<float>(random & 0xfff) * 0x1p-12f;
  }
  std::uint32_t hash(int column, int row) const {
    const auto mask = static_cast<std::uint32_t>(across_ - 1);
    std::uint32_t h = (static_cast<std::uint32_t>(column) & mask) * 0x9e3779b1U ^
                      (static_cast<std::uint32_t>(row) & mask) * 0x85ebca77U;
    h = (h ^ (h >> 15)) * 0x2c1b3c6dU;
    h = (h ^ (h >> 12)) * 0x297a2d39U;
    return h ^ (h >> 15);
  }

  int across_;
  float pixels_;
};

}  // namespace dapple
