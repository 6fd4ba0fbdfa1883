// Places the first points of a progressive set: darts whose radius shrinks with every point (McCool
// and Fiume 1992), so that each prefix has its own.
//
// Differences: the radius does not wait for darts to miss. It follows the number of points, as 0.72
// of the distance in a hexagonal lattice of as many. Places that far from all points are one in a
// thousand, but there is almost always one. The random choice among them keeps the set from growing
// regular and opening all its gaps at once, as farthest points do. If there is no such place, the
// farthest is taken. Maximal layers take over later; for them, chance evens out only over hundreds
// of points.
#include "sample/progressive/first.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/constants.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/conflict.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

// Number of places to choose from: a jittered grid, as dense as the points are.
constexpr int choice = 5000;
constexpr double unlimited = std::numeric_limits<double>::infinity();
// Number of places that move for more distance if none has enough, and number of their moves.
constexpr std::size_t climbers = 16;
constexpr int climbs = 24;

template <ConflictRule rule>
class FirstPoints {
 public:
  FirstPoints(Points& points, const DensityField& field, Random random, Context& context)
      : points_(points), field_(field), random_(random) {
    const InverseDensity density(field, context);
    const double aspect = field.domain().width / field.domain().height;
    const int columns = std::clamp(static_cast<int>(std::sqrt(choice * aspect)), 1, choice);
    const int rows = choice / columns;
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < columns; ++i) {
        const double u = (i + random_.uniform()) / columns;
        const double v = (j + random_.uniform()) / rows;
        const Vec2 p = density.place(u, v);
        const double r = field.radius(p);
        if (!std::isfinite(r)) continue;
        x_.push_back(p.x);
        y_.push_back(p.y);
        r_.push_back(r);
      }
    }
    nearest_.assign(x_.size(), unlimited);
    for (std::size_t i = 0; i < points.size(); ++i) {
      radius_.push_back(field.radius(points[i]));
      look_at(i);
    }
  }

  double run(double wanted) {
    double worst = unlimited;
    while (static_cast<double>(points_.size()) < wanted) {
      const double target = std::sqrt(wanted / static_cast<double>(points_.size() + 1)) * safety;
      const Place next = choose(target * target);
      if (!(next.nearest >= safety * safety)) break;
      worst = std::min(worst, std::sqrt(next.nearest) / target);
      points_.add(next.at, static_cast<float>(next.r));
      radius_.push_back(next.r);
      look_at(points_.size() - 1);
    }
    return worst;
  }

 private:
  struct Place {
    Vec2 at;
    double r;
    double nearest;  // (distance / f)^2
  };

  double part(Vec2 p, double r, std::size_t i) const {
    const double f = conflict_of<rule>(r, radius_[i]);
    return length_squared(points_.domain.delta(p, points_[i])) / (f * f);
  }

  // Updates the distances to the new point i. Without branches, as most of the time is spent here.
  void look_at(std::size_t i) {
    const Domain& domain = points_.domain;
    const Vec2 p = points_[i];
    const double r = radius_[i];
    const double width = domain.wrap ? domain.width : unlimited;
    const double height = domain.wrap ? domain.height : unlimited;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const double ax = std::abs(x_[k] - p.x);
      const double ay = std::abs(y_[k] - p.y);
      const double dx = std::min(ax, width - ax);
      const double dy = std::min(ay, height - ay);
      const double f = conflict_of<rule>(r_[k], r);
      nearest_[k] = std::min(nearest_[k], (dx * dx + dy * dy) / (f * f));
    }
  }

  Place place(std::size_t k) const { return {{x_[k], y_[k]}, r_[k], nearest_[k]}; }

  // Returns a place that is `target` from the nearest point, or the farthest place; squares.
  Place choose(double target) {
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      if (nearest_[k] >= target) free.push_back(k);
    }
    if (!free.empty()) return place(free[random_.below(static_cast<std::uint32_t>(free.size()))]);

    std::vector<std::size_t> all(x_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::size_t> best(std::min(climbers, all.size()));
    std::partial_sort_copy(all.begin(), all.end(), best.begin(), best.end(),
                           [&](std::size_t a, std::size_t b) {
                             return nearest_[a] != nearest_[b] ? nearest_[a] > nearest_[b] : a < b;
                           });
    Place farthest{{}, 0, 0};
    for (const std::size_t k : best) {
      Place moved = place(k);
      climb(moved);
      if (moved.nearest >= target) return moved;
      if (moved.nearest > farthest.nearest) farthest = moved;
    }
    return farthest;
  }

  // Takes ever shorter random steps, and keeps those that lead away from the nearest point.
  void climb(Place& place) {
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (part(place.at, place.r, i) < 16 * place.nearest) near.push_back(i);
    }
    double step = 0.3 * place.r * std::sqrt(place.nearest);
    for (int k = 0; k < climbs; ++k, step *= 0.9) {
      const Vec2 by{2 * random_.uniform() - 1, 2 * random_.uniform() - 1};
      const Vec2 p = points_.domain.wrapped(place.at + by * step);
      if (!points_.domain.contains(p)) continue;
      Place moved{p, field_.radius(p), unlimited};
      if (!std::isfinite(moved.r)) continue;
      for (const std::size_t i : near) moved.nearest = std::min(moved.nearest, part(p, moved.r, i));
      if (moved.nearest > place.nearest) place = moved;
    }
    // Steps may have led up to a point that was far away.
    for (std::size_t i = 0; i < points_.size(); ++i) {
      place.nearest = std::min(place.nearest, part(place.at, place.r, i));
    }
  }

  Points& points_;
  const DensityField& field_;
  Random random_;
  std::vector<double> radius_;               // of the points
  std::vector<double> x_, y_, r_, nearest_;  // places; (distance / f)^2
};

}  // namespace

double add_first_points(Points& points, const DensityField& field, ConflictRule rule,
                        std::uint64_t place, Context& context) {
  const double wanted = first_spacing * first_spacing * hexagonal_packing * field.integral();
  return with_rule(rule, [&](auto constant) {
    const Random random(context.seed, Stream::progressive, place);
    return FirstPoints<constant>(points, field, random, context).run(wanted);
  });
}

}  // namespace dapple
