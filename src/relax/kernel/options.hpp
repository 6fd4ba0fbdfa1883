// Defines the options of a relaxation by kernels.
#pragma once

#include <span>

#include "dapple/plane.hpp"
#include "relax/class_energy.hpp"

namespace dapple {

struct KernelOptions {
  double regularity = 0.35;  // 0: organic, 1: nearly hexagonal where the density is even
  // Shakes the dots next to the border while the others settle, so that they do not line up.
  bool shaken = false;
  // Parts of the dots that become even by themselves too.
  std::span<const DotPart> parts{};
  // The weight of each dot, such as its ink, for the tone over several spacings; empty: 1. `wanted`
  // is the sum of weights wanted per pixel; nullptr: the density.
  std::span<const float> masses{};
  const Plane<float>* wanted = nullptr;
  // The freedom of each dot to move, 0..1; empty: all are free. With it, dots must lie well
  // already, and fewer steps are made.
  std::span<const float> mobility{};
};

}  // namespace dapple
