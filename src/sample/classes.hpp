// Spreads classes evenly over given points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "sample/progressive/near_values.hpp"

namespace dapple {

// Parses shares of sum 1 from a text such as 3 or 0.6,0.3,0.1. Returns none for other texts.
std::vector<double> shares_of(std::string_view text);

// Returns the distance at which neighbors matter to classes of these weights, in mean spacings.
double reach_of_classes(std::span<const double> weights);
void require_memory_for_classes(std::size_t points, std::span<const double> weights,
                                Context& context);
// Returns a class for every point. The value of a neighbor is the squared distance, in units of the
// mean spacing there.
std::vector<std::int32_t> spread_classes(const NearValues& neighbors,
                                         std::span<const double> weights, Context& context);

// Returns a class for every point. Class c gets its share in `weights` (above 0, of sum 1), exact
// to rounding. Each class is spread as evenly as the points themselves allow.
std::vector<std::int32_t> spread_classes(const Points& points, std::span<const double> weights,
                                         Context& context);

}  // namespace dapple
