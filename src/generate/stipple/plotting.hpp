// What pens alone ask of a drawing: lines that end where paper is bare, and parts to plot one after
// the other.
#pragma once

#include <vector>

#include "dapple/stipple.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::stippling {

// The ink of all marks over that of the darkness asked for (pixels).
double ink_share(const Stippling& made, const DotPlan& plan, const StippleLayout& layout,
                 double asked);

// Replaces dots by lines through them of these inks (mm^2), each as long as the options say.
// `darkness` is what the dots stand for, per pixel of what is drawn.
void draw_line(Drawing& drawing, const Plane<float>& darkness, const std::vector<double>& inks,
               const StippleLayout& layout, const StippleOptions& options);

// Makes so many layers of each, all of its tones and even by themselves, in the order that is asked
// for. Lines stay with the first.
void split_layers(Drawing& drawing, int parts, DotOrder order, Context& context);

}  // namespace dapple::stippling
