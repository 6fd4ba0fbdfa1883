// Limits the slope of radii in space.
#pragma once

#include "dapple/volume_field.hpp"

namespace dapple {

// Lowers r in place until r(x) <= r(y) + slope |x - y| between all centers of voxels. Distances
// cross the seams if `wrap`. The result is at most 4.8 % of slope |x - y| below the largest
// function within the limit. Values are above 0. A value of +inf limits nothing but is lowered.
void limit_volume_slope(Voxels& radius, double slope, bool wrap, Context& context);

}  // namespace dapple
