// Moves dots that lie too near each other for the density around them, as little as possible.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "relax/kernel/step.hpp"

namespace dapple {

// The neighbors of dots. `near` returns the dots that may lie near dot i, itself included. `wanted`
// returns the required distance at a place, pixels.
struct Surroundings {
  std::function<std::span<const std::int32_t>(std::size_t)> near;
  std::function<double(Vec2)> wanted;
  // The size of each dot. The mean of two sizes multiplies the distance of a pair; empty: 1.
  std::span<const float> sizes{};
};

// Returns true if a dot is nearer to dot i than `least` times the distance wanted at i.
bool lies_too_near(std::size_t i, const FixedPlaces& dots, const Surroundings& surroundings,
                   double least);

// Moves dots inside the domain until no listed dot has a neighbor at less than `least` times the
// distance wanted at either dot. The new neighbors of a moved dot are checked as well. Stops if no
// small move helps. Only dots at fault move, one by one; cancelling stops it.
void keep_apart(std::vector<std::size_t> at_fault, FixedPlaces& dots, const Domain& domain,
                const Surroundings& surroundings, double least, const Context& context);

}  // namespace dapple
