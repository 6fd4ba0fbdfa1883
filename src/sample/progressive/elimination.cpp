// Thins out points by weighted sample elimination (Yuksel 2015). There are several times as many
// candidates as wanted points. The most crowded one goes, again and again, so the number is exact
// and the spacing follows.
//
// Differences: candidates are jittered, not independent, so a third as many are enough. Lists of
// near points are made once, with distances relative to the local radii.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr int candidates_a_point = 4;

// Returns what each entry of the lists adds.
template <ConflictRule rule>
std::vector<float> crowding_of(const Points& points, const NearLists& lists, double spacing,
                               double near, Context& context) {
  std::vector<float> between(lists.total());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % 65536 == 0) context.check();
    float* each = between.data() + lists.start(i);
    for (const std::uint32_t j : lists.of(i)) {
      const double f = conflict_of<rule>(static_cast<double>(points.radius[i]),
                                         static_cast<double>(points.radius[j]));
      const double d = points.domain.distance(points[i], points[j]) / (spacing * f);
      *each++ = static_cast<float>(crowding_at(d, near));
    }
  }
  return between;
}

}  // namespace

std::vector<std::uint32_t> elimination_order(const Points& points, ConflictRule rule,
                                             double spacing, std::size_t left, Context& context,
                                             std::size_t fixed) {
  if (points.size() - fixed <= left) return {};
  const double near = least_distance_that_counts(left, points.size() - fixed);
  const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  const NearLists lists(points, rule, spacing, 0, context);
  const std::vector<float> between = with_rule(pairwise, [&](auto constant) {
    return crowding_of<constant>(points, lists, spacing, near, context);
  });
  return most_crowded_first(
      points.size(), left, context,
      [&](std::size_t i, const auto& body) {
        const float* each = between.data() + lists.start(i);
        for (const std::uint32_t j : lists.of(i)) body(j, *each++);
      },
      fixed);
}

Elimination eliminated(const DensityField& field, ConflictRule rule, std::int64_t count,
                       Context& context) {
  const double expected = packing_constant(SampleMethod::elimination, rule) * field.integral();
  const std::int64_t n = count > 0 ? count : std::max<std::int64_t>(1, std::llround(expected));
  context.require_memory(
      static_cast<double>(n) * candidates_a_point * 130,
      "eliminating from " + std::to_string(candidates_a_point) + " times as many points");
  Points all = [&] {
    const auto part = context.part(0, 0.1);
    return stratified(field, SampleMethod::jittered, n * candidates_a_point, context);
  }();
  const auto part = context.part(0.1, 1);
  all = picked(all, morton_order(all.x, all.y));
  const double spacing = std::sqrt(hexagonal_packing * field.integral() / static_cast<double>(n));
  std::vector<std::uint32_t> gone =
      elimination_order(all, rule, spacing, static_cast<std::size_t>(n), context);
  return {std::move(all), std::move(gone)};
}

Points elimination(const DensityField& field, ConflictRule rule, std::int64_t count,
                   Context& context) {
  const Elimination thinned = eliminated(field, rule, count, context);
  const Points& all = thinned.all;
  std::vector<char> gone(all.size());
  for (const std::uint32_t i : thinned.gone) gone[i] = 1;
  std::vector<std::uint32_t> rest;
  rest.reserve(all.size() - thinned.gone.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!gone[i]) rest.push_back(static_cast<std::uint32_t>(i));
  }
  return picked(all, rest);
}

}  // namespace dapple
