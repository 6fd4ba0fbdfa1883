// The sides of a frame bent by parts of a spacing, so that a cut along them is right in ink.
#pragma once

#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// A straight cut goes through the ink of dots: of some spacings along it, half a dot or more is too
// much or too little. Here dots near the frame, inside and outside, are moved across it by up to
// half a spacing, along a side as slowly as ink is seen, to where the ink inside is about what the
// density asks for. `dots`: those of the picture, its corner at 0, and of what lies round it for
// a spacing at least. `density`: of the picture, dots per pixel; it sums to about as many as there
// are inside. O(dots + pixels near the frame).
void bend_frame(PointSet& dots, const Plane<float>& density);

}  // namespace dapple
