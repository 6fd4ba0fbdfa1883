// Packs points densely by growth at the edge of the covered area (Dunbar, Humphreys 2006); darts
// fill the rest. This is for varying radii and for fixed points. The surroundings of each point are
// walked once, from the disc in the way to the place just behind it.
//
// A place is at the edge of the area that a point covers if distance = f(r there, r of the point).
// A few steps outwards find it, because r changes little on the way. Darts fill what this leaves
// open, such as the far side of a steep edge.
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/darts/darts.hpp"
#include "sample/darts/radius_tree.hpp"
#include "sample/dense/dense.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr double farthest_turn = 0.4;  // radians past the disc in the way
constexpr double blind_step = 0.25;    // radians past places that allow no points
constexpr double behind = 1e-6;        // radians past a disc, so that rounding keeps points outside
constexpr double most_growth = 1.5;    // of r from a point to its neighbor
constexpr std::size_t window = 16;     // of the queue; a random choice keeps rows out of step

Vec2 rotated(Vec2 v, double c, double s) {
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}
Vec2 turned_by(Vec2 v, double angle) {
  const Vec2 to = direction(angle / full_circle);
  return rotated(v, to.x, to.y);
}

template <ConflictRule rule>
class UnevenGrowth {
 public:
  UnevenGrowth(const DensityField& field, const Points* kept, Context& context)
      : field_(field),
        context_(context),
        tree_(field.domain()),
        random_(context.seed, Stream::dense) {
    points.domain = field.domain();
    if (kept == nullptr) return;
    for (std::size_t i = 0; i < kept->size(); ++i) {
      tree_.add((*kept)[i], static_cast<double>(kept->radius[i]) * safety);
    }
  }

  Points points;

  // Grows from places all over the field, so that no island is left out.
  void run() {
    expected_ = packing_constant(SampleMethod::dense, rule) * field_.integral();
    const InverseDensity density(field_, context_);
    const auto seeds = static_cast<std::size_t>(4 + expected_ / 64);
    for (std::size_t i = 0; i < seeds; ++i) {
      const double u = random_.uniform();
      const Vec2 p = density.place(u, random_.uniform());
      const double r = field_.radius(p) * safety;
      if (!std::isfinite(r) || tree_.conflicts(p, r, rule)) continue;
      add(p, r);
      while (head_ < radii_.size()) {
        pick();
        walk(head_++);
        if (head_ % 4096 == 0) {
          context_.progress(std::min(1.0, static_cast<double>(head_) / expected_));
        }
      }
    }
  }

 private:
  struct Near {
    Vec2 at;  // relative to the point that is walked around
    double r;
  };

  void add(Vec2 p, double r) {
    tree_.add(p, r);
    points.add(p, static_cast<float>(field_.radius(p)));
    radii_.push_back(r);
  }

  // Moves one of the next few points to the head of the queue.
  void pick() {
    const std::size_t span = std::min(window, radii_.size() - head_);
    const std::size_t other = head_ + random_.below(static_cast<std::uint32_t>(span));
    std::swap(radii_[head_], radii_[other]);
    std::swap(points.x[head_], points.x[other]);
    std::swap(points.y[head_], points.y[other]);
    std::swap(points.radius[head_], points.radius[other]);
  }

  struct Place {
    Vec2 way;  // relative to the point that is walked around
    double r = 0;
    bool allowed = false;
  };

  // Returns the place in direction u where the conflict with the point ends.
  Place edge(Vec2 p, double own, Vec2 u) const {
    double distance = own;
    Place place;
    for (int i = 0; i < 4; ++i) {
      place.way = u * distance;
      place.r = radius_at(p + place.way);
      if (!(place.r <= most_growth * own)) return place;
      const double wanted = conflict_of<rule>(place.r, own) * (1 + 1e-9);
      if (distance >= wanted && distance <= wanted * (1 + 1e-6)) break;
      distance = wanted;
    }
    place.allowed = true;
    return place;
  }
  double radius_at(Vec2 p) const {
    p = field_.domain().wrapped(p);
    return field_.domain().contains(p) ? field_.radius(p) * safety : HUGE_VAL;
  }

