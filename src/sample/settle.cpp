// Moves points of a well-spaced set apart until no pair is nearer than a target: what the closest
// pairs lack in distance is shared out among their neighbours, as hard discs are separated by
// projection (Jakobsen 2001).
//
// What differs: a point moves alone, and only where that lowers its own lack and keeps the conflict
// rule, so the rule holds at every moment, whatever the field does: hard edges, forbidden places
// and borders only end moves. Who has room stays where it is.
#include <algorithm>
#include <cmath>

#include "sample/conflict.hpp"
#include "sample/kept.hpp"
#include "sample/near_lists.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr int most_sweeps = 40;
// A point moves this far from where it stood at most, in its own radii: lists of near points stay
// true without being made again.
constexpr double leash = 0.12;
// Nor does its radius grow by more.
constexpr double growth = 1.04;
// Moves aim this much beyond the target, or the last pairs would only creep up to it.
constexpr double beyond = 1.01;

template <ConflictRule rule>
class Settling {
 public:
  Settling(PointSet& points, const std::vector<char>& fixed, const DensityField& field,
           double target, Context& context)
      : points_(points),
        fixed_(fixed),
        field_(field),
        target_(target),
        goal_(target * beyond),
        near_(points, rule, goal_ * growth, leash, context),
        at_first_(points.x.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) at_first_[i] = {points[i], points.radius[i]};
  }

  void run(Context& context) {
    // Whom to look at: first all; then those that moved, and those that they moved up to or that
    // stand in the way of one still too near to another.
    std::vector<char> state(points_.size(), restless);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      std::size_t moved = 0;
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (i % 65536 == 0) context.check();
        if (state[i] == content) continue;
        const Lot now = lot_of(i, points_[i], static_cast<double>(points_.radius[i]));
        const bool yields = state[i] == asked;
        state[i] = content;
        if (fixed_[i] || now.least >= (yields ? goal_ : target_)) continue;
        const bool in_need = now.least < target_;
        const bool moves = move(i, now);
        moved += moves ? 1 : 0;
        if (in_need) state[i] = restless;
        if (!in_need && !moves) continue;
        for (const std::uint32_t j : near_.of(i)) {
          state[j] = std::max(state[j], in_need ? asked : restless);
        }
      }
      if (moved == 0) break;
    }
  }

  // Whether all pairs keep the rule with radii of another field.
  bool rule_holds(const std::vector<float>& radius) const {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (const std::uint32_t j : near_.of(i)) {
        if (fixed_[i] && fixed_[j]) continue;
        const double f =
            conflict_of<rule>(static_cast<double>(radius[i]), static_cast<double>(radius[j]));
        if (points_.domain.distance(points_[i], points_[j]) < f * safety) return false;
      }
    }
    return true;
  }

  // The smallest distance / f over all pairs, or the target where none is nearer.
  double closest() const {
    double least = goal_;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (const std::uint32_t j : near_.of(i)) {
        if (fixed_[i] && fixed_[j]) continue;
        least =
            std::min(least, points_.domain.distance(points_[i], points_[j]) / distance_of(i, j));
      }
    }
    return least;
  }

 private:
  static constexpr char content = 0;
  static constexpr char restless = 1;
  static constexpr char asked = 2;  // to yield

  struct Start {
    Vec2 at;
    float r;
  };
  // How a point fares at a place.
  struct Lot {
    double least;  // distance / f to the nearest
    double lack;   // sum of squares of what is missing to the goal
    Vec2 push;     // away from those that are too near
  };

  double distance_of(std::size_t i, std::size_t j) const {
    return conflict_of<rule>(static_cast<double>(points_.radius[i]),
                             static_cast<double>(points_.radius[j]));
  }

  Lot lot_of(std::size_t i, Vec2 p, double r) const {
    Lot lot{goal_, 0, {}};
    for (const std::uint32_t j : near_.of(i)) {
      const Vec2 away = points_.domain.delta(points_[j], p);
      const double f = conflict_of<rule>(r, static_cast<double>(points_.radius[j]));
      const double d2 = length_squared(away);
      if (d2 >= goal_ * goal_ * f * f) continue;
      const double d = std::sqrt(d2);
      const double lack = goal_ - d / f;
      lot.least = std::min(lot.least, d / f);
      lot.lack += lack * lack;
      if (d > 0) lot.push = lot.push + away * (lack * f / d);
    }
    return lot;
  }

  bool move(std::size_t i, const Lot& now) {
    const Vec2 here = points_[i];
    const double enough = std::min(now.least, safety);
    for (const double step : {0.7, 0.3, 0.1}) {
      const Vec2 p = points_.domain.wrapped(here + now.push * step);
      if (!points_.domain.contains(p)) continue;
      const double r = field_.radius(p);
      const auto first = static_cast<double>(at_first_[i].r);
      if (!(r <= growth * first)) continue;
      if (points_.domain.distance(p, at_first_[i].at) > leash * first) continue;
      const Lot then = lot_of(i, p, r);
      if (then.least < enough || then.lack >= now.lack) continue;
      points_.x[i] = p.x;
      points_.y[i] = p.y;
      points_.radius[i] = static_cast<float>(r);
      return true;
    }
    return false;
  }

  PointSet& points_;
  const std::vector<char>& fixed_;
  const DensityField& field_;
  double target_;
  double goal_;
  NearLists near_;
  std::vector<Start> at_first_;
};

}  // namespace

void settle(Counted& counted, const PointSet& kept, ConflictRule rule, double target,
            Context& context) {
  PointSet all = joined(kept, counted.points);
  std::vector<char> fixed(all.size());
  std::fill_n(fixed.begin(), kept.size(), char{1});
  const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  with_rule(pairwise, [&](auto constant) {
    Settling<constant> settling(all, fixed, counted.field, target, context);
    settling.run(context);
    // The points keep the rule of a slightly larger radius now: that is the one to report. A slope
    // limit or a bound of r does not scale, so this may fail; then the rule of before holds. Kept
    // points may have the radius of the field, which stays as it was.
    const double closest = settling.closest();
    if (closest <= 1 || !kept.empty()) return;
    DensityField larger = counted.field.scaled(closest / (safety * safety));
    std::vector<float> radius = all.radius;
    for (std::size_t i = 0; i < radius.size(); ++i) {
      radius[i] = static_cast<float>(larger.radius(all[i]));
    }
    if (!settling.rule_holds(radius)) return;
    all.radius = std::move(radius);
    counted.field = std::move(larger);
  });
  const auto fresh = [&](auto& column) {
    return column.begin() + static_cast<std::ptrdiff_t>(kept.size());
  };
  std::copy(fresh(all.x), all.x.end(), counted.points.x.begin());
  std::copy(fresh(all.y), all.y.end(), counted.points.y.begin());
  std::copy(fresh(all.radius), all.radius.end(), counted.points.radius.begin());
}

}  // namespace dapple
