// Grows the cells of a tile, and proves that they are covered. Both are one recursion: points that
// reach into a cell are selected, and those that remain for its parts are tested again.
//
// A view of a tile answers for its cells:
//     select(cell, from, around)     sets `around` to the points of `from` that reach into the cell
//     is_covered(cell, around)       true if one point covers the cell; may drop covered parts
//     any_part(cell, body)           calls body(part) for its parts until one returns true
// For growth also:
//     near(cell)                     points that may reach into a cell of the tile
//     is_decided(cell)               true for cells so small that a dart in the middle ends them
//     is_too_large(cell)             true for cells that expect too many darts
//     mean(cell), key(cell)          expected darts, and the key of its random numbers
//     draw(cell, random), middle(cell)   a dart, or none (std::optional)
//     is_free(cell, dart, known)     true if no point of `known` is too near
//     add(dart), keep(cell)          take the dart, or the cell for the next window
//     seed(), window(), stream       of the random numbers
// And for a proof:
//     is_free_in_middle(cell, around), middle_place(cell), is_below_tolerance(cell)
#pragma once

#include <cstdint>
#include <deque>

#include "core/random.hpp"
#include "sample/engine/darts_in_time.hpp"

namespace dapple::engine {

// A list for each depth of the recursion, which keeps its memory.
template <class Around>
class ByDepth {
 public:
  Around& at(std::size_t depth) {
    while (all_.size() <= depth) all_.emplace_back();
    return all_[depth];
  }

 private:
  std::deque<Around> all_;  // does not move its elements
};

// Throws darts at a cell that is not covered, or opens it. `near` holds the points that may reach
// into the cell; nullptr stands for view.near(cell).
template <class View, class Around>
void grow_cell(View& view, typename View::Cell& cell, const Around* near, ByDepth<Around>& lists,
               std::size_t depth = 0) {
  const auto add_if_free = [&](const auto& dart) {
    if (!dart) return;
    if (near == nullptr) near = &view.near(cell);
    if (view.is_free(cell, *dart, *near)) view.add(*dart);
  };
  if (view.is_decided(cell)) {
    add_if_free(view.middle(cell));
  } else if (view.is_too_large(cell)) {
    Around& around = lists.at(depth);
    view.select(cell, near != nullptr ? *near : view.near(cell), around);
    view.any_part(cell, [&](typename View::Cell& part) {
      if (!view.is_covered(part, around)) grow_cell(view, part, &around, lists, depth + 1);
      return false;
    });
  } else {
    Random random(view.seed(), View::stream, hash(view.key(cell), view.window()));
    const int count = poisson(random.uniform(), view.mean(cell));
    for (int n = 0; n < count; ++n) add_if_free(view.draw(cell, random));
    view.keep(cell);
  }
}

// Returns true if a place of the cell is not covered, and sets `hole` to the first that is found.
// Stops below the tolerance, because the border of a hole could be followed without end.
template <class View, class Around, class Place>
bool has_hole(const View& view, typename View::Cell& cell, const Around& near, Place& hole,
              ByDepth<Around>& lists, std::size_t depth = 0) {
  Around& around = lists.at(depth);
  view.select(cell, near, around);
  if (view.is_covered(cell, around)) return false;
  if (view.is_free_in_middle(cell, around)) {
    hole = view.middle_place(cell);
    return true;
  }
  if (view.is_below_tolerance(cell)) return false;
  return view.any_part(cell, [&](typename View::Cell& part) {
    return has_hole(view, part, around, hole, lists, depth + 1);
  });
}

}  // namespace dapple::engine
