// Exactly as many points of a room as asked for.
#pragma once

#include <cstdint>

#include "sample/box_space/box_domain.hpp"
#include "sample/solve_radius.hpp"

namespace dapple::space {

// Of the sets that make(radius) throws, in their order, as fewest_enough() finds them: those that
// were settled first.
template <class Make>
auto throw_counted(std::int64_t count, double radius, int dimensions, bool progressive,
                   const Make& make) {
  auto enough = fewest_enough(static_cast<std::size_t>(count), radius, dimensions, make);
  if (!progressive) order_by_windows(enough.made);
  enough.made.at.resize(static_cast<std::size_t>(count));
  return enough;
}

}  // namespace dapple::space
