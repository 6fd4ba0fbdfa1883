// Pictures of one size that follow each other, of few colors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dapple {

struct Movie {
  int width = 0;
  int height = 0;
  std::vector<std::array<std::uint8_t, 3>> palette = {};  // sRGB, at most 255
  std::vector<std::vector<std::uint8_t>> frames = {};     // indices into it, row by row
  int milliseconds = 100;                                 // that each frame is seen for
  int last_milliseconds = 2000;  // and the last, before the first follows again
};

}  // namespace dapple
