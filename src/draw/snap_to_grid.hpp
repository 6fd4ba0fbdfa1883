// Moves dots to places that plotters with fixed steps can reach.
#pragma once

#include <vector>

#include "dapple/drawing.hpp"

namespace dapple {

// Returns the distance of the farthest ink of a dot's mark from its center, in mm.
double rim_of_mark(const Drawing& drawing, const Disc& disc);

// Moves every dot to a corner of the grid of `step` mm from the lower left corner of the paper.
// This is the nearest corner, or one a little farther that keeps the drawing's gap. O(dots).
void put_on_grid(Drawing& drawing, double step);

}  // namespace dapple
