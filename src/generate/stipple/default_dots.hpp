// Chooses the number of dots if neither a number nor a size is given.
#pragma once

#include <cstdint>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

// Numbers of dots that do not follow from the picture. Shapes and dots with a gap are few, since a
// pen draws them one by one. A line needs many dots to show detail.
constexpr std::int64_t dots_of_shapes = 10000;
constexpr std::int64_t dots_of_lines = 40000;
// The least number of dots of a night scene. They nearly close, and the gaps between them are its
// lights, which fewer dots would draw too roughly.
constexpr std::int64_t dots_of_night = 30000;

// Returns true if three fifths of the picture are dark, with some lights.
bool is_night(const Plane<float>& darkness);

// Returns the darkness that blurring over half the spacing of 10,000 dots removes, where the
// picture has more of it than in nine tenths of its area, 0..1. Roots of differences are averaged,
// so fine texture counts more than a few sharp edges. O(pixels).
double detail_of(const Plane<float>& darkness, Context& context);

// Returns the number of dots, and notes the reason in `context` if it follows from the picture.
// Dots stay large enough for a picture of the layout's size.
// Returns 0 if the options give a number, a size, or a pen whose touches follow from the tones.
std::int64_t default_dots(const Plane<float>& darkness, const StippleOptions& options,
                          const StippleLayout& layout, Context& context);

}  // namespace dapple::stippling
