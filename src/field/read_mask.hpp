// A picture that is laid over another: a mask of it, or a weight.
#pragma once

#include <string>

#include "dapple/field.hpp"

namespace dapple {

// Luminance times alpha, 0..1, at that size. `what`: its name in messages. Throws Error(input)
// where its shape is another by more than 1 %, and for values that `nan` refuses.
Plane<float> read_mask(const ImageView& mask, const std::string& what, int width, int height,
                       NanPolicy nan, Context& context);

}  // namespace dapple
