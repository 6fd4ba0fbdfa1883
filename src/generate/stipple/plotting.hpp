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
// for. Returns where each of its dots stood among all. Lines stay with the first.
std::vector<std::size_t> split_layers(Drawing& drawing, int parts, DotOrder order,
                                      Context& context);

// How the drawing is cut for the machine. Throws Error(usage) where that has no room for a tile.
Tiling tiling_of(const Drawing& drawing, const StippleOptions& options,
                 const StippleLayout& layout);

// Leaves out the first `count` dots or lines. Returns how many dots those were or went through;
// throws Error(usage) where nothing is left.
std::size_t leave_out(Drawing& drawing, std::int64_t count);

}  // namespace dapple::stippling
