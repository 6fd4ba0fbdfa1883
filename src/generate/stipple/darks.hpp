// Covers dark places with ink: for dots in the paper's color on it, or for blacks without pinholes.
#pragma once

#include <string>
#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

struct CoveredDarks {
  std::vector<std::vector<Vec2>> rings;  // around covered areas, pixels
  Plane<float> dots;                     // area of dots of both colors, 0..1 per pixel
  Plane<float> of_paper;                 // share of that area with the paper's color, 0..1
};

// Returns true if the options cover dark places.
inline bool covers_darks(const StippleOptions& options) {
  return options.invert_darks < 1 || options.solid_blacks;
}

// Throws Error(usage) for options that do not go with covered places.
void check_covered(const StippleOptions& options, std::size_t inks);

// Covers the places whose darkness, over about a dot spacing, is above options.invert_darks, or
// with options.solid_blacks above the share of the paper that dots side by side cover. Places and
// holes smaller than a few dots remain as they are around them. Per pixel, inverted darkness is the
// covered area minus the dots on it, plus the dots beside it. A pen covers by denser dots.
CoveredDarks cover_darks(const Plane<float>& darkness, const StippleOptions& options,
                         const StippleLayout& layout, Context& context);

// Returns outlines of the area where `plane`, bilinear between pixel centers, is above `level`. The
// inside is to the right of an edge that goes down. The outside of the plane is below `level`.
std::vector<std::vector<Vec2>> outlines_above(const Plane<float>& plane, float level,
                                              const Context& context);

}  // namespace dapple::stippling
