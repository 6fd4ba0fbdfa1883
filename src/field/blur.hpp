// Blurs maps by Gaussians.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Returns the map blurred by a Gaussian of standard deviation `sigma` (pixels). The map is mirrored
// at its borders, so that its sum stays. O(pixels sigma).
Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context);
// Returns the map plus `weight` times the map blurred by a Gaussian.
Plane<float> with_blurred(const Plane<float>& map, double sigma, float weight, Context& context);
// Returns the map blurred by a Gaussian of this variance (pixels squared). `halve` then merges two
// cells to one along each side.
Plane<float> gaussian_pass(const Plane<float>& map, double variance, bool halve, Context& context);

}  // namespace dapple
