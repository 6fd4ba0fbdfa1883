// Cuts a drawing into tiles, for machines smaller than its paper.
#pragma once

#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"

namespace dapple {

struct DrawingTile {
  int column = 0;  // from 0
  int row = 0;
  Vec2 corner;      // upper left corner on the paper, mm
  Drawing drawing;  // only its part of the paper
};

// Returns how far marks reach beyond their places, in mm.
double reach_of_marks(const Drawing& drawing);

// Returns the tiles of a drawing that has Drawing::tiling, row by row. Every dot is whole in
// exactly one tile, and every part of a line is in exactly one. Throws Error(usage) if rows or
// columns are too many to have room.
std::vector<DrawingTile> tiles_of(const Drawing& drawing, Context& context);

}  // namespace dapple
