// Dots moved until Gaussian-weighted counts of them match a density map.
#pragma once

#include <cstdint>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/kernel/options.hpp"

namespace dapple {

// Of the dots of a picture, in its pixels.
inline Domain domain_of(const Plane<float>& density) {
  return {1.0 * density.width(), 1.0 * density.height(), false};
}

// `count` dots along a Hilbert curve over the map, a dot for each equal share of its sum; radius 0.
// O(pixels + count).
PointSet walk_dots(const Plane<float>& density, std::int64_t count, Context& context);

// Moves dots in place, which come in the order of walk_dots() or another that keeps neighbors
// together. `density`: dots per pixel, summing to about dots.size(). O(dots + pixels).
void relax_kernel(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
                  Context& context);

// Moves dots in place along the flow that makes the tone right over some spacings, so many times
// this share of the way, and no more.
void even_tone(PointSet& dots, const Plane<float>& density, const KernelOptions& options, int flows,
               double share, Context& context);

}  // namespace dapple
