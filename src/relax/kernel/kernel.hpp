// Moves dots until Gaussian-weighted counts of them match a density map.
#pragma once

#include <cstdint>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/kernel/options.hpp"

namespace dapple {

// Returns the domain of the dots of a picture, in its pixels.
inline Domain domain_of(const Plane<float>& density) {
  return {1.0 * density.width(), 1.0 * density.height(), false};
}

// Returns `count` dots along a Hilbert curve over the map, one for each equal share of its sum.
// Their radius is 0. O(pixels + count).
Points walk_dots(const Plane<float>& density, std::int64_t count, Context& context);

// Moves dots in place. Their order, such as the order of walk_dots(), keeps neighbors together.
// `density`: dots per pixel, sums to about dots.size(). O(dots + pixels).
void relax_kernel(Points& dots, const Plane<float>& density, const KernelOptions& options,
                  Context& context);

// Moves dots in place along the flow that corrects the tone over several spacings. Takes `share` of
// the way, `flows` times.
void even_tone(Points& dots, const Plane<float>& density, const KernelOptions& options, int flows,
               double share, Context& context);

}  // namespace dapple
