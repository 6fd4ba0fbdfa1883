// Trims a set to a number: removes one point of the closest pair until the number is right.
#include "sample/dense/trim.hpp"

#include <algorithm>

#include "sample/conflict.hpp"

namespace dapple {
namespace {

struct Pair {
  double ratio;  // (distance / f)^2
  std::uint32_t a;
  std::uint32_t b;
};

template <ConflictRule rule>
std::vector<Pair> close_pairs(const Points& points, const std::vector<char>& fixed,
                              const NearLists& near, double factor) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto r = static_cast<double>(points.radius[i]);
    for (const std::uint32_t j : near.of(i)) {
      if (j <= i || (fixed[i] && fixed[j])) continue;
      const double f = conflict_of<rule>(r, static_cast<double>(points.radius[j]));
      const double d2 = length_squared(points.domain.delta(points[i], points[j]));
      if (d2 >= factor * factor * f * f) continue;
      pairs.push_back({d2 / (f * f), static_cast<std::uint32_t>(i), j});
    }
  }
  return pairs;
}

// Keeps the `wanted` closest pairs, the closest first.
void keep_closest(std::vector<Pair>& pairs, std::size_t wanted) {
  const auto before = [](const Pair& p, const Pair& q) {
    return p.ratio != q.ratio ? p.ratio < q.ratio : p.a != q.a ? p.a < q.a : p.b < q.b;
  };
  if (pairs.size() > wanted) {
    const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::nth_element(pairs.begin(), end, pairs.end(), before);
    pairs.erase(end, pairs.end());
  }
  std::sort(pairs.begin(), pairs.end(), before);
}

}  // namespace

std::vector<char> crowded(const Points& points, const std::vector<char>& fixed, ConflictRule rule,
                          const NearLists& near, double factor, std::size_t excess) {
  std::vector<char> gone(points.size());
  if (excess == 0) return gone;
  const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  std::vector<Pair> pairs = with_rule(
      pairwise, [&](auto constant) { return close_pairs<constant>(points, fixed, near, factor); });
  keep_closest(pairs, 6 * excess + 100);
  std::vector<std::uint32_t> crowd(points.size());
  for (const Pair& pair : pairs) {
    ++crowd[pair.a];
    ++crowd[pair.b];
  }
  for (const Pair& pair : pairs) {
    if (excess == 0) break;
    if (gone[pair.a] || gone[pair.b]) continue;
    const bool second = fixed[pair.a] || (!fixed[pair.b] && crowd[pair.b] > crowd[pair.a]);
    gone[second ? pair.b : pair.a] = 1;
    --excess;
  }
  return gone;
}

void trim(Points& points, ConflictRule rule, std::size_t count, Context& context) {
  const std::size_t n = points.size();
  if (n <= count) return;
  const std::vector<char> fixed(n);
  std::vector<char> gone;
  // Radii near a forbidden or light region say little about the distances of few points.
  for (double factor = 1.02; factor < 1e6; factor = 1 + 4 * (factor - 1)) {
    const NearLists near(points, rule, factor, 0, context);
    gone = crowded(points, fixed, rule, near, factor, n - count);
    const auto marked = std::count(gone.begin(), gone.end(), 1);
    if (static_cast<std::size_t>(marked) == n - count || near.total() >= n * (n - 1)) break;
  }
  std::vector<std::uint32_t> left;
  left.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!gone[i]) left.push_back(static_cast<std::uint32_t>(i));
  }
  left.resize(count);
  points = picked(points, left);
}

}  // namespace dapple
