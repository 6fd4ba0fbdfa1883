// Moves points of a well-spaced set apart until no pair is nearer than a target. Neighbors share
// the distance that the closest pairs lack, as projection separates hard discs (Jakobsen 2001).
//
// Differences: each point moves on its own, and only if that lowers its own lack and keeps the
// conflict rule. The rule thus holds at every moment, whatever the field does. Hard edges,
// forbidden places and borders only end moves. Points with enough room do not move.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/dense/trim.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

// Target distance of the closest pair, as a part of that in a hexagonal lattice.
constexpr double settled_spacing = 0.801;
// Largest target, in parts of f. Settling gains the last few percent; more needs a new set.
constexpr double most_settling = 1.12;
constexpr int most_sweeps = 40;
// Largest distance of a point from its first place, in its own radii. Within it, lists of near
// points stay valid.
constexpr double leash = 0.12;
// Largest growth of a point's radius, likewise.
constexpr double growth = 1.04;
// Moves aim this much beyond the target; otherwise the last pairs would only creep up to it.
constexpr double beyond = 1.004;

template <ConflictRule rule>
class Settling {
 public:
  Settling(Points& points, std::vector<char>& fixed, const DensityField& field, double target,
           Context& context)
      : points_(points),
        fixed_(fixed),
        field_(field),
        one_radius_(field.is_constant()),
        target_(target),
        goal_(target * beyond),
        near_(points, rule, goal_ * growth, leash, context),
        at_first_(points.x.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) at_first_[i] = {points[i], points.radius[i]};
  }

  // Removes `excess` points from the closest pairs: they stay in the lists, but far away.
  std::vector<char> take_out(std::size_t excess) {
    std::vector<char> gone = crowded(points_, fixed_, rule, near_, close, excess);
    if (static_cast<std::size_t>(std::count(gone.begin(), gone.end(), 1)) < excess) {
      gone = crowded(points_, fixed_, rule, near_, goal_ * growth, excess);
    }
    for (std::size_t i = 0; i < gone.size(); ++i) {
      if (!gone[i]) continue;
      fixed_[i] = 1;
      points_.x[i] = points_.y[i] = out_of_reach;
    }
    return gone;
  }

  void run(Context& context) {
    // Points to visit: first all points; then the points that moved and their neighbors, and the
    // neighbors of a point that is still too near to another.
    const std::size_t n = points_.size();
    std::vector<char> state((n + word - 1) / word * word, content);
    std::fill_n(state.begin(), n, restless);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      std::size_t moved = 0;
      for (std::size_t from = 0; from < n; from += word) {
        // A tenth of the points moves in the first sweep, a tenth of these in the next.
        if (from % 65536 == 0) {
          context.progress(1 - std::ldexp(1.0, -sweep) *
                                   (1 - 0.5 * static_cast<double>(from) / static_cast<double>(n)));
        }
        std::uint64_t any;  // in later sweeps nearly all are content
        std::memcpy(&any, &state[from], word);
        if (any == 0) continue;
        for (std::size_t i = from; i < std::min(n, from + word); ++i) {
          if (state[i] != content) moved += visit(i, state) ? 1 : 0;
        }
      }
      if (moved == 0) break;
    }
  }

  // Returns true if all pairs keep the rule with radii of another field.
  bool rule_holds(const std::vector<float>& radius) const {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (const std::uint32_t j : near_.of(i)) {
        if (j < i || (fixed_[i] && fixed_[j])) continue;
        const double f =
            conflict_of<rule>(static_cast<double>(radius[i]), static_cast<double>(radius[j]));
        if (squared_distance(i, j) < f * safety * f * safety) return false;
      }
    }
    return true;
  }

  // Returns the smallest distance / f over all pairs, or the goal of moves if none is nearer.
  double closest() const {
    double least = goal_ * goal_;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (const std::uint32_t j : near_.of(i)) {
        if (j < i || (fixed_[i] && fixed_[j])) continue;
        const double f = distance_of(i, j);
        const double d2 = squared_distance(i, j);
        if (d2 < least * f * f) least = d2 / (f * f);
      }
    }
    return std::sqrt(least);
  }

 private:
  static constexpr char content = 0;
  static constexpr char restless = 1;
  static constexpr char asked = 2;  // to yield
  static constexpr std::size_t word = sizeof(std::uint64_t);
  static constexpr double out_of_reach = 1e18;
  static constexpr std::array<Vec2, 8> sides{
      {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}, {-0.7, 0.7}}};
  static constexpr double close = 1.012;  // closer pairs are a tenth as many as points

  struct Start {
    Vec2 at;
    float r;
  };
  // The situation of a point at a place.
  struct Lot {
    double least;  // distance / f to the nearest
    double lack;   // sum of squares of the distances missing to the goal
    Vec2 push;     // away from points that are too near
  };

  double distance_of(std::size_t i, std::size_t j) const {
    return conflict_of<rule>(static_cast<double>(points_.radius[i]),
                             static_cast<double>(points_.radius[j]));
  }

  double squared_distance(std::size_t i, std::size_t j) const {
    return length_squared(points_.domain.delta(points_[i], points_[j]));
  }
  double radius_at(Vec2 p) const {
    return one_radius_ ? static_cast<double>(points_.radius[0]) : field_.radius(p);
  }

  // Moves a point that needs to move or is asked to. Returns true if it moved.
  bool visit(std::size_t i, std::vector<char>& state) {
    const double least_wanted = state[i] == asked ? goal_ : target_;
    state[i] = content;
    if (fixed_[i]) return false;
    const Lot now = lot_of(i, points_[i], static_cast<double>(points_.radius[i]));
    if (now.least >= least_wanted) return false;
    const bool in_need = now.least < target_;
    const bool moves = move(i, now);
    if (in_need) state[i] = restless;
    if (in_need || moves) {
      for (const std::uint32_t j : near_.of(i)) {
        state[j] = std::max(state[j], in_need ? asked : restless);
      }
    }
    return moves;
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
    for (const double step : {1.3, 0.5, 0.2}) {
      if (move_by(i, now, now.push * step)) return true;
    }
    if (now.least >= target_) return false;
    // A point between others gives way to a side.
    for (const double step : {0.03, 0.006}) {
      const double length = step * static_cast<double>(points_.radius[i]);
      for (const Vec2 way : sides) {
        if (move_by(i, now, way * length)) return true;
      }
    }
    return false;
  }

  bool move_by(std::size_t i, const Lot& now, Vec2 by) {
    const Vec2 p = points_.domain.wrapped(points_[i] + by);
    if (!points_.domain.contains(p)) return false;
    const double r = radius_at(p);
    const auto first = static_cast<double>(at_first_[i].r);
    if (!(r <= growth * first)) return false;
    const Vec2 moved = points_.domain.delta(p, at_first_[i].at);
    if (length_squared(moved) > leash * first * leash * first) return false;
    const Lot then = lot_of(i, p, r);
    if (then.least < std::min(now.least, safety) || then.lack >= now.lack) return false;
    points_.x[i] = p.x;
    points_.y[i] = p.y;
    points_.radius[i] = static_cast<float>(r);
    return true;
  }

  Points& points_;
  std::vector<char>& fixed_;
  const DensityField& field_;
  bool one_radius_;
  double target_;
  double goal_;
  NearLists near_;
  std::vector<Start> at_first_;
};

