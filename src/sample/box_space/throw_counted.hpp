// Samples exactly a requested number of points.
#pragma once

#include <cstdint>

#include "sample/box_space/box_domain.hpp"
#include "sample/solve_radius.hpp"

namespace dapple::box_space {

// Finds a set of at least `count` points by fewest_enough(); make(radius) throws a set. Keeps the
// first `count` points in the order in which they were accepted.
template <class Make>
auto throw_counted(std::int64_t count, double radius, int dimensions, bool progressive,
                   const Make& make) {
  auto enough = fewest_enough(static_cast<std::size_t>(count), radius, dimensions, make);
  if (!progressive) order_by_windows(enough.made);
  enough.made.at.resize(static_cast<std::size_t>(count));
  return enough;
}

}  // namespace dapple::box_space
