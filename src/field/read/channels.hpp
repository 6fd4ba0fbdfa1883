// Which channels of an image are meant, and their value.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dapple/buffers.hpp"

namespace dapple {

// The channels to read: one value, or three whose luminance is meant; and alpha, or -1.
struct Channels {
  std::vector<int> color;
  int alpha = -1;
};

// Those that are `wanted`: "luminance", a name in any case, or a number from 0. Throws Error(input)
// where the image has no such.
Channels choose_channels(const ImageView& image, const std::string& wanted);

// Neither negative, infinite nor NaN.
inline bool is_light(float v) {
  return v >= 0 && v <= std::numeric_limits<float>::max();
}

// Row y of the chosen value, in the image's own encoding; 0 where it is no light.
void read_row(const ImageView& image, const Channels& channels, int y, float* out);

}  // namespace dapple
