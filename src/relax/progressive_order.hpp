// An order of which every first part is even itself.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// A permutation of even dots, which come in the order of a curve: the first K are spread as the
// whole is, for every K, best where K is the whole divided by a power of four. O(N log N).
std::vector<std::int32_t> progressive_order(const PointSet& dots, Context& context);

}  // namespace dapple
