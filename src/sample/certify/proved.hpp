// Reports the outcome of the proof of a set.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

struct ProofFound {
  std::int64_t violations = 0;
  double closest = 0;  // as a part of `of`
  std::string of;      // the distance that `closest` is relative to
  std::int64_t holes = 0;
  std::string room;  // what a hole has room for, and where
};

// Throws Error(verification) for pairs that are too near and for a hole. `counted`: a set of a
// given number leaves holes, so a hole is only a warning.
void require_proved(const ProofFound& found, bool counted, Context& context);

// Adds the results of a part of a proof: the nearest pair of all, and the first hole.
template <class Proof>
void add_part(Proof& all, const Proof& part) {
  all.violations += part.violations;
  if (part.closest < all.closest) {
    all.closest = part.closest;
    if constexpr (requires { all.worst_pair_place; }) {
      all.worst_pair_place = part.worst_pair_place;
    }
  }
  if (all.holes == 0) {
    all.hole_place = part.hole_place;
    all.hole_class = part.hole_class;
  }
  all.holes += part.holes;
}

// Returns a text such as " at 1 2 3".
std::string at_place(std::span<const double> place);
std::string at_place(const Vec3& place);

}  // namespace dapple
