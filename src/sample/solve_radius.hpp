// Exactly as many points as asked for begin with the radius that nearly makes them.
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

// Of the sets that make(radius) gives, the one with the fewest points that has `count` or more, and
// its radius; the first is tried with `radius`. The same keys throw almost the same darts at almost
// the same radius, so the number found is nearly a smooth function of it, which falls with its
// power of `dimensions`, and a few tries end within some tenths of a per cent.
template <class Make>
auto fewest_enough(std::size_t count, double radius, int dimensions, const Make& make) {
  constexpr int good_tries = 6;   // as long as they may still bring something
  constexpr int most_tries = 40;  // until there are enough at all
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

// The radius of about `count` points: expected(radius) falls as it grows, to fewer at `most`.
template <class Expected>
double radius_expecting(double count, double most, const Expected& expected) {
  double low = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + most);
    (expected(middle) > count ? low : most) = middle;
  }
  return most;
}

// Along how many sides of a room points stand in rows: the dimensions by which their number follows
// the radius.
template <class Sides>
int broad_sides(const Sides& sides, double radius) {
  const auto broad =
      std::count_if(sides.begin(), sides.end(), [&](double s) { return s > radius; });
  return std::max(1, static_cast<int>(broad));
}

}  // namespace dapple
