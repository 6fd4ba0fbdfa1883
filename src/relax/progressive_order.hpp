// Orders dots so that every first part is even.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns a permutation of even dots that come in the order of a curve. For every K the first K
// dots are spread as the whole set is, best if K is N / 4^k. O(N log N).
std::vector<std::int32_t> progressive_order(const Points& dots, Context& context);

}  // namespace dapple
