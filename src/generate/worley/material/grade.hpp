// What 0 and full scale of a channel stand for, and how values become shades between them.
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

  // Of values from `lowest` to `highest`, where a pixel of the levels is `unit` wide; without
  // levels these are black and white.
  Grade(const LengthRange& levels, float lowest, float highest, double unit);
  // Which way round, and how steep in the middle, the look says.
  void bend(const WorleyLook& look);
  float operator()(float value) const;
};

struct Range {
  float low;
  float high;
  const char* unit;
};
// The range that 0 and full scale stand for in a channel of values up to these extremes, in an
// image of this size; those of one output may differ.
Range range_of(std::string_view name, const Extremes& extremes, int width, int height);
Range range_of(const Image& image, std::size_t channel);

}  // namespace dapple::cells
