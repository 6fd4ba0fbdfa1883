// Maps seen through Gaussians.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The map seen through a Gaussian of that standard deviation (pixels), mirrored at its borders: the
// sum stays. O(pixels sigma).
Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context);
// The same by variance (pixels squared); `halve`: two cells along each side then become one.
Plane<float> gaussian_pass(const Plane<float>& map, double variance, bool halve, Context& context);

}  // namespace dapple
