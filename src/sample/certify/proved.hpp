// What the proof of a set came to, in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

struct ProofFound {
  std::int64_t violations = 0;
  double closest = 0;  // parts of `of`
  std::string of;      // what the nearest pair is at a part of
  std::int64_t holes = 0;
  std::string room;  // for what there is room, and where
};

// Throws Error(verification) for pairs that are too near and for a hole; `counted`: a set of a
// given number leaves holes, of which a warning tells.
void require_proved(const ProofFound& found, bool counted, Context& context);

// Adds what a part of a proof found: the nearest pair of all, and the first hole.
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

// " at 1 2 3".
std::string at_place(std::span<const double> place);
std::string at_place(const Vec3& place);

}  // namespace dapple
