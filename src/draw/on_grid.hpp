// Places of dots for plotters that know steps alone.
#pragma once

#include <vector>

#include "dapple/drawing.hpp"

namespace dapple {

// How far the farthest ink of a dot's mark lies from its center, mm.
double rim_of_mark(const Drawing& drawing, const Disc& disc);

// Moves every dot to a corner of the grid of so many millimeters from the lower left corner of the
// paper: to the nearest, but where that would take from the gap that the drawing promises, to one a
// little farther that does not. O(dots).
void put_on_grid(Drawing& drawing, double step);

}  // namespace dapple
