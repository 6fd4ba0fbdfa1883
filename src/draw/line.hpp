// Dots joined by a line.
#pragma once

#include <vector>

#include "dapple/drawing.hpp"

namespace dapple {

// Replaces the dots of each layer by one line through them in their order. It is as wide as the
// pen, or, where that is 0, as wide as makes its area the layer's part of `inks` (mm^2).
void draw_as_lines(Drawing& drawing, double pen, const std::vector<double>& inks);

}  // namespace dapple
