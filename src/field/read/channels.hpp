// Chooses channels of an image and reads their value.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dapple/buffers.hpp"

namespace dapple {

// The channels to read: one value, or three for luminance; and alpha, or -1.
struct Channels {
  std::vector<int> color;
  int alpha = -1;
};

// Returns the channels that `wanted` names: "luminance", a name in any case, or a number from 0.
// Throws Error(input) if the image does not have the channel.
Channels choose_channels(const ImageView& image, const std::string& wanted);

// Returns true if the value is not negative, infinite or NaN.
inline bool is_light(float v) {
  return v >= 0 && v <= std::numeric_limits<float>::max();
}

// Reads row y of the chosen value in the image's own encoding; 0 if is_light() is false.
void read_row(const ImageView& image, const Channels& channels, int y, float* out);

}  // namespace dapple
