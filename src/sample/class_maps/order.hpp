// Orders points of classes whose radii depend on the place so that each prefix is well spaced.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/class_maps/classes.hpp"

namespace dapple::class_maps {

// A fixed point, with its distances toward each class.
template <class Ground>
struct KeptPoint {
  typename Ground::At at;
  int kind = 0;  // a class, or what Distances calls fixed points without a class
  Toward each = {};
};

// Returns the points by rank. The most crowded point of the class whose turn it is goes, from last
// to first (Yuksel 2015). The first K of N points hold K n / N of a class of n points, within one
// point. Points crowd each other in proportion to the distances that they keep, those of one class
// in proportion to a lattice of as many points in its density. O(N log N). Defined for all grounds
// of this folder.
template <class Ground>
std::vector<std::uint32_t> order_of(const Classes<Ground>& classes, const Placed<Ground>& points,
                                    std::span<const KeptPoint<Ground>> kept, Context& context);

}  // namespace dapple::class_maps
