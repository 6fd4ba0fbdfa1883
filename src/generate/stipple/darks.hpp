// Dark places drawn the other way round: covered with ink, and dots of the paper's color on it.
#pragma once

#include <string>
#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

struct InvertedDarks {
  std::vector<std::vector<Vec2>> rings;  // round what is covered, pixels
  Plane<float> dots;                     // area of dots of both colors, 0..1 per pixel
  Plane<float> of_paper;                 // their part that has the paper's color, 0..1
};

// Throws Error(usage) for options that leave no room for dots of the paper's color.
void check_inverted(const StippleOptions& options, std::size_t inks);

// Where the darkness, seen over about a dot spacing, is above options.invert_darks. The area
// covered, less dots on it and with those beside it, is the darkness, pixel by pixel.
InvertedDarks invert_darks(const Plane<float>& darkness, const StippleOptions& options,
                           const StippleLayout& layout, Context& context);

// Outlines of where `plane`, between pixel centers bilinear, is above `level`: what lies inside is
// to the right of an edge that goes down. Nothing lies outside the plane.
std::vector<std::vector<Vec2>> outlines_above(const Plane<float>& plane, float level,
                                              const Context& context);

}  // namespace dapple::stippling
