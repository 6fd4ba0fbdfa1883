// Polishes sets: pushes dense points apart, one after the other, until the closest are farther
// apart than any greedy placing leaves them. Schlömer, Heck, Deussen (2011) move each point to the
// place farthest from all others.
//
// Differences: a point takes a small step away from its neighbors instead of a jump to the largest
// hole. It moves only if its own closest distance does not suffer. The smallest distance thus never
// falls, and the rule always holds. Any map, forbidden area and number of points works.
#include <cmath>

#include "dapple/context.hpp"
#include "sample/conflict.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr int sweeps = 48;
constexpr int sweeps_a_list = 3;  // lists of near points last this long
constexpr double goal = 1.05;     // distance over f above which a neighbor no longer pushes
constexpr double stiffness = 0.9;
constexpr double longest = 0.08;     // r per sweep
constexpr double most_growth = 1.2;  // of r since the last list
// Largest approach of two points, in sums of their radii, before lists are made again.
constexpr double approach = sweeps_a_list * longest * most_growth;

struct NearPoint {
  Vec2 at;
  double r;
};

template <ConflictRule rule>
class Polish {
 public:
  Polish(const Points& points, const DensityField& field, const Points& kept)
      : field_(field), moving_(points.size()), all_(points) {
    for (std::size_t i = 0; i < moving_; ++i) r_.push_back(field.radius(points[i]));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      all_.add(kept[i], kept.radius[i]);
      r_.push_back(static_cast<double>(kept.radius[i]));
    }
  }

  void run(Context& context) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      if (sweep % sweeps_a_list == 0) update_neighbors(context);
      for (std::size_t i = 0; i < moving_; ++i) {
        move(i);
        if (i % 4096 == 0) context.progress(static_cast<double>(sweep) / sweeps);
      }
    }
  }
  void write(Points& points) const {
    for (std::size_t i = 0; i < moving_; ++i) {
      points.x[i] = all_.x[i];
      points.y[i] = all_.y[i];
      points.radius[i] = static_cast<float>(r_[i]);
    }
  }

 private:
  void update_neighbors(Context& context);
  double least_ratio(Vec2 p, double r) const {  // squared
    double least = 4;
    for (const NearPoint& n : near_) {
      const double f = conflict_of<rule>(r, n.r);
      least = std::min(least, length_squared(all_.domain.delta(p, n.at)) / (f * f));
    }
    return least;
  }

  void move(std::size_t i) {
    const Domain& domain = all_.domain;
    const Vec2 p = all_[i];
    near_.clear();
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
      near_.push_back({all_[list_[k]], r_[list_[k]]});
    }
    Vec2 push;
    for (const NearPoint& n : near_) {
      const double reach = goal * conflict_of<rule>(r_[i], n.r);
      const Vec2 to = domain.delta(p, n.at);
      const double d2 = length_squared(to);
      if (d2 >= reach * reach || d2 == 0) continue;
      push = push - to * (stiffness * (reach / std::sqrt(d2) - 1));
    }
    const double way = length(push);
    if (way == 0) return;
    push = push * std::min(1.0, longest * r_[i] / way);
    const double before = least_ratio(p, r_[i]);
    for (int tries = 0; tries < 3; ++tries, push = push * 0.4) {
      const Vec2 q = domain.wrapped(p + push);
      const double r = field_.radius(q);
      if (!domain.contains(q) || !(r <= most_growth * listed_r_[i])) continue;
      const double after = least_ratio(q, r);
      // The distance never falls below that of the rule, rounding included.
      if (after < safety * safety || after < std::min(before, 1.0)) continue;
      all_.x[i] = q.x;
      all_.y[i] = q.y;
      r_[i] = r;
      return;
    }
  }

  const DensityField& field_;
  const std::size_t moving_;
  Points all_;  // moving points, then fixed points
  std::vector<double> r_;
  std::vector<double> listed_r_;  // at the time of the lists
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> list_;
  std::vector<NearPoint> near_;
};

// Lists the points that each point may meet before the next call.
template <ConflictRule rule>
void Polish<rule>::update_neighbors(Context& context) {
  const PointIndex index(all_);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<Neighbor> found;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    // No rule requires more than the larger radius, so the point with this radius finds the pair.
    index.within(all_[i], (goal * most_growth + 2 * approach) * r_[i], found);
    for (const Neighbor& n : found) {
      const auto j = static_cast<std::size_t>(n.index);
      if (r_[j] > r_[i] || (r_[j] == r_[i] && j >= i)) continue;
      const double f = conflict_of<rule>(r_[i], r_[j]);
      if (n.distance > goal * most_growth * f + approach * (r_[i] + r_[j])) continue;
      pairs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
    }
    if (i % 4096 == 0) context.check();
  }
  start_.assign(all_.size() + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++start_[a + 1];
    ++start_[b + 1];
  }
  for (std::size_t i = 0; i < all_.size(); ++i) start_[i + 1] += start_[i];
  list_.resize(2 * pairs.size());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (const auto& [a, b] : pairs) {
    list_[next[a]++] = b;
    list_[next[b]++] = a;
  }
  listed_r_ = r_;
}

}  // namespace

void polish(Points& points, const DensityField& field, const SampleOptions& options,
            Context& context) {
  context.require_memory(static_cast<double>(points.size()) * 260, "polishing this many points");
  // Under the candidate rule a pair is only known to keep the smaller radius.
  const ConflictRule pairwise =
      options.conflict == ConflictRule::candidate ? ConflictRule::min : options.conflict;
  const Points kept = kept_points(field, options);
  with_rule(pairwise, [&](auto constant) {
    Polish<constant> work(points, field, kept);
    work.run(context);
    work.write(points);
  });
}

Points polished(const DensityField& field, const SampleOptions& options, Context& context) {
  Points points = [&] {
    const auto part = context.part(0, 0.5);
    return dense(field, options, context);
  }();
  const auto part = context.part(0.5, 1);
  polish(points, field, options, context);
  return points;
}

}  // namespace dapple
