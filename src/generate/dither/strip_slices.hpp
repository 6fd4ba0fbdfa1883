// Takes a strip of frames, as other programs ship them, as an image of slices.
#pragma once

#include <string>

#include "dapple/plane.hpp"

namespace dapple {

// Returns `strip` as `count` slices. Frames lie below each other or side by side, whichever gives
// frames that are nearer to square. Throws Error(input), with the `name` of the file, if the size
// is not a multiple of `count`, or if the image has another number of slices already.
Image slices_of_strip(Image strip, int count, const std::string& name);

}  // namespace dapple
