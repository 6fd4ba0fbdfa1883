// Reads a picture that is laid over another: a mask or a weight.
#pragma once

#include <string>

#include "dapple/field.hpp"

namespace dapple {

// Returns luminance times alpha, 0..1, at width x height. `what` is the name in messages. Throws
// Error(input) if the shape differs by more than 1 %, and for values that `nan` refuses.
Plane<float> read_mask(const ImageView& mask, const std::string& what, int width, int height,
                       NanPolicy nan, Context& context);

}  // namespace dapple
