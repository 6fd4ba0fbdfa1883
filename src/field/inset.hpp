// Keeps a distance from the border and from forbidden pixels.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Forbids (r = +inf) every pixel with a place too near to a forbidden pixel or to a flat domain's
// border. The least distance is `inset`, or inset + r / 2 if `discs`. Exact except for whole
// pixels; O(pixels).
void forbid_near(Plane<float>& radius, const Domain& domain, double inset, bool discs,
                 const Context& context);

}  // namespace dapple
