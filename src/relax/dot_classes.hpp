// Divides a set of even dots into classes, such as inks, so that each class is even too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the value of each plane at each dot, plane by plane. A plane covers the dots' domain.
std::vector<std::vector<float>> shares_at(const Points& dots, std::span<const Plane<float>> planes);

// Returns a class 0..n-1 for each dot. `shares[c][i]` is the wanted share of class c at dot i; the
// shares of a dot add up to 1. The size of each class is the sum of its shares, to within one.
// `given` holds earlier classes, -1 for dots without one. A dot keeps its class if the class has a
// share there, unless an exchange makes classes clearly more even. O(dots).
std::vector<std::int32_t> dot_classes(const Points& dots,
                                      const std::vector<std::vector<float>>& shares,
                                      Context& context, std::span<const std::int32_t> given = {});

}  // namespace dapple
