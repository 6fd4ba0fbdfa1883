// Lists, for every point, the other points near it, by the radii of both.
#pragma once

#include <cstdint>
#include <span>

#include "core/lists.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// Lists of near points: at least all j with distance(i, j) < factor * f(ri, rj) + slack * (ri +
// rj), and hardly any others (float rounding). On a small torus a list has j once per near image.
// `candidate` counts as min, which it guarantees for a pair.
//
// The lists come from a tree of boxes around blocks of consecutive points. It is fast if the order
// keeps neighbors together (core/morton.hpp), and right for any order. O(n) for radii of any ratio,
// as long as the lists are short. The lists do not depend on the number of threads.
class NearLists : public Lists<std::uint32_t> {
 public:
  NearLists(const Points& points, ConflictRule rule, double factor, double slack, Context& context);
};

// Returns the points of a set in a plane in another order, or some of them.
Points picked(const Points& points, std::span<const std::uint32_t> order);

}  // namespace dapple
