// Visits the blocks of a torus in turns, on all threads.
#pragma once

#include <cstddef>
#include <functional>

#include "dapple/forward.hpp"

namespace dapple::mask {

// The number of blocks along each side: one, or an even number.
struct BlockGrid {
  int columns, rows;

  std::size_t size() const {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  }
};

// Calls visit(block, turn) for each block, counted row by row, and each turn from `first` to
// `last`. Of blocks that touch, corners included, only one is visited at a time: in the order of
// turns and, within a turn, of the four colors of a checkered grid. So a visit finds the same state
// for any number of threads. Blocks wait only for blocks that they touch. Uses several threads if
// `parallel`. The first exception of a visit ends the call and is rethrown.
void visit_in_turns(const BlockGrid& grid, int first, int last, Context& context, bool parallel,
                    const std::function<void(std::size_t block, int turn)>& visit);

}  // namespace dapple::mask
