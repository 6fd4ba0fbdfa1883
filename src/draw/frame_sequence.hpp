// Defines pictures of one size and few colors that follow each other.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dapple {

// Key of the text with the durations of the frames of an animation, in milliseconds, separated by
// blanks.
inline constexpr std::string_view durations_key = "dapple:durations";

struct Movie {
  int width = 0;
  int height = 0;
  std::vector<std::array<std::uint8_t, 3>> palette = {};  // sRGB, at most 255
  std::vector<std::vector<std::uint8_t>> frames = {};     // palette indices, row by row
  int milliseconds = 100;                                 // duration of each frame
  int last_milliseconds = 2000;  // duration of the last frame, before the first follows again
};

}  // namespace dapple
