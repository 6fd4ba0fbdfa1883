// Dots that lie too near each other for the density around them, moved by as little as it takes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "relax/kernel/step.hpp"

namespace dapple {

// What keep_apart() has to know about dots: those that may lie near dot i, itself included, and the
// distance wanted at a place, pixels.
struct Surroundings {
  std::function<std::span<const std::int32_t>(std::size_t)> near;
  std::function<double(Vec2)> wanted;
  // How large each dot is: a pair is to be the mean of both times as far apart; empty: 1.
  std::span<const float> sizes{};
};

// Whether another dot is nearer to dot i than `least` times what is wanted where i lies.
bool lies_too_near(std::size_t i, const FixedPlaces& dots, const Surroundings& surroundings,
                   double least);

// Moves dots inside the domain until those listed, and those they come near to, are no nearer than
// `least` times the wanted distance at either of a pair, or until no small move helps. Only dots at
// fault move, one after the other; a cancel ends it.
void keep_apart(std::vector<std::size_t> at_fault, FixedPlaces& dots, const Domain& domain,
                const Surroundings& surroundings, double least, const Context& context);

}  // namespace dapple
