// Rasters of one size made into another's.
#pragma once

#include "dapple/plane.hpp"

namespace dapple {

// By a tent as wide as two pixels of the coarser raster: bilinear when enlarging, without aliasing
// when reducing. Values stay within the range of the source; the same size is a plain copy.
Plane<float> resample(const Plane<float>& source, int width, int height);

}  // namespace dapple
