// Blocks of a torus that are visited in turns, on all threads.
#pragma once

#include <cstddef>
#include <functional>

#include "dapple/forward.hpp"

namespace dapple::mask {

// So many blocks along each side: one, or an even number.
struct BlockGrid {
  int columns, rows;

  std::size_t size() const {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  }
};

// Calls visit(block, turn) for each block, counted row by row, and each turn from `first` to
// `last`. What a visit finds is the same on any number of threads: of blocks that touch, corners
// included, one is visited at a time, in the order of turns and, within a turn, of the four colors
// of a checkered grid. Nothing waits for blocks that it does not touch. On several threads where
// `parallel` says so. The first exception of a visit ends it and is thrown on.
void visit_in_turns(const BlockGrid& grid, int first, int last, Context& context, bool parallel,
                    const std::function<void(std::size_t block, int turn)>& visit);

}  // namespace dapple::mask
