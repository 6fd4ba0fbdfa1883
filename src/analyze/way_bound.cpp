// Computes a length below which no path through all dots can go.
//
// This is the bound of Held and Karp (1970, 1971). A path is a tree, so it is no shorter than the
// least tree that joins the dots. If every edge also weighs the penalties of its two ends, a path
// weighs more: by twice the sum of all penalties, minus the penalties of its first and last dot.
// Any penalties give a bound. Subgradient ascent finds good ones, which make dots with many
// branches expensive and ends cheap. It uses only near dots and stretches of a curve, which is
// quick but not exact. The final tree is exact over all pairs.
#include "analyze/way_bound.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "analyze/figures.hpp"
#include "core/bounding_tree.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "draw/order.hpp"

namespace dapple {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Disjoint sets that merge (Galler, Fischer 1964).
class Forest {
 public:
  explicit Forest(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t root(std::int32_t i) {
    while (up(i) != i) i = up(i) = up(up(i));
    return i;
  }
  bool join(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    up(std::max(a, b)) = std::min(a, b);
    return a != b;
  }

 private:
  std::int32_t& up(std::int32_t i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<std::int32_t> parent_;
};

// ---- the least tree over all pairs --------------------------------------------------------------

struct Edge {
  double weight = infinite;
  std::int32_t a = -1, b = -1;  // a < b
  // A total order, so that the choices of all parts together form no cycle.
  bool operator<(const Edge& other) const {
    if (weight != other.weight) return weight < other.weight;
    return a != other.a ? a < other.a : b < other.b;
  }
};

Edge edge_between(const Points& points, std::span<const double> penalties, std::int32_t a,
                  std::int32_t b) {
  const auto l = static_cast<std::size_t>(std::min(a, b));
  const auto r = static_cast<std::size_t>(std::max(a, b));
  return {length(points[l] - points[r]) + (penalties[l] + penalties[r]), std::min(a, b),
          std::max(a, b)};
}

// Levels of boxes over runs of points, with the least penalty of each.
class Runs {
 public:
  Runs(const Points& points, std::span<const double> penalties)
      : points_(points),
        penalties_(penalties),
        levels_(box_levels<Run>(points.size(), leaf, 2, [&](std::size_t i) {
          const Vec2 p = points[i];
          return Run{{p.x, p.y, p.x, p.y}, penalties[i]};
        })) {}

  double lowest() const { return levels_.back()[0].penalty; }

  // Sets the part of every point; a search skips runs that lie in the part of its point.
  void set_parts(const std::vector<std::int32_t>& parts) {
    parts_ = &parts;
    part_levels_ =
        box_levels<Part>(parts.size(), leaf, 2, [&](std::size_t i) { return Part{parts[i]}; });
  }

  // Replaces `best` by the least edge from point i to another part, if that edge is less.
  void search(std::int32_t i, Edge& best) const {
    const auto k = static_cast<std::size_t>(i);
    visit(levels_.size() - 1, 0, i, points_[k], (*parts_)[k], best);
  }

 private:
  static constexpr std::size_t leaf = 8;

  struct Run : Bounds {
    double penalty = infinite;  // the least of its points

    void cover(const Run& other) {
      Bounds::cover(other);
      penalty = std::min(penalty, other.penalty);
    }
  };
  struct Part {
    static constexpr std::int32_t none = -1;
    static constexpr std::int32_t several = -2;
    std::int32_t number = none;

    void cover(const Part& other) {
      number = number == none || number == other.number ? other.number : several;
    }
  };

  // Returns a lower bound for the weight of edges from p into the run, without the penalty of p.
  static double least(const Run& run, Vec2 p) {
    const double dx = std::max({run.x0 - p.x, p.x - run.x1, 0.0});
    const double dy = std::max({run.y0 - p.y, p.y - run.y1, 0.0});
    // The factor subtracts far more than rounding can add.
    return length(Vec2{dx, dy}) * (1 - 1e-14) + run.penalty;
  }

  void visit(std::size_t level, std::size_t run, std::int32_t i, Vec2 p, std::int32_t part,
             Edge& best) const {
    if (part_levels_[level][run].number == part) return;
    if (level == 0) {
      const std::size_t begin = run * leaf;
      for (std::size_t k = begin; k < std::min(begin + leaf, points_.size()); ++k) {
        if ((*parts_)[k] == part) continue;
        const auto other = static_cast<std::int32_t>(k);
        best = std::min(best, edge_between(points_, penalties_, i, other));
      }
      return;
    }
    const std::vector<Run>& below = levels_[level - 1];
    const std::size_t last = std::min(2 * run + 1, below.size() - 1);
    std::array<std::pair<double, std::size_t>, 2> sides{
        {{least(below[2 * run], p), 2 * run}, {least(below[last], p), last}}};
    if (sides[1].first < sides[0].first) std::swap(sides[0], sides[1]);
    const double own = penalties_[static_cast<std::size_t>(i)];
    for (const auto& [weight, child] : sides) {
      if (weight + own <= best.weight) visit(level - 1, child, i, p, part, best);
      if (last == 2 * run) return;
    }
  }

  const Points& points_;
  std::span<const double> penalties_;
  std::vector<std::vector<Run>> levels_;
  std::vector<std::vector<Part>> part_levels_;
  const std::vector<std::int32_t>* parts_ = nullptr;
};

template <class Body>
void in_blocks(Context& context, std::size_t count, const Body& body) {
  constexpr std::size_t block = 4096;
  parallel_for(context, (count + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) body(i);
  });
}

// Builds the tree by Boruvka (1926): every part of the forest adds its least outgoing edge, until
// one part is left. Lists of near dots give a first edge. Points that may have a lesser edge beyond
// their list search all dots (as in March, Ram and Gray 2010).
double exact_tree(const Points& points, std::span<const double> penalties, const NearDots& near,
                  Context& context) {
  const std::size_t n = points.size();
  Runs runs(points, penalties);
  Forest forest(n);
  std::vector<std::int32_t> part(n);
  std::iota(part.begin(), part.end(), 0);
  std::vector<Edge> own(n);    // of each point
  std::vector<Edge> least(n);  // of each part
  const auto collect = [&] {
    std::fill(least.begin(), least.end(), Edge());
    for (std::size_t i = 0; i < n; ++i) {
      Edge& best = least[static_cast<std::size_t>(part[i])];
      best = std::min(best, own[i]);
    }
  };
  double weight = 0;
  for (std::size_t parts = n; parts > 1;) {
    runs.set_parts(part);
    in_blocks(context, n, [&](std::size_t i) {
      own[i] = Edge();
      for (const std::int32_t other : near[i]) {
        if (other < 0) break;
        if (part[static_cast<std::size_t>(other)] == part[i]) continue;
        own[i] =
            std::min(own[i], edge_between(points, penalties, static_cast<std::int32_t>(i), other));
      }
    });
    collect();
    in_blocks(context, n, [&](std::size_t i) {
      const Edge& found = least[static_cast<std::size_t>(part[i])];
      if (near[i].back() >= 0) {
        const Vec2 far = points[static_cast<std::size_t>(near[i].back())];
        const double beyond = length(points[i] - far) * (1 - 1e-14) + penalties[i] + runs.lowest();
        if (beyond > found.weight) return;
      }
      own[i] = std::min(own[i], found);
      runs.search(static_cast<std::int32_t>(i), own[i]);
    });
    collect();
    for (std::size_t i = 0; i < n; ++i) {
      if (part[i] != static_cast<std::int32_t>(i)) continue;
      const Edge& edge = least[i];
      if (!forest.join(edge.a, edge.b)) continue;
      weight += edge.weight;
      --parts;
    }
    for (std::size_t i = 0; i < n; ++i) part[i] = forest.root(static_cast<std::int32_t>(i));
  }
  return weight;
}

// ---- penalties ----------------------------------------------------------------------------------

// Parameters of the ascent: number of steps, first and last step size over the local spacing.
struct Climb {
  int steps;
  double first, last;
};
constexpr Climb alone{60, 0.25, 0.02};
constexpr Climb together{25, 0.15, 0.002};

// Sorts indices by weight, stable, in linear time.
class ByWeight {
 public:
  const std::vector<std::uint32_t>& sort(const std::vector<float>& weights) {
    keys_.resize(weights.size());
    spare_.resize(weights.size());
    order_.resize(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      // Converts floats to integers of the same order.
      const auto bits = std::bit_cast<std::uint32_t>(weights[i]);
      const std::uint32_t key = (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
      keys_[i] = (static_cast<std::uint64_t>(key) << 32) | i;
    }
    for (const int shift : {32, 43, 54}) pass(shift);
    for (std::size_t i = 0; i < keys_.size(); ++i) order_[i] = static_cast<std::uint32_t>(keys_[i]);
    return order_;
  }

 private:
  void pass(int shift) {
    std::array<std::size_t, 2048> place{};
    for (const std::uint64_t key : keys_) ++place[(key >> shift) & 2047];
    std::size_t sum = 0;
    for (std::size_t& p : place) sum += std::exchange(p, sum);
    for (const std::uint64_t key : keys_) spare_[place[(key >> shift) & 2047]++] = key;
    keys_.swap(spare_);
  }

  std::vector<std::uint64_t> keys_, spare_;
  std::vector<std::uint32_t> order_;
};

// Improves the penalties of the points [begin, end), using only pairs of these points.
void climb(const Points& points, const NearDots& near, std::size_t begin, std::size_t end,
           const Climb& climb, std::vector<double>& penalties, const Context& context) {
  struct Pair {
    double length;
    std::int32_t a, b;
  };
  const std::size_t n = end - begin;
  if (n < 2) return;
  std::vector<Pair> pairs;
  std::vector<double> spacing(n, 0);
  for (std::size_t i = begin; i < end; ++i) {
    int seen = 0;
    for (const std::int32_t other : near[i]) {
      if (other < 0) break;
      const auto k = static_cast<std::size_t>(other);
      const double d = length(points[i] - points[k]);
      if (seen < 4) spacing[i - begin] += (d - spacing[i - begin]) / ++seen;
      if (k < begin || k >= end) continue;
      const auto& back = near[k];
      const bool twice =
          std::find(back.begin(), back.end(), static_cast<std::int32_t>(i)) != back.end();
      if (twice && k < i) continue;
      pairs.push_back(
          {d, static_cast<std::int32_t>(i - begin), static_cast<std::int32_t>(k - begin)});
    }
  }
  const auto own = penalties.begin() + static_cast<std::ptrdiff_t>(begin);
  std::vector<double> now(own, own + static_cast<std::ptrdiff_t>(n));
  std::vector<double> best = now;
  std::vector<int> degree(n), before(n, 2);
  std::vector<float> weights(pairs.size());
  ByWeight by_weight;
  double highest = -infinite;
  for (int step = 0; step <= climb.steps; ++step) {
    context.check();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      weights[i] = static_cast<float>(pairs[i].length + now[static_cast<std::size_t>(pairs[i].a)] +
                                      now[static_cast<std::size_t>(pairs[i].b)]);
    }
    Forest forest(n);
    std::fill(degree.begin(), degree.end(), 0);
    double bound = 0;
    std::size_t joined = 0;
    for (const std::uint32_t i : by_weight.sort(weights)) {
      const Pair& pair = pairs[i];
      if (!forest.join(pair.a, pair.b)) continue;
      const auto a = static_cast<std::size_t>(pair.a);
      const auto b = static_cast<std::size_t>(pair.b);
      bound += pair.length + now[a] + now[b];
      ++degree[a];
      ++degree[b];
      if (++joined + 1 == n) break;
    }
    // The ends of the path are not known: the two least penalties keep the bound valid.
    std::array<std::size_t, 2> ends{0, 1};
    if (now[1] < now[0]) std::swap(ends[0], ends[1]);
    for (std::size_t i = 2; i < n; ++i) {
      if (now[i] < now[ends[0]]) {
        ends = {i, ends[0]};
      } else if (now[i] < now[ends[1]]) {
        ends[1] = i;
      }
    }
    for (const std::size_t end_dot : ends) {
      bound += now[end_dot];
      ++degree[end_dot];
    }
    bound -= 2 * std::accumulate(now.begin(), now.end(), 0.0);
    if (bound > highest) {
      highest = bound;
      best = now;
    }
    const double size = climb.first * portable_pow(climb.last / climb.first,
                                                   static_cast<double>(step) / climb.steps);
    for (std::size_t i = 0; i < n; ++i) {
      if (step == 0) before[i] = degree[i];
      now[i] += size * spacing[i] * (0.7 * (degree[i] - 2) + 0.3 * (before[i] - 2));
      before[i] = degree[i];
    }
  }
  std::copy(best.begin(), best.end(), own);
}

}  // namespace

double least_tree(const Points& points, std::span<const double> penalties, Context& context) {
  return exact_tree(points, penalties, nearest_dots(points, context), context);
}

double way_bound(const Points& points, Context& context) {
  require_columns(points);
  if (!points.empty()) require_domain(points.domain);
  const std::size_t n = points.size();
  if (n < 2) return 0;
  Points sorted;
  sorted.domain = {points.domain.width, points.domain.height, false};
  for (const std::int32_t i : hilbert_order(points))
    sorted.add(points[static_cast<std::size_t>(i)], 0);
  const NearDots near = nearest_dots(sorted, context);
  std::vector<double> penalties(n, 0);
  constexpr std::size_t stretch = 16384;
  const std::size_t stretches = (n + stretch - 1) / stretch;
  parallel_for(context, stretches, [&](std::size_t i) {
    climb(sorted, near, n * i / stretches, n * (i + 1) / stretches, alone, penalties, context);
  });
  climb(sorted, near, 0, n, together, penalties, context);
  const double tree = exact_tree(sorted, penalties, near, context);
  // The ends of the best path are not known: the two least penalties keep the bound valid.
  std::vector<double> ends = penalties;
  std::nth_element(ends.begin(), ends.begin() + 1, ends.end());
  const double held =
      tree - 2 * std::accumulate(penalties.begin(), penalties.end(), 0.0) + ends[0] + ends[1];
  // If clusters lie apart, penalties from near dots may give a worse bound than no penalties.
  std::fill(penalties.begin(), penalties.end(), 0.0);
  return std::max(held, exact_tree(sorted, penalties, near, context));
}

void add_way(QualityReport& report, const Points& dots, Context& context) {
  std::map<std::int32_t, Points> classes;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    Points& own = classes[dots.class_id.empty() ? 0 : dots.class_id[i]];
    own.domain = dots.domain;
    own.add(dots[i], 0);
  }
  double way = 0;
  double bound = 0;
  for (const auto& [class_id, own] : classes) {
    for (std::size_t i = 1; i < own.size(); ++i) way += length(own[i] - own[i - 1]);
    bound += way_bound(own, context);
  }
  auto& list = report.measurements;
  list.push_back({"way", way, "pixels", "from dot to dot, in their order, each ink by itself"});
  list.push_back({"bound", bound, "pixels", "no order has a shorter way (Held and Karp)"});
  if (bound > 0) {
    list.push_back({"above", 100 * (way / bound - 1), "%", "the way above the bound"});
  }
}

}  // namespace dapple
