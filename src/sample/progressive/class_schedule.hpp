// Orders points in several classes: chooses the class of each rank, and finds how far apart points
// are if they are spread as well as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dapple {

// Returns the class at each rank. The first K of N points hold K n / N of a class of n points, to
// less than one point. Among the classes that lag, the one whose next point is due first comes next
// (Tijdeman 1980).
std::vector<std::int32_t> class_turns(std::span<const std::size_t> counts);

// Returns the distances of points of each two classes in an ideal spread. Points of one class form
// the densest lattice of `counts` points in this `content` (area, volume). Points of two classes
// are farther apart than `distance`, which they keep, by the same factor as lattices than maximal
// sets.
std::vector<std::vector<double>> spread_of_classes(const std::vector<std::vector<double>>& distance,
                                                   std::span<const std::size_t> counts,
                                                   double content, std::size_t dimensions);

}  // namespace dapple
