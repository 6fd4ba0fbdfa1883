// Classes for points.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The shares that a text such as 3 or 0.6,0.3,0.1 stands for, of sum 1; empty where it is none.
std::vector<double> shares_of(std::string_view text);

// A class for every point, such that class c has its share of weights (above 0, of sum 1), exact to
// rounding, and is spread as evenly as the points themselves allow.
std::vector<std::int32_t> spread_classes(const PointSet& points, std::span<const double> weights,
                                         Context& context);

}  // namespace dapple
