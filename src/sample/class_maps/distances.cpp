#include "sample/class_maps/distances.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "core/deterministic_math.hpp"
#include "sample/class_shares.hpp"

namespace dapple::class_maps {

Distances::Distances(std::span<const double> integrals, std::size_t dimensions, const Rules& rules)
    : dimensions_(dimensions), rules_(rules) {
  order_.resize(integrals.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return integrals[a] < integrals[b]; });
  for (const double own : integrals) {
    upto_.push_back(static_cast<std::size_t>(
        std::count_if(integrals.begin(), integrals.end(),
                      [&](double other) { return other <= own * (1 + 1e-9); })));
  }
}

// Computes the matrix of Wei at a place. Two classes keep the distance that all points of the
// classes not finer than both would keep as one class. Fineness counts over the whole space, or
// distances would jump where radii cross.
void Distances::toward(std::size_t class_id, const double* radii, double* each) const {
  double density = 0;
  std::array<double, most_classes> together;
  for (std::size_t next = 0; next < count(); ++next) {
    const double r = radii[order_[next]];
    density += 1 / (dimensions_ == 2 ? r * r : r * r * r);
    together[next] = density;
  }
  for (std::size_t c = 0; c < count(); ++c) {
    each[c] = 1 / side_of(together[std::max(upto_[class_id], upto_[c]) - 1], dimensions_);
  }
  each[class_id] = radii[class_id];
}

}  // namespace dapple::class_maps
