// Adapts drawings to pens: lines that end at bare paper, and parts to plot one after another.
#pragma once

#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

// Returns the ink of all marks / `asked`, the ink of the wanted darkness (px^2).
double ink_share(const Stippling& made, const DotPlan& plan, const StippleLayout& layout,
                 double asked);

// Replaces the dots of each layer by lines through them with these inks (mm^2). The options decide
// where lines end. `darkness` belongs to the dots, per pixel of the drawn part.
void draw_line(Drawing& drawing, const Plane<float>& darkness, const std::vector<double>& inks,
               const StippleLayout& layout, const StippleOptions& options);

// Splits each layer into `parts` layers in `order`, each with all tones and even by itself. Returns
// the earlier index of each dot. Lines stay in the first part.
std::vector<std::size_t> split_layers(Drawing& drawing, int parts, DotOrder order,
                                      Context& context);

// Returns the tiles of the drawing for the machine. Throws Error(usage) if no tile has room.
Tiling tiling_of(const Drawing& drawing, const StippleOptions& options,
                 const StippleLayout& layout);

// Leaves out the first `count` dots or lines. Returns the number of dots in them. Throws
// Error(usage) if nothing is left.
std::size_t leave_out(Drawing& drawing, std::int64_t count);

}  // namespace dapple::stippling