  // Returns the disc that a place lies deepest in; null if it lies in none.
  const Near* blocker(const Place& place) const {
    const Near* worst = nullptr;
    double least = 1;
    for (const Near& n : near_) {
      const double f = conflict_of<rule>(place.r, n.r);
      const double ratio = length_squared(n.at - place.way) / (f * f);
      if (ratio < least) {
        least = ratio;
        worst = &n;
      }
    }
    return worst;
  }

  void walk(std::size_t index) {
    const Vec2 p = points[index];
    const double own = radii_[index];
    examine_around(p, own);
    Vec2 u = direction(random_.uniform());
    bool touches = false;  // true if a disc was in the way at the last step
    double turned = 0;
    for (int step = 0; step < 60 && turned < full_circle; ++step) {
      const Place place = edge(p, own, u);
      const Near* in_the_way = place.allowed ? blocker(place) : nullptr;
      double turn = blind_step;
      if (in_the_way != nullptr) {
        turn = turn_past(*in_the_way, place, u);
      } else if (place.allowed) {
        turn = settle(p, own, u, place, touches);
      }
      touches = in_the_way != nullptr;
      turned += turn;
      u = turned_by(u, turn);
    }
  }

  void examine_around(Vec2 p, double own) {
    const double r = most_growth * own;
    const double reach = conflict_of<rule>(r, own);
    const bool own_counts = rule == ConflictRule::mean || rule == ConflictRule::max;
    near_.clear();
    tree_.for_each_within(p, reach + r, own_counts ? 1 : 0, [&](Vec2 q, double other) {
      const Vec2 d = field_.domain().delta(p, q);
      if (d == Vec2{}) return;
      if (length(d) < reach + conflict_of<rule>(r, other)) near_.push_back({d, other});
    });
  }

  // Returns the turn after which the circle leaves the disc in the way.
  static double turn_past(const Near& disc, const Place& place, Vec2 u) {
    const double a2 = length_squared(place.way);
    const double d2 = length_squared(disc.at);
    const double f = conflict_of<rule>(place.r, disc.r);
    const double c = std::clamp((a2 + d2 - f * f) / (2 * std::sqrt(a2 * d2)), -1.0, 1.0);
    const Vec2 exit = rotated(disc.at, c, std::sqrt(1 - c * c));
    const double turn = portable_angle(u.x * exit.y - u.y * exit.x, dot(u, exit));
    return std::max(turn, 1e-3) + behind;
  }

  // Puts a point at a free place, or a little farther on if it touches a disc. Returns the turn.
  double settle(Vec2 p, double own, Vec2 u, Place place, bool touches) {
    double turn = 0;
    if (touches) {
      turn = farthest_turn * random_.uniform();
      const Place on = edge(p, own, turned_by(u, turn));
      if (on.allowed && blocker(on) == nullptr) {
        place = on;
      } else {
        turn = 0;
      }
    }
    const Vec2 q = field_.domain().wrapped(p + place.way);
    const double r = radius_at(q);
    if (r == place.r && !tree_.conflicts(q, r, rule)) {
      add(q, r);
      near_.push_back({place.way, r});
      return turn;
    }
    return turn + 0.05;
  }

  const DensityField& field_;
  Context& context_;
  RadiusTree tree_;
  Random random_;
  std::vector<double> radii_;  // of points, with the safety factor
  std::vector<Near> near_;
  std::size_t head_ = 0;
  double expected_ = 0;
};

}  // namespace

Points dense_uneven(const DensityField& field, ConflictRule rule, const Points* kept,
                    Context& context) {
  return with_rule(rule, [&](auto constant) {
    UnevenGrowth<constant> growth(field, kept, context);
    growth.run();
    return std::move(growth.points);
  });
}

Points dense(const DensityField& field, const SampleOptions& options, Context& context) {
  const double expected = packing_constant(options.method, options.conflict) * field.integral();
  context.require_memory(expected * 120, "packing this many points");
  const Points kept = kept_points(field, options);
  if (kept.empty() && grows_evenly(field)) return dense_even(field, context);
  const Points grown = [&] {
    const auto part = context.part(0, 0.8);
    return dense_uneven(field, options.conflict, &kept, context);
  }();
  const auto part = context.part(0.8, 1);
  return darts(field, options.conflict, &grown, context, &kept);
}

}  // namespace dapple
