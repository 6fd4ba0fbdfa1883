// The way through dots: what it may not go below, and what is reached.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "analyze/way_bound.hpp"
#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/stipple.hpp"

namespace dapple {
namespace {

double uniform(std::uint64_t i) {
  return to_unit(Random(7, Stream::stipple).at(i));
}

PointSet scattered(std::size_t n, std::uint64_t seed) {
  PointSet points;
  points.domain = {100, 100, false};
  for (std::size_t i = 0; i < n; ++i) {
    points.add({100 * uniform(seed * 1000003 + 2 * i), 100 * uniform(seed * 1000003 + 2 * i + 1)},
               1);
  }
  return points;
}

// Clusters of more dots than a list of neighbours holds.
PointSet clustered(std::size_t n, std::uint64_t seed) {
  PointSet points = scattered(n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    points.x[i] = 10 + 30 * static_cast<double>(i % 3) + 0.01 * points.x[i];
    points.y[i] = 50 + 0.01 * points.y[i];
  }
  return points;
}

double way(const PointSet& points, const std::vector<std::int32_t>& order) {
  double total = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    total += length(points[static_cast<std::size_t>(order[i])] -
                    points[static_cast<std::size_t>(order[i - 1])]);
  }
  return total;
}

// The shortest way of all, by dynamic programming over sets (Held and Karp 1962).
double shortest_way(const PointSet& points) {
  const std::size_t n = points.size();
  const std::size_t sets = std::size_t{1} << n;
  std::vector<double> least(sets * n, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < n; ++i) least[(std::size_t{1} << i) * n + i] = 0;
  for (std::size_t set = 1; set < sets; ++set) {
    for (std::size_t last = 0; last < n; ++last) {
      for (std::size_t next = 0; next < n; ++next) {
        if ((set >> next & 1) != 0) continue;
        double& to = least[(set | std::size_t{1} << next) * n + next];
        to = std::min(to, least[set * n + last] + length(points[last] - points[next]));
      }
    }
  }
  return *std::min_element(least.end() - static_cast<std::ptrdiff_t>(n), least.end());
}

// Prim (1957), over all pairs.
double plain_tree(const PointSet& points, const std::vector<double>& penalties) {
  const std::size_t n = points.size();
  std::vector<double> reach(n, std::numeric_limits<double>::infinity());
  std::vector<bool> in(n, false);
  double total = 0;
  reach[0] = 0;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!in[i] && (best == n || reach[i] < reach[best])) best = i;
    }
    in[best] = true;
    total += reach[best];
    for (std::size_t i = 0; i < n; ++i) {
      reach[i] =
          std::min(reach[i], length(points[i] - points[best]) + penalties[i] + penalties[best]);
    }
  }
  return total;
}

TEST(WayBound, TheTreeIsTheLeastOverAllPairs) {
  Context context;
  for (const std::size_t n : {2u, 9u, 100u, 700u}) {
    for (const bool clusters : {false, true}) {
      const PointSet points = clusters ? clustered(n, n) : scattered(n, n);
      // From none to far larger than any distance: then hardly any near pair is in the tree.
      for (const double scale : {0.0, 0.5, 5.0, 500.0}) {
        std::vector<double> penalties(n);
        for (std::size_t i = 0; i < n; ++i) penalties[i] = scale * (uniform(31 * i) - 0.7);
        const double expected = plain_tree(points, penalties);
        EXPECT_NEAR(least_tree(points, penalties, context), expected,
                    1e-10 * (1 + std::abs(expected)))
            << n << " points, penalties up to " << scale;
      }
    }
  }
}

TEST(WayBound, IsBelowTheShortestWayAndNear) {
  Context context;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const bool clusters : {false, true}) {
      const std::size_t n = 2 + seed % 11;
      const PointSet points = clusters ? clustered(n, seed) : scattered(n, seed);
      const double shortest = shortest_way(points);
      const double bound = way_bound(points, context);
      EXPECT_LE(bound, shortest * (1 + 1e-12)) << n << " dots";
      EXPECT_GE(bound, 0.93 * shortest) << n << " dots";
      EXPECT_GE(way(points, drawing_order(points, DotOrder::travel, context)),
                shortest * (1 - 1e-12));
    }
  }
}

TEST(WayBound, KnownWays) {
  Context context;
  // On a line the way is its length; clusters there are joined by what no list of neighbours holds.
  PointSet line;
  line.domain = {1000, 10, false};
  for (int i = 0; i < 120; ++i) line.add({100.0 * (i % 4) + 0.01 * i, 5}, 1);
  EXPECT_NEAR(way_bound(line, context), 300 + 0.01 * 119, 1e-9);
  // Square lattices: one step a dot.
  PointSet lattice;
  lattice.domain = {40, 40, false};
  for (int i = 0; i < 1600; ++i) lattice.add({0.5 + i % 40, 0.5 + i / 40}, 1);
  EXPECT_NEAR(way_bound(lattice, context), 1599, 1e-9);
  EXPECT_LT(way(lattice, drawing_order(lattice, DotOrder::travel, context)), 1.02 * 1599);
  for (std::size_t n = 0; n < 5; ++n) {
    PointSet same;
    same.domain = {10, 10, false};
    for (std::size_t i = 0; i < n; ++i) same.add({5, 5}, 1);
    EXPECT_NEAR(way_bound(same, context), 0, 1e-9);
  }
}

TEST(DrawingOrder, IsNearTheBoundForAnyThreads) {
  // In several stretches, with tight clusters among them.
  PointSet points = scattered(30000, 3);
  const PointSet tight = clustered(3000, 4);
  for (std::size_t i = 0; i < tight.size(); ++i) points.add(tight[i], 1);
  Context one;
  one.threads = 1;
  Context several;
  several.threads = 7;
  const std::vector<std::int32_t> order = drawing_order(points, DotOrder::travel, one);
  EXPECT_EQ(drawing_order(points, DotOrder::travel, several), order);
  const double bound = way_bound(points, one);
  EXPECT_EQ(way_bound(points, several), bound);
  EXPECT_GT(way(points, order), bound);
  EXPECT_LT(way(points, order), 1.06 * bound);
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));
}

TEST(DrawingOrder, ReportsSayTheWayOfEachInk) {
  PointSet dots;
  dots.domain = {8, 8, false};
  Plane<float> darkness(8, 8, 0.5f);
  // Two inks in turns: 3 steps of 2 down, each in its own column.
  for (int i = 0; i < 4; ++i) {
    dots.add({1, 1.0 + 2 * i}, 1);
    dots.add({7, 1.0 + 2 * i}, 1);
    dots.klass.insert(dots.klass.end(), {0, 1});
  }
  Context context;
  const QualityReport report = analyze_stippling(dots, darkness, context);
  EXPECT_NEAR(report.find("way")->value, 12, 1e-9);
  EXPECT_NEAR(report.find("bound")->value, 12, 1e-9);
  EXPECT_NEAR(report.find("above")->value, 0, 1e-6);
  dots.klass.clear();
  const QualityReport plain = analyze_stippling(dots, darkness, context);
  EXPECT_GT(plain.find("way")->value, 40);
  EXPECT_GT(plain.find("above")->value, 50);
}

}  // namespace
}  // namespace dapple
