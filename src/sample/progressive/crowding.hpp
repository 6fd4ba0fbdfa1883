// Removes the most crowded point again and again (Yuksel 2015), from points of any kind with lists
// of their neighbors.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "sample/progressive/class_schedule.hpp"
#include "sample/progressive/near_values.hpp"

namespace dapple {

// Returns what a neighbor at distance d adds, with d in units of the distance of a hexagonal
// lattice. All distances below `near` count the same. Otherwise the closest pairs, which lose a
// point anyway, would decide everything (Yuksel's weight limiting).
inline double crowding_at(double d, double near) {
  const double w = 1 - std::max(d, near);
  if (w <= 0) return 0;
  const double w2 = w * w;
  const double w4 = w2 * w2;
  return w4 * w4;
}
// Returns the distance `near` if `left` of `count` points are to stay.
inline double least_distance_that_counts(std::size_t left, std::size_t count) {
  const double part = static_cast<double>(left) / static_cast<double>(count);
  return 0.65 * (1 - part * std::sqrt(part));
}

// The class of each point, and the class of the point at each rank. Empty: a single class.
struct ClassTurns {
  std::span<const std::int32_t> of_point = {};
  std::span<const std::int32_t> of_rank = {};
};

// Points by their weights. Buckets, 16 per octave, replace a heap: a weight only ever falls, so a
// point moves to a lower bucket only when its turn comes.
class ByCrowding {
 public:
  void add(std::uint32_t i, float weight) {
    const std::size_t b = bucket_of(weight);
    if (b >= buckets_.size()) buckets_.resize(b + 1);
    buckets_[b].push_back(i);
    top_ = buckets_.size();
  }
  // Removes the heaviest remaining point and returns it.
  std::uint32_t take(const std::vector<float>& weight) {
    for (;;) {
      while (next_ >= buckets_[top_ - 1].size()) {
        buckets_[--top_] = {};
        next_ = 0;
      }
      const std::uint32_t i = buckets_[top_ - 1][next_++];
      const std::size_t now = bucket_of(weight[i]);
      if (now + 1 >= top_) return i;
      buckets_[now].push_back(i);
    }
  }

 private:
  static std::size_t bucket_of(float weight) {
    // Keeps the exponent and four bits; weights below 2^-60 count as equal.
    constexpr std::uint32_t lowest = std::bit_cast<std::uint32_t>(0x1p-60f) >> 19;
    const std::uint32_t b = std::bit_cast<std::uint32_t>(weight) >> 19;
    return b > lowest ? b - lowest : 0;
  }

