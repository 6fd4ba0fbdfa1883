// The index against a scan of all points.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/points.hpp"

namespace dapple {
namespace {

// Written out here, so that a mistake in Domain cannot hide.
double scan_distance(const Domain& domain, Vec2 a, Vec2 b) {
  double dx = std::abs(a.x - b.x);
  double dy = std::abs(a.y - b.y);
  if (domain.wrap) {
    dx = std::min(dx, domain.width - dx);
    dy = std::min(dy, domain.height - dy);
  }
  return std::hypot(dx, dy);
}

std::vector<Neighbor> scan(const Points& points, Vec2 center) {
  std::vector<Neighbor> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.push_back({static_cast<std::int32_t>(i), scan_distance(points.domain, center, points[i])});
  }
  return all;
}

void expect_nearest(const Points& points, const PointIndex& index, Vec2 center, int k) {
  std::vector<Neighbor> expected = scan(points, center);
  std::sort(expected.begin(), expected.end(),
            [](auto& a, auto& b) { return a.distance < b.distance; });
  std::vector<Neighbor> found;
  index.nearest(center, k, found);
  ASSERT_EQ(found.size(), std::min(points.size(), static_cast<std::size_t>(k)));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].distance, expected[i].distance, 1e-9);
    EXPECT_NEAR(
        scan_distance(points.domain, center, points[static_cast<std::size_t>(found[i].index)]),
        found[i].distance, 1e-9);
    if (i > 0) {
      EXPECT_TRUE(
          found[i - 1].distance < found[i].distance ||
          (found[i - 1].distance == found[i].distance && found[i - 1].index < found[i].index));
    }
  }
}

void expect_within(const Points& points, const PointIndex& index, Vec2 center, double radius) {
  std::vector<std::int32_t> surely, possibly;
  for (const Neighbor& n : scan(points, center)) {
    if (n.distance <= radius * (1 - 1e-12)) surely.push_back(n.index);
    if (n.distance <= radius * (1 + 1e-12)) possibly.push_back(n.index);
  }
  std::vector<Neighbor> found;
  index.within(center, radius, found);
  std::vector<std::int32_t> indices;
  for (const Neighbor& n : found) indices.push_back(n.index);
  std::sort(indices.begin(), indices.end());
  EXPECT_EQ(std::adjacent_find(indices.begin(), indices.end()), indices.end()) << "found twice";
  EXPECT_TRUE(std::includes(indices.begin(), indices.end(), surely.begin(), surely.end()));
  EXPECT_TRUE(std::includes(possibly.begin(), possibly.end(), indices.begin(), indices.end()));
}

void expect_like_a_scan(const Points& points, std::uint64_t seed) {
  const PointIndex index(points);
  Random random(seed, Stream::tests);
  const double side = std::max(points.domain.width, points.domain.height);
  for (int query = 0; query < 60; ++query) {
    const Vec2 center{random.uniform() * points.domain.width,
                      random.uniform() * points.domain.height};
    expect_nearest(points, index, center, 1);
    expect_nearest(points, index, center, 7);
    expect_within(points, index, center, side * std::pow(random.uniform(), 4.0));
    if (!points.empty()) {
      const Vec2 at = points[random.below(static_cast<std::uint32_t>(points.size()))];
      expect_nearest(points, index, at, 3);
      expect_within(points, index, at, side * 0.01);
      expect_within(points, index, at, 0);
    }
  }
}

Points uniform_points(Domain domain, int n, std::uint64_t seed) {
  Points points;
  points.domain = domain;
  Random random(seed, Stream::tests);
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform() * domain.width;
    points.add({x, random.uniform() * domain.height}, 1);
  }
  return points;
}

TEST(PointIndex, MatchesAScan) {
  for (const bool wrap : {false, true}) {
    for (const int n : {0, 1, 2, 8, 9, 33, 1000}) {
      SCOPED_TRACE("n = " + std::to_string(n) + (wrap ? ", torus" : ", flat"));
      expect_like_a_scan(uniform_points({300, 70, wrap}, n, 1), 2);
    }
  }
}

TEST(PointIndex, FollowsAnyDensity) {
  // x and y as high powers of uniform numbers: neighbors 1000 times nearer in one corner.
  for (const bool wrap : {false, true}) {
    Points points = uniform_points({100, 100, wrap}, 3000, 3);
    for (std::size_t i = 0; i < points.size(); ++i) {
      points.x[i] = 100 * std::pow(points.x[i] / 100, 6.0);
      points.y[i] = 100 * std::pow(points.y[i] / 100, 6.0);
    }
    expect_like_a_scan(points, 4);
  }
}

