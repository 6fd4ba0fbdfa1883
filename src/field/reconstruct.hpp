// A map as a smooth function between its pixels, read on cells finer than they are.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Cells a side, a power of 2, that pixels are cut into where points lie `spacing` pixels apart at
// the closest and are about `points` in all: so small that points cannot tell them apart, as far as
// they are not many more than points. What weighs every cell needs finer ones than samplers do.
enum class Cells { of_fields, of_pictures };
int cells_for(double pixels, double spacing, double points, Cells use);

// The map's smooth function at the middles of cells x cells parts of each pixel: the cubic of
// Mitchell, Netravali (1988), kept within the values of the 4x4 pixels that it is made of, so that
// nothing overshoots. Beyond its borders the map goes on as in a mirror, or round a torus where
// `wrap`. Pixels below 0 hold no value: all of their cells are -1, and the function is that of the
// others. Throws Error(limit) where memory does not hold the cells. O(cells of the result).
Plane<float> on_cells(Plane<float> map, int cells, bool wrap, Context& context);

}  // namespace dapple
