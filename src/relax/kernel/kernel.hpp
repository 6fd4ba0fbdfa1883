// Dots moved until Gaussian-weighted counts of them match a density map.
#pragma once

#include <cstdint>
#include <span>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/even_parts.hpp"

namespace dapple {

// `count` dots along a Hilbert curve over the map, a dot for each equal share of its sum; radius 0.
// O(pixels + count).
PointSet walk_dots(const Plane<float>& density, std::int64_t count, Context& context);

struct KernelOptions {
  double regularity = 0.5;  // 0: organic, 1: nearly hexagonal where the density is even
  double edges = 0;         // 0..1: how much smaller kernels get across edges
  // Dots next to the border are shaken while the others settle: they do not line up with it.
  bool shaken = false;
  // Parts of the dots that are to be even by themselves, too.
  std::span<const DotPart> parts{};
  // What each dot counts for the tone over some spacings, such as its ink, and how much of that is
  // wanted per pixel; empty: 1, and the density.
  std::span<const float> masses{};
  const Plane<float>* wanted = nullptr;
  // How free each dot is to move, 0..1; empty: all of them. Dots lie well already where they are
  // given, so that fewer steps do.
  std::span<const float> mobility{};
};

// Moves dots in place, which come in the order of walk_dots() or another that keeps neighbors
// together. `density`: dots per pixel, summing to about dots.size(). O(dots + pixels).
void relax_kernel(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
                  Context& context);

// Moves dots in place along the flow that makes the tone right over some spacings, so many times
// this share of the way, and no more.
void even_tone(PointSet& dots, const Plane<float>& density, const KernelOptions& options, int flows,
               double share, Context& context);

}  // namespace dapple
