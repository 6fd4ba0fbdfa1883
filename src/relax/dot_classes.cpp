// Deals out classes along the order of the dots, each dot to the class farthest behind its share.
// Then neighbors of different classes are exchanged while that lowers the energy E:
//   E = 1/2 sum over classes c and dots i, j of K(i, j) r_c(i) r_c(j).
// r_c is 1 for a dot of class c, otherwise 0, less the wanted share. Void-and-cluster masks
// (Ulichney 1993) do the same on a grid. All classes count at once (multi-class blue noise: Wei
// 2010). No dot moves, so dots of different classes stay apart.
#include "relax/dot_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple {
namespace {

constexpr std::size_t neighbor_count = 36;  // about 3.5 spacings
constexpr std::size_t partners = 18;        // nearest dots that a dot may be exchanged with
constexpr int sweeps = 12;
constexpr std::size_t block = 1024;
constexpr float least_share_kept = 0.02f;
constexpr float least_gain_kept = 1;

struct Link {
  std::int32_t dot;
  float weight;
};

// Returns the nearest neighbors of every dot and K to them: Gaussians of one and two spacings.
std::vector<Link> links_of(const Points& dots, Context& context) {
  std::vector<Link> links(dots.size() * neighbor_count, Link{-1, 0});
  const std::vector<std::int32_t> near =
      PointIndex(dots).nearest_of_all(static_cast<int>(neighbor_count), context);
  parallel_for(context, (dots.size() + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(dots.size(), (b + 1) * block); ++i) {
      const std::int32_t* const found = near.data() + i * neighbor_count;
      const auto count =
          static_cast<std::size_t>(std::find(found, found + neighbor_count, -1) - found);
      if (count == 0) continue;
      const auto distance = [&](std::size_t k) {
        return dots.domain.distance(dots[i], dots[static_cast<std::size_t>(found[k])]);
      };
      // The spacing follows from the number of dots within this distance.
      const double n = static_cast<double>(count) + 0.5;
      const double spacing = std::max(distance(count - 1) * std::sqrt(std::numbers::pi / n), 1e-9);
      for (std::size_t k = 0; k < count; ++k) {
        const double u = distance(k) / spacing;
        const double wide = portable_exp(-0.125 * u * u);
        const double weight = wide + (wide * wide) * (wide * wide);
        links[i * neighbor_count + k] = {found[k], static_cast<float>(weight)};
      }
    }
  });
  return links;
}

constexpr float self_weight = 2;  // K of a dot and itself

class Dealing {
 public:
  Dealing(const Points& dots, const std::vector<std::vector<float>>& shares,
          std::span<const std::int32_t> given, Context& context)
      : shares_(shares), given_(given), links_(links_of(dots, context)), klass_(dots.size()) {}

  std::vector<std::int32_t> run(Context& context) {
    deal();
    for (std::size_t c = 0; c < shares_.size(); ++c) potential_.push_back(potential_of(c));
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      context.check();
      if (!swap_neighbors()) break;
    }
    return klass_;
  }

 private:
  void deal() {
    std::vector<double> behind(shares_.size(), 0.0);
    for (std::size_t i = 0; i < klass_.size(); ++i) {
      for (std::size_t c = 0; c < behind.size(); ++c)
        behind[c] += static_cast<double>(shares_[c][i]);
      auto chosen = std::max_element(behind.begin(), behind.end());
      if (keeps(i)) chosen = behind.begin() + given_[i];
      *chosen -= 1;
      klass_[i] = static_cast<std::int32_t>(chosen - behind.begin());
    }
  }

  // Returns true if a dot should keep its given class, because the class has a share at its place.
  bool keeps(std::size_t i) const {
    return !given_.empty() && given_[i] >= 0 &&
           shares_[static_cast<std::size_t>(given_[i])][i] > least_share_kept;
  }

  float residual(std::size_t c, std::size_t i) const {
    return (klass_[i] == static_cast<std::int32_t>(c) ? 1.0f : 0.0f) - shares_[c][i];
  }

  // Returns the sum over j of K(i, j) r_c(j).
  std::vector<float> potential_of(std::size_t c) const {
    std::vector<float> sums(klass_.size(), 0.0f);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += self_weight * residual(c, i);
      for (std::size_t k = 0; k < neighbor_count; ++k) {
        const Link& link = links_[i * neighbor_count + k];
        if (link.dot < 0) break;
        sums[static_cast<std::size_t>(link.dot)] += link.weight * residual(c, i);
      }
    }
    return sums;
  }

  void change(std::size_t c, std::size_t i, float by) {
    potential_[c][i] += self_weight * by;
    for (std::size_t k = 0; k < neighbor_count; ++k) {
      const Link& link = links_[i * neighbor_count + k];
      if (link.dot < 0) break;
      potential_[c][static_cast<std::size_t>(link.dot)] += link.weight * by;
    }
  }

  bool swap_neighbors() {
    bool any = false;
    for (std::size_t i = 0; i < klass_.size(); ++i) {
      std::size_t best = i;
      // A small limit keeps rounding from swapping forever. A larger one protects given classes.
      float gain = keeps(i) ? -least_gain_kept : -1e-3f;
      const auto a = static_cast<std::size_t>(klass_[i]);
      for (std::size_t k = 0; k < partners; ++k) {
        const Link& link = links_[i * neighbor_count + k];
        if (link.dot < 0) break;
        const auto j = static_cast<std::size_t>(link.dot);
        const auto b = static_cast<std::size_t>(klass_[j]);
        if (a == b || (keeps(j) && !keeps(i))) continue;
        const float change = (potential_[b][i] - potential_[b][j]) -
                             (potential_[a][i] - potential_[a][j]) +
                             2 * (self_weight - link.weight);
        if (change < gain) {
          gain = change;
          best = j;
        }
      }
      if (best == i) continue;
      const auto b = static_cast<std::size_t>(klass_[best]);
      change(a, i, -1);
      change(b, i, 1);
      change(b, best, -1);
      change(a, best, 1);
      std::swap(klass_[i], klass_[best]);
      any = true;
    }
    return any;
  }

  const std::vector<std::vector<float>>& shares_;
  std::span<const std::int32_t> given_;
  std::vector<Link> links_;
  std::vector<std::int32_t> klass_;
  std::vector<std::vector<float>> potential_;
};

}  // namespace

std::vector<std::vector<float>> shares_at(const Points& dots,
                                          std::span<const Plane<float>> planes) {
  std::vector<std::vector<float>> shares;
  for (const Plane<float>& plane : planes) {
    std::vector<float>& share = shares.emplace_back(dots.size());
    const double across = plane.width() / dots.domain.width;
    const double down = plane.height() / dots.domain.height;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      share[i] = plane(std::min(static_cast<int>(dots.x[i] * across), plane.width() - 1),
                       std::min(static_cast<int>(dots.y[i] * down), plane.height() - 1));
    }
  }
  return shares;
}

std::vector<std::int32_t> dot_classes(const Points& dots,
                                      const std::vector<std::vector<float>>& shares,
                                      Context& context, std::span<const std::int32_t> given) {
  if (shares.size() < 2) return std::vector<std::int32_t>(dots.size(), 0);
  return Dealing(dots, shares, given, context).run(context);
}

}  // namespace dapple
