// Draws a picture with lines, in a style.
#pragma once

#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/inks.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

// Returns the drawing, with one layer of lines per ink, in the order of the pen. It has no dots.
// Throws Error(usage) for a pen too wide for the number of marks, and for both a pen and a number
// of points, since one follows from the other.
Stippling draw_styled(Separation asked, const std::vector<Ink>& inks, const StippleLayout& layout,
                      const StippleOptions& options, Context& context);

}  // namespace dapple::stippling