// Returns the distance that settling aims at, in parts of f; at most 1 if no point needs to move.
double settling_target(const DensityField& field, std::size_t count) {
  const double packing = static_cast<double>(count) / field.integral();
  return std::min(settled_spacing * std::sqrt(hexagonal_packing / packing), most_settling);
}

// Returns the points of `all` after the first `kept`, except the removed ones.
Points rest_of(const Points& all, std::size_t kept, const std::vector<char>& gone) {
  Points rest;
  rest.domain = all.domain;
  rest.x.reserve(all.size() - kept);
  rest.y.reserve(all.size() - kept);
  rest.radius.reserve(all.size() - kept);
  for (std::size_t i = kept; i < all.size(); ++i) {
    if (!gone[i]) rest.add(all[i], all.radius[i]);
  }
  return rest;
}

}  // namespace

void settle(Counted& counted, const Points& kept, ConflictRule rule, std::size_t count,
            Context& context) {
  const double target = settling_target(counted.field, count + kept.size());
  if (target <= 1) {
    trim(counted.points, rule, count, context);
    return;
  }
  const std::size_t excess = counted.points.size() - count;
  Points all = kept.empty() ? std::move(counted.points) : joined(kept, counted.points);
  std::vector<char> fixed(all.size());
  std::fill_n(fixed.begin(), kept.size(), char{1});
  const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  with_rule(pairwise, [&](auto constant) {
    Settling<constant> settling(all, fixed, counted.field, target, context);
    const std::vector<char> gone = settling.take_out(excess);
    settling.run(context);
    // The points now keep the rule of a slightly larger radius, which is the one to report. A slope
    // limit or a bound of r does not scale, so this may fail; then the earlier rule holds. Fixed
    // points may have the radius of the field, which then does not change.
    const double closest = settling.closest();
    if (closest > 1 && kept.empty()) {
      DensityField larger = counted.field.scaled(closest / (safety * safety));
      std::vector<float> radius = all.radius;
      for (std::size_t i = 0; i < radius.size(); ++i) {
        if (!gone[i]) radius[i] = static_cast<float>(larger.radius(all[i]));
      }
      if (settling.rule_holds(radius)) {
        all.radius = std::move(radius);
        counted.field = std::move(larger);
      }
    }
    counted.points = rest_of(all, kept.size(), gone);
  });
  // Trims again in the rare case that more points had to go than stood near others.
  trim(counted.points, rule, count, context);
}

}  // namespace dapple
