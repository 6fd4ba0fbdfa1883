// The slope limit of radii in space.
#pragma once

#include "dapple/volume_field.hpp"

namespace dapple {

// Lowers r, in place, until r(x) <= r(y) + slope |x - y| between all centers of voxels, over the
// seams where `wrap`. Never more than 4.8 % of slope |x - y| below the largest function that holds
// it. Values are above 0; those of +inf limit nothing, and are lowered as others are.
void limit_volume_slope(Voxels& radius, double slope, bool wrap, Context& context);

}  // namespace dapple
