// Classes for points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/points.hpp"

namespace dapple {

// A class for every point, such that class c has its share of weights (above 0, of sum 1), exact to
// rounding, and is spread as evenly as the points themselves allow.
std::vector<std::int32_t> spread_classes(const PointSet& points, std::span<const double> weights,
                                         Context& context);

}  // namespace dapple
