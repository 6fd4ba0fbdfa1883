// Keeping a distance from the border and from where nothing may be placed.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Sets r to +inf in every pixel of which some place is nearer than `inset`, or than inset + r / 2
// where `discs`, to the border of a flat domain or to a pixel whose r is +inf. Exact but for whole
// pixels; O(pixels).
void forbid_near(Plane<float>& radius, const Domain& domain, double inset, bool discs,
                 const Context& context);

}  // namespace dapple
