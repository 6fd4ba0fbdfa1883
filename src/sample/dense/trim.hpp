// Points that go where there are a few too many.
#pragma once

#include <vector>

#include "sample/darts/near_lists.hpp"

namespace dapple {

// Which `excess` points of the closest pairs go: of each pair the one that stands in more of them,
// because its place is the better covered by others. `near` must list all pairs nearer than
// `factor` f; where those are too few, fewer are marked. Points that are `fixed` stay.
std::vector<char> crowded(const PointSet& points, const std::vector<char>& fixed, ConflictRule rule,
                          const NearLists& near, double factor, std::size_t excess);

// Removes points until `count` are left.
void trim(PointSet& points, ConflictRule rule, std::size_t count, Context& context);

}  // namespace dapple
