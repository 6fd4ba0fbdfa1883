// Proves distances of pairs in double, and coverage by halving cells.
#include "sample/sphere/proof.hpp"

#include <algorithm>
#include <span>

#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "sample/sphere/domain.hpp"

namespace dapple::sphere {
namespace {

constexpr std::size_t group = 16;

template <class Ground>
class Proof {
 public:
  Proof(const Ground& ground, const std::vector<Point>& points, const std::vector<Point>& obstacles,
        Context& context)
      : ground_(ground), points_(points), of_tile_(ground.size()), obstacles_(ground.size()) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      of_tile_[ground.holding(points[i].at)].push_back(i);
    }
    for_obstacles(ground, obstacles, context, [&](std::uint32_t t, const Point& obstacle) {
      obstacles_[t].push_back(obstacle);
    });
  }

  Proved run(Context& context) {
    std::vector<Proved> parts((of_tile_.size() + group - 1) / group);
    parallel_for(context, parts.size(), [&](std::size_t g) {
      const std::size_t end = std::min(of_tile_.size(), (g + 1) * group);
      for (std::size_t t = g * group; t < end; ++t) prove_tile(t, parts[g]);
    });
    Proved all;
    for (const Proved& part : parts) {
      all.violations += part.violations;
      if (part.closest < all.closest) {
        all.closest = part.closest;
        all.worst = part.worst;
      }
      if (all.holes == 0) all.hole = part.hole;
      all.holes += part.holes;
    }
    return all;
  }

 private:
  using Part = typename Ground::Part;

  void prove_tile(std::size_t t, Proved& into) const {
    std::vector<Point> near = obstacles_[t];
    for (const std::uint32_t other : ground_.near(t)) {
      for (const std::uint32_t j : of_tile_[other]) near.push_back(points_[j]);
    }
    for (const std::uint32_t i : of_tile_[t]) {
      for (const Point& obstacle : obstacles_[t]) add_pair(points_[i], obstacle, into);
      for (const std::uint32_t other : ground_.near(t)) {
        for (const std::uint32_t j : of_tile_[other]) {
          if (j > i) add_pair(points_[i], points_[j], into);
        }
      }
    }
    Vec3 hole;
    if (!has_hole(t, ground_.cell(t), near, hole)) return;
    if (into.holes++ == 0) into.hole = hole;
  }

  void add_pair(const Point& a, const Point& b, Proved& into) const {
    const double distance = length(a.at - b.at) / ground_.required_distance(a.r, b.r);
    into.violations += distance < 1 ? 1 : 0;
    if (distance >= into.closest) return;
    into.closest = distance;
    into.worst = a.at;
  }

  // Returns true at the first free place. Stops if what is left is below the tolerance.
  bool has_hole(std::size_t t, const Cell& cell, std::span<const Point> near, Vec3& place) const {
    const Part part = ground_.part(cell);
    const Point middle = ground_.middle(part);
    std::vector<Point> around;
    bool middle_is_free = true;
    for (const Point& p : near) {
      if (!ground_.reaches(p, part)) continue;
      if (ground_.covers(p, part)) return false;
      middle_is_free = middle_is_free && !ground_.are_near(p, middle);
      around.push_back(p);
    }
    if (middle_is_free) {
      place = middle.at;
      return true;
    }
    if (ground_.spread(t, part) < smallest_proved_part) return false;
    const auto halves = halves_of(cell, ground_.shape(part));
    return std::any_of(halves.begin(), halves.end(),
                       [&](const Cell& half) { return has_hole(t, half, around, place); });
  }

  const Ground& ground_;
  const std::vector<Point>& points_;
  std::vector<std::vector<std::uint32_t>> of_tile_;
  std::vector<std::vector<Point>> obstacles_;
};

}  // namespace

Proved prove(double radius, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context) {
  const EvenGround ground(radius, rule, 1 + tolerance, context);
  return Proof(ground, points, obstacles, context).run(context);
}

Proved prove(const Radii& radii, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context) {
  const MappedGround ground(radii, rule, 1 + tolerance, context);
  return Proof(ground, points, obstacles, context).run(context);
}

}  // namespace dapple::sphere
