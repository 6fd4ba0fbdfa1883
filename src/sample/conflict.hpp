// Decides when two points conflict, by inline functions for the inner loops of the samplers.
#pragma once

#include <algorithm>
#include <type_traits>

#include "dapple/sample_options.hpp"

namespace dapple {

// The rule between points of different regions, which no option names: the mean, but at most twice
// the smaller radius, so that a point of a sparse region cannot empty a dense one beside it.
inline constexpr auto capped_mean = static_cast<ConflictRule>(4);

// Returns the least distance between a candidate and a point placed earlier, from their radii.
template <ConflictRule rule, class Number>
Number conflict_of(Number candidate, Number earlier) {
  if constexpr (rule == ConflictRule::mean) return Number(0.5) * (candidate + earlier);
  if constexpr (rule == ConflictRule::min) return std::min(candidate, earlier);
  if constexpr (rule == ConflictRule::max) return std::max(candidate, earlier);
  if constexpr (rule == capped_mean) {
    return std::min(Number(0.5) * (candidate + earlier), 2 * std::min(candidate, earlier));
  }
  return candidate;
}

// Calls body with std::integral_constant<ConflictRule, rule>.
template <class Body>
decltype(auto) with_rule(ConflictRule rule, Body body) {
  switch (rule) {
    case ConflictRule::min:
      return body(std::integral_constant<ConflictRule, ConflictRule::min>{});
    case ConflictRule::max:
      return body(std::integral_constant<ConflictRule, ConflictRule::max>{});
    case ConflictRule::candidate:
      return body(std::integral_constant<ConflictRule, ConflictRule::candidate>{});
    case ConflictRule::mean:
      break;
  }
  return body(std::integral_constant<ConflictRule, ConflictRule::mean>{});
}

// Factor by which samplers keep more distance than the rule requires. Rounding of sums, and of
// radii to float, then cannot break the rule. The difference is not visible.
inline constexpr double safety = 1 + 2e-6;

}  // namespace dapple
