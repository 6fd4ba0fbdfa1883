// Classes for points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The shares that a text such as 3 or 0.6,0.3,0.1 stands for, of sum 1; empty where it is none.
std::vector<double> shares_of(std::string_view text);

// Points near each other, by which classes are spread: for point i entries from start[i] to
// start[i + 1], with squared distances in mean spacings of the points there.
struct ClassNeighbors {
  struct Near {
    std::uint32_t point;
    float d2;
  };
  std::vector<std::size_t> start;
  std::vector<Near> near;

  std::size_t size() const { return start.size() - 1; }
};
// How far neighbors matter to classes of these weights, in such spacings.
double reach_of_classes(std::span<const double> weights);
void require_memory_for_classes(std::size_t points, std::span<const double> weights,
                                Context& context);
std::vector<std::int32_t> spread_classes(const ClassNeighbors& neighbors,
                                         std::span<const double> weights, Context& context);

// A class for every point, such that class c has its share of weights (above 0, of sum 1), exact to
// rounding, and is spread as evenly as the points themselves allow.
std::vector<std::int32_t> spread_classes(const PointSet& points, std::span<const double> weights,
                                         Context& context);

}  // namespace dapple
