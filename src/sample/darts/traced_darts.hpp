// Dart throwing as it is told: one dart after the other, with those that are refused. For whoever
// shows how points come to be; darts.hpp makes the same kind of set without throwing in vain.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// A dart, or a candidate of growth, in the order in which they are tried.
struct Trial {
  Vec2 at;
  // Where a sampler grows: the point, by its number among those that stay, round which it was
  // thrown. Else, of a dart that is refused, the nearest point, which refuses it. -1: none.
  std::int32_t of = -1;
  bool stays = false;
};

// Darts that are uniform over a flat domain, from the first to the last of `tries` in a row that
// points nearer than `radius` refuse (Cook 1986). `first`: where the first one falls. O(darts);
// they are some hundreds a point at a thousand tries. Deterministic in (context.seed, arguments).
// Throws Error(usage) for a radius or tries that are not above 0 and for a first dart that is not
// in the domain, Error(limit) where the points need more memory than there is.
std::vector<Trial> darts_one_by_one(const Domain& domain, double radius, int tries,
                                    const std::optional<Vec2>& first, Context& context);

}  // namespace dapple
