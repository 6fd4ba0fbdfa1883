// What a relaxation by kernels is asked for.
#pragma once

#include <span>

#include "dapple/plane.hpp"
#include "relax/even_parts.hpp"

namespace dapple {

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

}  // namespace dapple