TEST(PointIndex, KeepsDuplicates) {
  Points points = uniform_points({10, 10, true}, 20, 5);
  for (int i = 0; i < 50; ++i) points.add({2.5, 7.5}, 1);
  expect_like_a_scan(points, 6);
  std::vector<Neighbor> found;
  PointIndex(points).within({2.5, 7.5}, 0, found);
  ASSERT_EQ(found.size(), 50u);
  EXPECT_EQ(found.front().index, 20);
  EXPECT_EQ(found.back().index, 69);
}

// A search that met all points of a place for each of them would take minutes.
TEST(PointIndex, FindsTheFirstOfManyPointsOfOnePlace) {
  Points points;
  points.domain = {100, 100, false};
  for (int i = 0; i < 200000; ++i)
    points.add(i % 2 == 0 ? Vec2{50, 50} : Vec2{0.1 * (i % 999), 7}, 1);
  const PointIndex index(points);
  std::vector<Neighbor> found;
  for (std::int32_t i = 0; i < 200000; i += 2) {
    index.nearest({50, 50}, 3, found, i);
    ASSERT_EQ(found.size(), 3u);
    for (std::int32_t k = 0; k < 3; ++k) {
      const std::int32_t before = 2 * k;
      ASSERT_EQ(found[static_cast<std::size_t>(k)].index, before < i ? before : before + 2);
    }
  }
}

// All but one in one square of the curve.
TEST(PointIndex, FindsManyPointsFarFromOneAsFast) {
  Points points;
  points.domain = {1e12, 1e12, false};
  for (int i = 0; i < 90000; ++i) points.add({1.0 * (i % 300), 1.0 * (i / 300)}, 1);
  points.add({9e11, 8e11}, 1);
  const PointIndex index(points);
  std::vector<Neighbor> found;
  for (std::int32_t i = 0; i < 90000; ++i) {
    index.nearest(points[static_cast<std::size_t>(i)], 1, found, i);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].distance, 1);
  }
}

TEST(PointIndex, FindsEachPointOnceOnASmallTorus) {
  const Points points = uniform_points({4, 3, true}, 40, 7);
  const PointIndex index(points);
  std::vector<Neighbor> found;
  index.within({3.9, 0.1}, 100, found);
  EXPECT_EQ(found.size(), 40u);
  index.within({3.9, 0.1}, 2.2, found);
  EXPECT_LT(found.size(), 40u);
  EXPECT_GT(found.size(), 20u);
}

TEST(PointIndex, LeavesOutTheExcludedPoint) {
  const Points points = uniform_points({50, 50, false}, 100, 8);
  const PointIndex index(points);
  std::vector<Neighbor> found;
  for (std::int32_t i = 0; i < 100; ++i) {
    index.nearest(points[static_cast<std::size_t>(i)], 2, found, i);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0].index, i);
    EXPECT_NE(found[1].index, i);
  }
  index.nearest({1, 1}, 1000, found, 5);
  EXPECT_EQ(found.size(), 99u);
}

TEST(PointIndex, FindsForAllPointsWhatItFindsForEach) {
  for (const bool wrap : {false, true}) {
    for (const int count : {1, 5, 8, 9, 2000}) {
      Points points = uniform_points({50, 20, wrap}, count, 3);
      if (count > 100) {
        for (std::size_t i = 0; i < 100; ++i) points.add(points[7], 0);  // in one place
      }
      const PointIndex index(points);
      Context context;
      const std::vector<std::int32_t> all = index.nearest_of_all(6, context);
      ASSERT_EQ(all.size(), 6 * points.size());
      std::vector<Neighbor> found;
      for (std::size_t i = 0; i < points.size(); ++i) {
        index.nearest(points[i], 6, found, static_cast<std::int32_t>(i));
        for (std::size_t k = 0; k < 6; ++k) {
          EXPECT_EQ(all[6 * i + k], k < found.size() ? found[k].index : -1) << count << ' ' << i;
        }
      }
    }
  }
}

TEST(PointIndex, WrapsTheQuery) {
  const Points points = uniform_points({50, 20, true}, 100, 9);
  const PointIndex index(points);
  std::vector<Neighbor> inside, outside;
  index.within({1, 19}, 5, inside);
  index.within({-49, 39}, 5, outside);
  ASSERT_EQ(inside.size(), outside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) EXPECT_EQ(inside[i].index, outside[i].index);
}

}  // namespace
}  // namespace dapple
