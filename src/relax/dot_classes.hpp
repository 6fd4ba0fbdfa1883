// Dots of one even set told apart by class, such as ink, so that those of each class are even too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// What planes hold at each dot, one plane after the other.
std::vector<std::vector<float>> shares_at(const PointSet& dots,
                                          std::span<const Plane<float>> planes);

// A class 0..n-1 for each dot. `shares[c][i]`: how much of class c is wanted at dot i; those of a
// dot add up to 1. Each class gets as many dots as its shares add up to, to within one.
// `given`: classes that dots have already, -1 for those that have none, or empty; a dot keeps its
// own where its share is not nothing, unless exchanging it makes classes more even. O(dots).
std::vector<std::int32_t> dot_classes(const PointSet& dots,
                                      const std::vector<std::vector<float>>& shares,
                                      Context& context, std::span<const std::int32_t> given = {});

}  // namespace dapple
