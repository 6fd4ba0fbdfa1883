// Dots moved until Gaussian-weighted counts of them match a density map.
#pragma once

#include <cstdint>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// `count` dots along a Hilbert curve over the map, a dot for each equal share of its sum; radius 0.
PointSet walk_dots(const Plane<float>& density, std::int64_t count, Context& context);

// Moves dots in place. `density`: dots a pixel, summing to about dots.size().
void relax_kernel(PointSet& dots, const Plane<float>& density, int iterations, Context& context);

}  // namespace dapple
