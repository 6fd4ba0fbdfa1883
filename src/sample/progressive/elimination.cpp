// Weighted sample elimination (Yuksel 2015): from several times as many candidates as are wanted,
// the one that is most crowded goes, again and again, so the number comes out exactly and the
// spacing by itself.
//
// What differs: candidates are jittered, not independent, which a third as many of serves; lists of
// near points are made once, with distances taken by the local radii; and buckets of weights, 16 an
// octave, stand in for the heap. A weight only ever falls, so a point is moved to a lower bucket
// when its turn comes and not before.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr int candidates_a_point = 4;

// What a neighbor at distance d adds, d in units of the distance of a hexagonal lattice. Below
// `near` all distances count the same, or the closest pairs, of which one goes anyway, would decide
// everything (Yuksel's weight limiting).
double weight_of(double d, double near) {
  const double w = 1 - std::max(d, near);
  if (w <= 0) return 0;
  const double w2 = w * w;
  const double w4 = w2 * w2;
  return w4 * w4;
}

class Elimination {
 public:
  Elimination(const PointSet& points, ConflictRule rule, double spacing, double near,
              Context& context)
      : lists_(points, rule, spacing, 0, context),
        weight_(points.size()),
        between_(lists_.total()) {
    const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
    with_rule(pairwise, [&](auto constant) { weigh<constant>(points, spacing, near, context); });
  }

  // Who goes until `left` are left, first to last.
  std::vector<std::uint32_t> run(std::size_t left, Context& context) {
    const std::size_t n = weight_.size();
    std::vector<std::vector<std::uint32_t>> buckets;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t b = bucket_of(weight_[i]);
      if (b >= buckets.size()) buckets.resize(b + 1);
      buckets[b].push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<std::uint32_t> order;
    order.reserve(n - left);
    for (std::size_t b = buckets.size(); b-- > 0;) {
      for (std::size_t k = 0; k < buckets[b].size() && n - order.size() > left; ++k) {
        const std::uint32_t i = buckets[b][k];
        const std::size_t now = bucket_of(weight_[i]);
        if (now < b) {
          buckets[now].push_back(i);
          continue;
        }
        order.push_back(i);
        if (order.size() % 65536 == 0) context.check();
        // Sums of floats may end a little off; a weight below 0 is none.
        const float* between = between_.data() + lists_.start(i);
        for (const std::uint32_t j : lists_.of(i)) {
          weight_[j] = std::max(0.0f, weight_[j] - *between++);
        }
      }
      buckets[b] = {};
    }
    return order;
  }

 private:
  static std::size_t bucket_of(float weight) {
    // Exponent and four bits; nothing below 2^-60 is told apart.
    constexpr std::uint32_t lowest = std::bit_cast<std::uint32_t>(0x1p-60f) >> 19;
    const std::uint32_t b = std::bit_cast<std::uint32_t>(weight) >> 19;
    return b > lowest ? b - lowest : 0;
  }

  template <ConflictRule rule>
  void weigh(const PointSet& points, double spacing, double near, Context& context) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i % 65536 == 0) context.check();
      float* between = between_.data() + lists_.start(i);
      float sum = 0;
      for (const std::uint32_t j : lists_.of(i)) {
        const double f = conflict_of<rule>(static_cast<double>(points.radius[i]),
                                           static_cast<double>(points.radius[j]));
        const double d = points.domain.distance(points[i], points[j]) / (spacing * f);
        *between = static_cast<float>(weight_of(d, near));
        sum += *between++;
      }
      weight_[i] = sum;
    }
  }

  NearLists lists_;
  std::vector<float> weight_;   // of a point that has gone it says nothing
  std::vector<float> between_;  // what each entry of the lists adds, the same both ways
};

}  // namespace

std::vector<std::uint32_t> elimination_order(const PointSet& points, ConflictRule rule,
                                             double spacing, std::size_t left, Context& context) {
  if (points.size() <= left) return {};
  const double part = static_cast<double>(left) / static_cast<double>(points.size());
  const double near = 0.65 * (1 - part * std::sqrt(part));
  return Elimination(points, rule, spacing, near, context).run(left, context);
}

PointSet elimination(const DensityField& field, ConflictRule rule, std::int64_t count,
                     Context& context) {
  const double expected = packing_constant(SampleMethod::elimination, rule) * field.integral();
  const std::int64_t n = count > 0 ? count : std::max<std::int64_t>(1, std::llround(expected));
  context.require_memory(
      static_cast<double>(n) * candidates_a_point * 130,
      "eliminating from " + std::to_string(candidates_a_point) + " times as many points");
  PointSet all = stratified(field, SampleMethod::jittered, n * candidates_a_point, context);
  all = picked(all, morton_order(all.x, all.y));
  const double spacing = std::sqrt(hexagonal_packing * field.integral() / static_cast<double>(n));
  std::vector<char> gone(all.size());
  const auto left = static_cast<std::size_t>(n);
  for (const std::uint32_t i : elimination_order(all, rule, spacing, left, context)) gone[i] = 1;
  std::vector<std::uint32_t> rest;
  rest.reserve(left);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!gone[i]) rest.push_back(static_cast<std::uint32_t>(i));
  }
  return picked(all, rest);
}

}  // namespace dapple
