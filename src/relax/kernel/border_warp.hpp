// Bends the sides of a frame by parts of a spacing, so that the ink inside a cut is right.
#pragma once

#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// A straight cut can miss the right ink by half a dot or more, over a few spacings along it. This
// function moves dots on both sides of the frame across it, by up to half a spacing. The shift
// varies slowly along a side, so that the ink inside is about what the density requires. `dots`:
// the dots of the picture, whose corner is at 0, and of a margin of at least a spacing. `density`:
// dots per pixel of the picture; it sums to about the number of dots inside. O(dots + pixels near
// the frame).
void bend_frame(Points& dots, const Plane<float>& density);

}  // namespace dapple
