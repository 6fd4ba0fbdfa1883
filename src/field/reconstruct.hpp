// Reads a map as a smooth function between its pixels, on cells finer than pixels.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Returns the number of cells along a side of a pixel, a power of 2. About `points` points lie at
// least `spacing` pixels apart. Cells are so small that they do not show in the points, but not
// many more than points. Pictures weigh every cell and need finer cells than fields.
enum class Cells { of_fields, of_pictures };
int cells_for(double pixels, double spacing, double points, Cells use);

// Returns the map's smooth function at the centers of cells x cells parts of each pixel: the cubic
// of Mitchell, Netravali (1988). It stays within the values of the 4x4 pixels that it is made of,
// so that nothing overshoots. Beyond its borders the map is mirrored, or wraps if `wrap`. Pixels
// below 0 hold no value: their cells are -1, and the function ignores them. Throws Error(limit) if
// memory does not hold the cells. O(cells of the result).
Plane<float> on_cells(Plane<float> map, int cells, bool wrap, Context& context);

}  // namespace dapple
