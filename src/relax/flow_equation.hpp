// Solves div(density grad potential) = source over a rectangle that nothing flows out of.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

class FlowEquation {
 public:
  // `density` is above 0, a value per cell of `cell_x` x `cell_y` pixels. The grid is halved while
  // both of its sides are even.
  FlowEquation(Plane<float> density, double cell_x, double cell_y, Context& context);

  // Returns the potential after `cycles` multigrid V-cycles from 0. `source` sums to 0. O(cells).
  const Plane<float>& solve(Plane<float> source, int cycles, Context& context);

 private:
  struct Grid {
    Plane<float> across, down;  // conductance of the right and the lower face of a cell / the
                                // squared distance to the next cell
    Plane<float> source, potential;
  };
  void cycle(std::size_t level, Context& context);

  std::vector<Grid> grids_;  // the finest first
};

}  // namespace dapple
