// Removes the surplus points of a set.
#pragma once

#include <vector>

#include "sample/darts/near_lists.hpp"

namespace dapple {

// Marks `excess` points of the closest pairs. Of each pair, it marks the point that is in more of
// these pairs, because others cover its place better. `near` must list all pairs nearer than
// `factor` f. If they are too few, fewer points are marked. Points that are `fixed` stay.
std::vector<char> crowded(const Points& points, const std::vector<char>& fixed, ConflictRule rule,
                          const NearLists& near, double factor, std::size_t excess);

// Removes points until `count` are left.
void trim(Points& points, ConflictRule rule, std::size_t count, Context& context);

}  // namespace dapple