  std::vector<std::vector<std::uint32_t>> buckets_;
  std::size_t top_ = 0;   // one past the heaviest bucket
  std::size_t next_ = 0;  // index in the heaviest bucket
};

// Returns the removed points, first to last, until `left` of `n` remain. for_near(i, body) calls
// body(j, crowding) for each neighbor j of point i, with the same crowding both ways. The last
// `fixed` points crowd others but stay. With classes, ranks go from last to first, and each removes
// the most crowded point of its class.
template <class ForNear>
std::vector<std::uint32_t> most_crowded_first(std::size_t n, std::size_t left, Context& context,
                                              const ForNear& for_near, std::size_t fixed = 0,
                                              const ClassTurns& turns = {}) {
  const auto class_in = [](std::span<const std::int32_t> of, std::size_t i) {
    return of.empty() ? std::size_t{0} : static_cast<std::size_t>(of[i]);
  };
  std::vector<float> weight(n);
  std::vector<ByCrowding> queues(1);
  for (std::size_t i = 0; i < n; ++i) {
    for_near(i, [&](std::uint32_t, float crowding) { weight[i] += crowding; });
    if (i + fixed >= n) continue;
    const std::size_t class_id = class_in(turns.of_point, i);
    if (class_id >= queues.size()) queues.resize(class_id + 1);
    queues[class_id].add(static_cast<std::uint32_t>(i), weight[i]);
  }
  std::vector<std::uint32_t> order;
  n -= fixed;
  order.reserve(n - left);
  while (n - order.size() > left) {
    const std::size_t rank = n - order.size() - 1;
    const std::uint32_t i = queues[class_in(turns.of_rank, rank)].take(weight);
    order.push_back(i);
    if (order.size() % 16384 == 0) {
      context.progress(static_cast<double>(order.size()) / static_cast<double>(n - left));
    }
    // Sums of floats may be a little off, so a weight below 0 becomes 0.
    for_near(i, [&](std::uint32_t j, float crowding) {
      weight[j] = std::max(0.0f, weight[j] - crowding);
    });
  }
  return order;
}

// Returns points in an order with well-spaced prefixes: points removed first come last.
// `index` holds them so that neighbors mostly follow each other. `squares`: integral of 1 / r^2
// over their domain. eliminate(index, spacing, left) removes points until `left` remain. It returns
// places in `index`, by distances in units of `spacing` radii. `beside`: number of fixed points,
// which stay.
template <class Eliminate>
std::vector<std::uint32_t> order_by_elimination(std::vector<std::uint32_t> index, double squares,
                                                const Eliminate& eliminate,
                                                std::size_t beside = 0) {
  // Each round keeps a part of the points of the one before, because distances grow as points go.
  constexpr double part = 0.8;
  std::vector<std::uint32_t> all;
  all.reserve(index.size());
  while (index.size() > 1) {
    const auto left = static_cast<std::size_t>(part * static_cast<double>(index.size()));
    const double spacing = std::sqrt(hexagonal_packing * squares /
                                     static_cast<double>(std::max<std::size_t>(left + beside, 1)));
    std::vector<bool> gone(index.size());
    for (const std::uint32_t i : eliminate(index, spacing, left)) {
      gone[i] = true;
      all.push_back(index[i]);
    }
    std::vector<std::uint32_t> stay;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (!gone[i]) stay.push_back(index[i]);
    }
    index = std::move(stay);
  }
  all.insert(all.end(), index.begin(), index.end());
  std::reverse(all.begin(), all.end());
  return all;
}

// Orders points so that each prefix is well spaced around `fixed` points. With classes, each prefix
// also holds the share of each class. `class_id`: of each number; empty if there are no classes.
// near_values(index, spacing, near) lists the neighbors of points, as places in `index`, and how
// much each adds. The other parameters are those of order_by_elimination().
template <class NearValuesOf>
std::vector<std::uint32_t> order_around(std::vector<std::uint32_t> index,
                                        std::span<const std::uint32_t> fixed,
                                        std::span<const std::int32_t> class_id, std::size_t classes,
                                        double squares, const NearValuesOf& near_values,
                                        Context& context) {
  const auto classes_of = [&](std::span<const std::uint32_t> points) {
    std::vector<std::int32_t> found;
    for (std::size_t n = 0; classes > 0 && n < points.size(); ++n) {
      found.push_back(class_id[points[n]]);
    }
    return found;
  };
  std::vector<std::size_t> counts(classes);
  for (const std::int32_t c : classes_of(index)) ++counts[static_cast<std::size_t>(c)];
  const std::vector<std::int32_t> turns = class_turns(counts);
  const auto eliminate = [&](const std::vector<std::uint32_t>& rest, double spacing,
                             std::size_t left) {
    std::vector<std::uint32_t> all = rest;
    all.insert(all.end(), fixed.begin(), fixed.end());
    const NearValues lists =
        near_values(all, spacing, least_distance_that_counts(left, rest.size()));
    const std::vector<std::int32_t> class_of = classes_of(rest);
    return most_crowded_first(all.size(), left, context,
                              [&](std::size_t i, const auto& body) {
                                for (const NearValue& other : lists.of(i))
                                  body(other.point, other.value);
                              },
                              fixed.size(), {class_of, turns});
  };
  return order_by_elimination(std::move(index), squares, eliminate, fixed.size());
}

}  // namespace dapple
