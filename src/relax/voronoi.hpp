// The classics: dots moved to the centroids of their cells.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Weighted Voronoi stippling (Secord 2002): moves dots in place. Their density goes as the square
// root of the one asked for, whatever the number of iterations. O(pixels) an iteration.
void relax_voronoi(PointSet& dots, const Plane<float>& density, int iterations, Context& context);

// Linde-Buzo-Gray stippling (Deussen, Spicker, Zheng 2017): dots that hold too much of the density
// split, those that hold too little go, all others move to the centroids of their cells, until
// nothing splits or goes. About the sum of the density in number; exactly `count` where that is
// above 0.
PointSet lbg_dots(const Plane<float>& density, std::int64_t count, Context& context);

struct RecountedDots {
  PointSet dots;
  std::vector<std::int32_t> from;  // which dot each was before; -1: it is new
};

// As many dots as `count`, where the density wants them: those whose Voronoi cells hold too little
// of it go, and those whose cells hold too much split; the others stay where they are.
RecountedDots recount_dots(PointSet dots, const Plane<float>& density, std::int64_t count,
                           Context& context);

}  // namespace dapple
