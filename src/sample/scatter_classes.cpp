// Spreads classes that are even by themselves over given points that are even together. This is
// multi-class blue noise in the sense of Wei (2010).
//
// Difference: Wei removes and inserts points until each class keeps a distance of its own. Here the
// points are given, and classes are colors on them. First, in random order, every point takes the
// class with the fewest neighbors so far. Then neighbors swap classes while that lowers the energy,
// a sum of Gaussians over pairs of one class. This follows void and cluster (Ulichney 1993). The
// Gaussian of a class of share w is 1/sqrt(w) as wide.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "sample/classes.hpp"

namespace dapple {
namespace {

constexpr double width = 0.42;   // of the Gaussian, in mean distances of a class
constexpr double cut = 3.0;      // widths beyond which the Gaussian counts as 0
constexpr double rarest = 0.02;  // smaller shares get no wider a Gaussian
constexpr int most_passes = 20;

class Classes {
 public:
  Classes(const NearValues& neighbors, std::span<const double> weights, Context& context)
      : neighbors_(neighbors),
        weights_(weights),
        context_(context),
        n_(neighbors.size()),
        count_(weights.size()) {
    for (const double w : weights) {
      const double sigma = width / std::sqrt(std::max(w, rarest));
      falloff_.push_back(-0.5 / (sigma * sigma));
    }
    energy_.assign(n_ * count_, 0.0);
  }

  std::vector<std::int32_t> run() {
    assign();
    for (int pass = 0; pass < most_passes && swap_neighbors(); ++pass) {
      context_.progress(static_cast<double>(pass) / most_passes);
    }
    return std::move(klass_);
  }

 private:
  double pair(std::size_t class_id, float d2) const {
    return portable_exp(falloff_[class_id] * static_cast<double>(d2));
  }
  double& energy(std::size_t point, std::size_t class_id) {
    return energy_[point * count_ + class_id];
  }

  // Returns the number of points of each class: rounded down, the rest by the largest remainders.
  std::vector<std::size_t> quotas() const {
    std::vector<std::size_t> quota;
    std::vector<std::pair<double, std::size_t>> rest;
    std::size_t given = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      const double share = weights_[c] * static_cast<double>(n_);
      quota.push_back(std::min(n_ - given, static_cast<std::size_t>(share)));
      given += quota.back();
      rest.emplace_back(std::floor(share) - share, c);
    }
    std::sort(rest.begin(), rest.end());
    for (std::size_t k = 0; given < n_; ++k, ++given) ++quota[rest[k % count_].second];
    return quota;
  }

  void add(std::size_t point, std::size_t class_id, double sign) {
    for (const NearValue& other : neighbors_.of(point)) {
      energy(other.point, class_id) += sign * pair(class_id, other.value);
    }
  }

  void assign() {
    std::vector<std::size_t> left = quotas();
    const std::vector<std::size_t> quota = left;
    const Random shuffle(context_.seed, Stream::scatter, 0);
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < n_; ++i) order.emplace_back(shuffle.at(i), i);
    std::sort(order.begin(), order.end());
    klass_.assign(n_, 0);
    for (const auto& [key, i] : order) {
      std::size_t best = count_;
      double least = 0;
      for (std::size_t c = 0; c < count_; ++c) {
        if (left[c] == 0) continue;
        // Without neighbors, the class with the largest remaining part of its share comes first.
        const double need =
            energy(i, c) - 1e-3 * static_cast<double>(left[c]) / static_cast<double>(quota[c]);
        if (best == count_ || need < least) {
          best = c;
          least = need;
        }
      }
      klass_[i] = static_cast<std::int32_t>(best);
      --left[best];
      add(i, best, 1);
    }
  }

  // Swaps each point with the neighbor that gains most. Returns false if no swap gained anything.
  bool swap_neighbors() {
    constexpr float nearby = 6;  // squared spacings: about 18 neighbors
    std::size_t swaps = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const auto a = static_cast<std::size_t>(klass_[i]);
      double best = -1e-9;
      std::size_t with = n_;
      for (const NearValue& other : neighbors_.of(i)) {
        const std::size_t j = other.point;
        const auto b = static_cast<std::size_t>(klass_[j]);
        if (b == a || other.value > nearby) continue;
        const double gain = energy(i, b) - pair(b, other.value) + energy(j, a) -
                            pair(a, other.value) - energy(i, a) - energy(j, b);
        if (gain < best) {
          best = gain;
          with = j;
        }
      }
      if (with == n_) continue;
      const auto b = static_cast<std::size_t>(klass_[with]);
      add(i, a, -1);
      add(with, b, -1);
      klass_[i] = static_cast<std::int32_t>(b);
      klass_[with] = static_cast<std::int32_t>(a);
      add(i, b, 1);
      add(with, a, 1);
      ++swaps;
      if (swaps % 1024 == 0) context_.check();
    }
    return swaps > 0;
  }

  const NearValues& neighbors_;
  std::span<const double> weights_;
  Context& context_;
  std::size_t n_;
  std::size_t count_;
  std::vector<double> falloff_;
  std::vector<double> energy_;  // of a point if it had that class
  std::vector<std::int32_t> klass_;
};

// Returns neighbors with distances in mean spacings, which are proportional to r if it varies.
NearValues neighbors_of(const Points& points, double reach, Context& context) {
  const std::size_t n = points.size();
  const double mean = std::sqrt(points.domain.area() / static_cast<double>(n));
  const bool by_radius =
      std::all_of(points.radius.begin(), points.radius.end(), [](float r) { return r > 0; });
  std::vector<double> spacing(n, mean);
  for (std::size_t i = 0; by_radius && i < n; ++i) {
    spacing[i] = static_cast<double>(points.radius[i]) / std::sqrt(mean_packing);
  }
  NearValues made;
  const PointIndex index(points);
  std::vector<Neighbor> found;
  for (std::size_t i = 0; i < n; ++i) {
    index.within(points[i], reach * spacing[i], found);
    for (const Neighbor& other : found) {
      const auto j = static_cast<std::size_t>(other.index);
      const double scale = std::min(spacing[i], spacing[j]);
      if (j == i || other.distance > reach * scale) continue;
      const double d = other.distance / scale;
      made.add({static_cast<std::uint32_t>(j), static_cast<float>(d * d)});
    }
    made.end_list();
    if (i % 4096 == 0) context.check();
  }
  return made;
}

}  // namespace

double reach_of_classes(std::span<const double> weights) {
  const double lightest = std::max(rarest, *std::min_element(weights.begin(), weights.end()));
  return cut * width / std::sqrt(lightest);
}

void require_memory_for_classes(std::size_t points, std::span<const double> weights,
                                Context& context) {
  const double reach = reach_of_classes(weights);
  context.require_memory(static_cast<double>(points) * (4 * reach * reach * sizeof(NearValue) +
                                                        8.0 * static_cast<double>(weights.size())),
                         "spreading classes");
}

std::vector<std::int32_t> spread_classes(const NearValues& neighbors,
                                         std::span<const double> weights, Context& context) {
  return Classes(neighbors, weights, context).run();
}

std::vector<std::int32_t> spread_classes(const Points& points, std::span<const double> weights,
                                         Context& context) {
  if (points.empty()) return {};
  require_memory_for_classes(points.size(), weights, context);
  return spread_classes(neighbors_of(points, reach_of_classes(weights), context), weights, context);
}

}  // namespace dapple
