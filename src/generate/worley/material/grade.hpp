// Defines what 0 and full scale of a channel stand for, and the shades of values between them.
#pragma once

#include <string_view>

#include "dapple/worley.hpp"
#include "generate/worley/outputs.hpp"

namespace dapple::cells {

// Levels, direction and curve of the values of one channel.
struct Grade {
  float low;
  float high;
  float exponent = 1;
  bool invert = false;

  // Takes values from `lowest` to `highest`, which are black and white without levels. A pixel of
  // the levels is `unit` pixels wide.
  Grade(const LengthRange& levels, float lowest, float highest, double unit);
  // Takes the direction and the curve from the look.
  void bend(const WorleyLook& look);
  float operator()(float value) const;
};

struct Range {
  float low;
  float high;
  const char* unit;
};
// Returns the range that 0 and full scale of a channel stand for, from its extremes and the size of
// the image. Channels of one output may differ.
Range range_of(std::string_view name, const Extremes& extremes, int width, int height);
Range range_of(const Image& image, std::size_t channel);

}  // namespace dapple::cells
