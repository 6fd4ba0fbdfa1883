// Throws darts one after the other and records refused ones too, to show how points arise.
// darts.hpp makes the same kind of set without wasted darts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// A dart, or a candidate of growth, in the order of trial.
struct Trial {
  Vec2 at;
  // Number, among the points that stay, of the point that a candidate of growth was thrown around.
  // For a refused dart: of the nearest point, which refuses it. -1: none.
  std::int32_t of = -1;
  bool stays = false;
};

// Throws uniform darts over a flat domain, until `tries` in a row are nearer than `radius` to a
// point (Cook 1986). `first`: the place of the first dart. O(darts); a thousand tries take some
// hundreds of darts per point. Deterministic in (context.seed, arguments). Throws Error(usage) for
// a radius or tries not above 0 and for a first dart outside the domain, Error(limit) if memory is
// too small.
std::vector<Trial> darts_one_by_one(const Domain& domain, double radius, int tries,
                                    const std::optional<Vec2>& first, Context& context);

}  // namespace dapple
