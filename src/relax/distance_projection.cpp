// A dot at fault tries steps in eight directions. It takes the step after which its worst neighbor
// is farthest, relative to the distance wanted there. Near white the wanted distance grows faster
// than a dot can move away, so the best step leads back to darker places.
#include "relax/distance_projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "dapple/context.hpp"

namespace dapple {
namespace {

constexpr int sweeps = 4;
constexpr int steps = 12;
constexpr double diagonal = 0.70710678118654752;
constexpr std::array<Vec2, 8> directions{{{1, 0},
                                          {diagonal, diagonal},
                                          {0, 1},
                                          {-diagonal, diagonal},
                                          {-1, 0},
                                          {-diagonal, -diagonal},
                                          {0, -1},
                                          {diagonal, -diagonal}}};

double size_of_pair(const Surroundings& surroundings, std::size_t i, std::size_t k) {
  const std::span<const float> sizes = surroundings.sizes;
  return sizes.empty() ? 1 : 0.5 * static_cast<double>(sizes[i] + sizes[k]);
}

Vec2 place_of(const FixedPlaces& dots, std::size_t i) {
  return {dots.x[i] * dots.unit, dots.y[i] * dots.unit};
}

class Parting {
 public:
  Parting(FixedPlaces& dots, const Domain& domain, const Surroundings& surroundings, double least)
      : dots_(dots), domain_(domain), surroundings_(surroundings), least_(least) {}

  // Moves a dot and returns true if it was at fault. worst_dot() then is its worst neighbor.
  bool part(std::size_t i) {
    near_.clear();
    const Vec2 start = place(i);
    const double own = surroundings_.wanted(start);
    // All steps together stay within 3 x `nearest`, so farther dots are left out.
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::int32_t k : surroundings_.near(i)) {
      if (static_cast<std::size_t>(k) == i) continue;
      nearest = std::min(nearest, length(place(static_cast<std::size_t>(k)) - start));
    }
    for (const std::int32_t k : surroundings_.near(i)) {
      const auto other = static_cast<std::size_t>(k);
      const Vec2 p = place(other);
      if (other == i || length(p - start) > 4 * nearest) continue;
      near_.push_back({other, p, surroundings_.wanted(p), size_of_pair(surroundings_, i, other)});
    }
    double worst = worst_at(start, own);
    if (!(worst < least_)) return false;
    Vec2 at = start;
    double step = 0.25 * nearest;
    for (int round = 0; round < steps && worst < least_; ++round) {
      Vec2 best = at;
      for (const Vec2 direction : directions) {
        const Vec2 p = at + direction * step;
        if (!domain_.contains(p)) continue;
        const double here = worst_at(p, surroundings_.wanted(p));
        if (here > worst) {
          worst = here;
          best = p;
        }
      }
      if (best == at) step *= 0.5;
      at = best;
    }
    worst_at(at, surroundings_.wanted(at));
    dots_.x[i] = static_cast<std::int32_t>(at.x / dots_.unit);
    dots_.y[i] = static_cast<std::int32_t>(at.y / dots_.unit);
    return true;
  }
  std::size_t worst_dot() const { return worst_dot_; }

 private:
  struct Other {
    std::size_t dot;
    Vec2 place;
    double wanted;
    double size;
  };
  Vec2 place(std::size_t i) const { return place_of(dots_, i); }
  double worst_at(Vec2 p, double own) {
    double worst = std::numeric_limits<double>::infinity();
    for (const Other& other : near_) {
      const double share = length(other.place - p) / (std::max(own, other.wanted) * other.size);
      if (share >= worst) continue;
      worst = share;
      worst_dot_ = other.dot;
    }
    return worst;
  }

  FixedPlaces& dots_;
  const Domain& domain_;
  const Surroundings& surroundings_;
  double least_;
  std::vector<Other> near_;
  std::size_t worst_dot_ = 0;
};

}  // namespace

bool lies_too_near(std::size_t i, const FixedPlaces& dots, const Surroundings& surroundings,
                   double least) {
  const Vec2 p = place_of(dots, i);
  const double wanted = least * surroundings.wanted(p);
  const std::span<const std::int32_t> near = surroundings.near(i);
  return std::any_of(near.begin(), near.end(), [&](std::int32_t dot) {
    const auto k = static_cast<std::size_t>(dot);
    return k != i && length(place_of(dots, k) - p) < wanted * size_of_pair(surroundings, i, k);
  });
}

void keep_apart(std::vector<std::size_t> at_fault, FixedPlaces& dots, const Domain& domain,
                const Surroundings& surroundings, double least, const Context& context) {
  constexpr std::size_t between_checks = 64;
  std::size_t tried = 0;
  Parting parting(dots, domain, surroundings, least);
  for (int sweep = 0; sweep < sweeps && !at_fault.empty(); ++sweep) {
    std::vector<std::size_t> next;
    for (const std::size_t i : at_fault) {
      if (++tried % between_checks == 0) context.check();
      if (!parting.part(i)) continue;
      next.push_back(i);
      next.push_back(parting.worst_dot());
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    at_fault = std::move(next);
  }
}

}  // namespace dapple
