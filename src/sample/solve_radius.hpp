// Finds the radius that makes a given number of points or slightly more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "core/deterministic_math.hpp"
#include "dapple/error.hpp"

namespace dapple {

template <class Made>
struct Enough {
  Made made;
  double radius = 0;
};

// Returns the set of make(radius) with the fewest points that has `count` or more, and its radius.
// The first try uses `radius`. The same keys throw almost the same darts at almost the same radius.
// The number of points is thus nearly smooth, proportional to radius^-`dimensions`. A few tries end
// within some tenths of a percent.
template <class Make>
auto fewest_enough(std::size_t count, double radius, int dimensions, const Make& make) {
  constexpr int good_tries = 6;   // while tries may still improve the set
  constexpr int most_tries = 40;  // until one try has enough points
  constexpr double good_excess = 0.002;
  const double wanted = static_cast<double>(count);
  const double aim = wanted * (1 + good_excess / 2) + 0.5;
  Enough<decltype(make(radius))> best;
  for (int i = 0; i < most_tries; ++i) {
    if (i >= good_tries && best.made.size() > 0) break;
    auto made = make(radius);
    const std::size_t found = made.size();
    if (found >= count && (best.made.size() == 0 || found < best.made.size())) {
      best.made = std::move(made);
      best.radius = radius;
    }
    const double excess = static_cast<double>(best.made.size()) - wanted;
    if (excess >= 0 && excess <= std::max(1.0, good_excess * wanted)) break;
    const double ratio = static_cast<double>(std::max<std::size_t>(found, 1)) / aim;
    radius *= std::clamp(side_of(ratio, static_cast<std::size_t>(dimensions)), 0.5, 2.0);
  }
  if (best.made.size() == 0) {
    throw Error(ErrorKind::limit,
                "no radius found that makes " + std::to_string(count) + " points");
  }
  return best;
}

// Returns the radius of about `count` points. expected(radius) falls, to fewer points at `most`.
template <class Expected>
double radius_expecting(double count, double most, const Expected& expected) {
  double low = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + most);
    (expected(middle) > count ? low : most) = middle;
  }
  return most;
}

// Returns the number of sides that are longer than `radius`, at least 1. The number of points
// depends on the radius with this many dimensions.
template <class Sides>
int broad_sides(const Sides& sides, double radius) {
  const auto broad =
      std::count_if(sides.begin(), sides.end(), [&](double s) { return s > radius; });
  return std::max(1, static_cast<int>(broad));
}

}  // namespace dapple
