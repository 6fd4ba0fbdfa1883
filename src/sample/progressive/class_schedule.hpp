// Orders of points in several classes: whose turn it is at each rank, and how far apart points are
// where all are spread as well as they can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dapple {

// The class at each rank, so that the first K of N points hold K n / N of each class, n of them in
// all, to less than one point. Tijdeman 1980: of the classes that lag the one whose next point is
// due first.
std::vector<std::int32_t> class_turns(std::span<const std::size_t> counts);

// The distances that points of each two classes have where those of one class alone are a lattice,
// the densest there is, of as many as `counts` says in a room of that `content` (area, volume), and
// those of two are as much farther apart than `distance`, which they keep, as lattices are than
// maximal sets.
std::vector<std::vector<double>> spread_of_classes(const std::vector<std::vector<double>>& distance,
                                                   std::span<const std::size_t> counts,
                                                   double content, std::size_t dimensions);

}  // namespace dapple
