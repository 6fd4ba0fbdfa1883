// A drawing in tiles, for machines smaller than its paper.
#pragma once

#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"

namespace dapple {

struct DrawingTile {
  int column = 0;  // from 0
  int row = 0;
  Vec2 corner;      // its upper left one on the paper, mm
  Drawing drawing;  // of its part of the paper alone
};

// How far marks reach beyond the places they are drawn at, mm.
double reach_of_marks(const Drawing& drawing);

// The tiles of a drawing that has Drawing::tiling, row by row. Every dot is in exactly one of them,
// whole, and every part of a line in exactly one. Throws Error(usage) where there are more rows or
// columns than have room.
std::vector<DrawingTile> tiles_of(const Drawing& drawing, Context& context);

}  // namespace dapple
