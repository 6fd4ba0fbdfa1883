// Inverts dark places: covers them with ink and draws dots in the paper's color on it.
#pragma once

#include <string>
#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

struct InvertedDarks {
  std::vector<std::vector<Vec2>> rings;  // around covered areas, pixels
  Plane<float> dots;                     // area of dots of both colors, 0..1 per pixel
  Plane<float> of_paper;                 // share of that area with the paper's color, 0..1
};

// Throws Error(usage) for options that leave no room for dots of the paper's color.
void check_inverted(const StippleOptions& options, std::size_t inks);

// Inverts the places whose darkness, over about a dot spacing, is above options.invert_darks. Per
// pixel, the darkness is the covered area minus the dots on it, plus the dots beside it.
InvertedDarks invert_darks(const Plane<float>& darkness, const StippleOptions& options,
                           const StippleLayout& layout, Context& context);

// Returns outlines of the area where `plane`, bilinear between pixel centers, is above `level`. The
// inside is to the right of an edge that goes down. The outside of the plane is below `level`.
std::vector<std::vector<Vec2>> outlines_above(const Plane<float>& plane, float level,
                                              const Context& context);

}  // namespace dapple::stippling
