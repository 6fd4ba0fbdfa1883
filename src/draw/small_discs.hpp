// Draws small discs into pixels by quadrants.
#pragma once

#include <span>

#include "dapple/plane.hpp"
#include "draw/frame.hpp"

namespace dapple {

// The error of floats grows with the square of the radius, to 1e-4 of a pixel at the most.
constexpr double largest_small_radius = 12;  // parts of pixels, or rows if rows are lower

// Removes the coverage by rings from `clear`, in rows of the frame from `first` on. Subtracts it if
// rings lie apart, otherwise multiplies by the rest. Radii are up to the largest. A pixel wholly in
// a disc is covered to the last bit.
void draw_small_rings(std::span<const Annulus> rings, const Frame& frame, int first, bool apart,
                      Plane<float>& clear);

}  // namespace dapple
