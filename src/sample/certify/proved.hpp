// What the proof of a set came to, in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dapple/context.hpp"
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

// " at 1 2 3".
std::string at_place(std::span<const double> place);
std::string at_place(const Vec3& place);

}  // namespace dapple
