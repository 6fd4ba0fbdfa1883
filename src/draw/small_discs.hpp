// Pixels under small discs, by quadrants.
#pragma once

#include <span>

#include "dapple/plane.hpp"
#include "draw/frame.hpp"

namespace dapple {

// In floats, whose rounding grows with the square of the radius: to 1e-4 of a pixel at the most.
constexpr double largest_small_radius = 12;  // parts of pixels, or rows where those are lower

// Takes what rings cover from what is clear, in rows of the frame from `first` on: subtracts it
// where they lie apart, else multiplies what they leave. Radii up to the largest. What lies wholly
// in a disc is covered to the last bit.
void draw_small_rings(std::span<const Annulus> rings, const Frame& frame, int first, bool apart,
                      Plane<float>& clear);

}  // namespace dapple
