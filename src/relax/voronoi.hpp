// Moves dots to the centroids of their Voronoi cells.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Moves dots in place by weighted Voronoi stippling (Secord 2002). Their density becomes the square
// root of `density`, at any number of iterations. O(pixels) per iteration.
void relax_voronoi(Points& dots, const Plane<float>& density, int iterations, Context& context);

// Returns the dots of Linde-Buzo-Gray stippling (Deussen, Spicker, Zheng 2017). Dots that hold too
// much of the density split, and dots that hold too little go. All others move to the centroids of
// their cells, until nothing splits or goes. Makes `count` dots if that is above 0, otherwise about
// the sum of the density.
Points lbg_dots(const Plane<float>& density, std::int64_t count, Context& context);

struct RecountedDots {
  Points dots;
  std::vector<std::int32_t> from;  // the earlier index of each dot; -1: new
};

// Changes the number of dots to `count`. Dots whose Voronoi cells hold too little density go, and
// dots whose cells hold too much split. The others stay where they are. `growth`: the relative
// growth of the picture that carried the dots, below 0 if it shrank.
RecountedDots recount_dots(Points dots, const Plane<float>& density, std::int64_t count,
                           double growth, Context& context);

}  // namespace dapple
