// Points in polygons: exact numbers, distances across borders, holes, against brute force.
#include "dapple/regions.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"

namespace dapple {
namespace {

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Space in_regions(Regions regions, std::vector<std::int64_t> counts = {}) {
  return Space::in_regions(std::make_shared<const Regions>(std::move(regions)), std::move(counts));
}

// A map of columns x rows four-sided polygons that share their borders.
Regions map_of(int columns, int rows) {
  Random random(5, Stream::tests);
  std::vector<Vec2> corners;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      corners.push_back({i + 0.6 * random.uniform() - 1000, j + 0.6 * random.uniform()});
    }
  }
  Regions regions;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const auto at = static_cast<std::size_t>(j * (columns + 1) + i);
      const auto below = at + static_cast<std::size_t>(columns) + 1;
      regions.all.push_back(
          {"", {{corners[at], corners[at + 1], corners[below + 1], corners[below]}}, {}});
    }
  }
  return regions;
}

// Counts that differ by 1000 to 1 from one polygon to the next.
std::vector<std::int64_t> counts_of(std::size_t size, double most) {
  Random random(6, Stream::tests);
  std::vector<std::int64_t> counts;
  for (std::size_t k = 0; k < size; ++k) {
    counts.push_back(std::llround(most * std::pow(1e-3, random.uniform())));
  }
  return counts;
}

// Winding by angles, which shares nothing with the library; for polygons that do not cross
// themselves.
bool is_inside(const std::vector<Vec2>& ring, Vec2 p) {
  double turns = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i] - p;
    const Vec2 b = ring[(i + 1) % ring.size()] - p;
    turns += std::atan2(a.x * b.y - a.y * b.x, dot(a, b));
  }
  return std::abs(turns) > 3;
}

void expect_counts(const Points& points, const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> found(counts.size());
  for (const std::int32_t k : points.region) ++found[static_cast<std::size_t>(k)];
  EXPECT_EQ(found, counts);
}

// Compares all pairs in a grid whose cells are as wide as the largest r.
void expect_means(const Points& points) {
  double cell = 0;
  for (const float r : points.radius) cell = std::max(cell, static_cast<double>(r));
  std::map<std::pair<int, int>, std::vector<std::size_t>> grid;
  const auto key = [&](std::size_t i) {
    return std::pair{static_cast<int>(std::floor(points.x[i] / cell)),
                     static_cast<int>(std::floor(points.y[i] / cell))};
  };
  for (std::size_t i = 0; i < points.size(); ++i) grid[key(i)].push_back(i);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_GT(points.radius[i], 0);
    const auto [x, y] = key(i);
    for (int k = 0; k < 9; ++k) {
      for (const std::size_t j : grid[{x + k % 3 - 1, y + k / 3 - 1}]) {
        if (j <= i) continue;
        const double mean =
            0.5 * (static_cast<double>(points.radius[i]) + static_cast<double>(points.radius[j]));
        ASSERT_GE(length(points[j] - points[i]), mean) << i << " " << j;
      }
    }
  }
}

TEST(RegionPoints, HaveExactCountsIn3000PolygonsAndKeepDistancesAcrossBorders) {
  Context context;
  const Regions regions = map_of(60, 50);
  const std::vector<std::int64_t> counts = counts_of(regions.all.size(), 100);
  const Points points = sample(in_regions(regions, counts), 0.0, {.certify = true}, context);
  expect_counts(points, counts);
  expect_means(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto k = static_cast<std::size_t>(points.region[i]);
    ASSERT_TRUE(is_inside(regions.all[k].rings[0], points[i]));
  }
}

TEST(RegionPoints, AreEvenlySpreadInEachPolygon) {
  // A maximal set of 100 points in a unit square has r near 0.0835; a free border adds some.
  Context context;
  Regions regions;
  regions.all = {{"", {rectangle(0, 0, 1, 1)}, {}}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    context.seed = seed;
    const Points points = sample(in_regions(regions, {100}), 0.0, {}, context);
    EXPECT_GT(points.radius[0], 0.074f);
    EXPECT_LT(points.radius[0], 0.1f);
  }
}

TEST(RegionPoints, DoNotDependOnThreads) {
  const Regions regions = map_of(12, 9);
  const std::vector<std::int64_t> counts = counts_of(regions.all.size(), 300);
  Points first;
  for (const int threads : {1, 2, 7}) {
    Context context;
    context.threads = threads;
    const Points points = sample(in_regions(regions, counts), 0.0, {}, context);
    if (threads == 1) first = points;
    EXPECT_EQ(points.x, first.x);
    EXPECT_EQ(points.y, first.y);
    EXPECT_EQ(points.radius, first.radius);
  }
}

TEST(RegionPoints, LeaveHolesEmptyAndFillIslands) {
  Context context;
  Regions regions;
  regions.all = {
      {"ring", {rectangle(0, 0, 10, 10), rectangle(2, 2, 8, 8), rectangle(4, 4, 6, 6)}, {}}};
  const Points points = sample(in_regions(regions), 0.3, {.certify = true}, context);
  int on_island = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double away = std::max(std::abs(points.x[i] - 5), std::abs(points.y[i] - 5));
    ASSERT_TRUE(away <= 1 || (away >= 3 && away <= 5)) << points.x[i] << " " << points.y[i];
    on_island += away <= 1 ? 1 : 0;
  }
  EXPECT_GT(on_island, 30);
  expect_means(points);
}

TEST(RegionPoints, OfOneRadiusLeaveNoRoom) {
  Context context;
  const Regions regions = map_of(6, 5);
  Points points = sample(in_regions(regions), 0.2, {.certify = true}, context);
  Random random(3, Stream::tests);
  for (int i = 0; i < 20000; ++i) {
    const Vec2 p{7 * random.uniform() - 1000.2, 6 * random.uniform() - 0.2};
    bool is_in = false;
    for (const Region& region : regions.all) is_in = is_in || is_inside(region.rings[0], p);
    if (!is_in) continue;
    double nearest = 1;
    for (std::size_t k = 0; k < points.size(); ++k) {
      nearest = std::min(nearest, length(points[k] - p));
    }
    ASSERT_LT(nearest, 0.20001);
  }
  // Damaged sets fail the proof.
  const Points whole = points;
  points.x[7] = points.x[8];
  points.y[7] = points.y[8] + 0.1;
  EXPECT_GT(certify(points, context).violations, 0);
  points = whole;
  points.region[7] = 29;
  EXPECT_EQ(certify(points, context).outside, 1);
  points = whole;
  for (auto* const column : {&points.x, &points.y}) column->pop_back();
  points.radius.pop_back();
  points.region.pop_back();
  EXPECT_GT(certify(points, context).holes, 0);
}

TEST(RegionPoints, FitPolygonsNarrowerThanTheirSpacing) {
  Context context;
  Regions regions;
  regions.all = {{"field", {rectangle(0, 0, 100, 100)}, {}},
                 {"canal", {rectangle(0, 100, 100, 100.01)}, {}},
                 {"town", {rectangle(0, 100.01, 100, 200)}, {}},
                 {"hamlet", {rectangle(100, 100, 101, 101)}, {}}};
  const std::vector<std::int64_t> counts{9000, 40, 6, 50};
  const Points points = sample(in_regions(regions, counts), 0.0, {.certify = true}, context);
  expect_counts(points, counts);
  expect_means(points);
}

TEST(RegionPoints, ShareACountByArea) {
  Context context;
  Regions regions;
  regions.all = {{"", {rectangle(0, 0, 30, 10)}, {}}, {"", {rectangle(40, 0, 50, 10)}, {}}};
  const Points points = sample(in_regions(regions), 0.0, {.count = 401, .certify = true}, context);
  expect_counts(points, {301, 100});
}

TEST(RegionPoints, MayOverlapAndCrossThemselves) {
  Context context;
  Regions regions;
  regions.all = {{"", {rectangle(0, 0, 10, 10)}, {}},
                 {"", {{{2, 2}, {8, 8}, {8, 2}, {2, 8}}}, {}}};  // a bow tie
  const Points points = sample(in_regions(regions, {200, 60}), 0.0, {.certify = true}, context);
  expect_counts(points, {200, 60});
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.region[i] == 0) continue;
    ASSERT_LT(std::abs(points.y[i] - 5), std::abs(points.x[i] - 5) + 1e-9);
  }
}

TEST(RegionPoints, CountFixedPointsInTheirPolygon) {
  Context context;
  Regions regions;
  regions.all = {{"a", {rectangle(0, 0, 10, 10)}, {}}, {"b", {rectangle(10, 0, 20, 10)}, {}}};
  auto trees = std::make_shared<Points>();
  trees->domain = {20, 10};
  trees->add({9.9, 5}, 3);
  trees->add({15, 5}, 0);
  SampleOptions options{.certify = true};
  options.keep.points = trees;
  Points points = sample(in_regions(regions, {50, 80}), 0.0, options, context);
  EXPECT_EQ(points.fixed, 2u);
  EXPECT_EQ(points[0], (Vec2{9.9, 5}));
  expect_counts(points, {50, 80});
  expect_means(points);
  options.only_new = true;
  expect_counts(sample(in_regions(regions, {50, 80}), 0.0, options, context), {50, 80});
  options.only_new = false;
  EXPECT_THROW(sample(in_regions(regions, {0, 80}), 0.0, options, context), Error);
  trees->add({15, 10}, 1);
  EXPECT_THROW(sample(in_regions(regions, {50, 80}), 0.0, options, context), Error);
}

TEST(RegionPoints, InOrderAreWellSpacedFromTheFirst) {
  Context context;
  const Regions regions = map_of(3, 3);
  const Points points = sample(in_regions(regions, std::vector<std::int64_t>(9, 100)), 0.0,
                               {.progressive = true}, context);
  ASSERT_EQ(points.rank.size(), 900u);
  double nearest = 10;
  for (std::size_t i = 0; i < 90; ++i) {
    EXPECT_EQ(points.rank[i], static_cast<std::int32_t>(i));
    for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, length(points[j] - points[i]));
  }
  EXPECT_GT(nearest, 0.18);  // 90 points of a hexagonal lattice in this area are 0.34 apart
}

TEST(RegionPoints, RefuseWhatTheyCannotBe) {
  Context context;
  Regions regions;
  EXPECT_THROW(sample(in_regions(regions), 1.0, {}, context), Error);
  regions.all = {{"flat", {{{0, 0}, {1, 0}, {2, 0}}}, {}}};
  EXPECT_THROW(sample(in_regions(regions, {3}), 0.0, {}, context), Error);
  regions.all = {{"", {rectangle(0, 0, 1, 1)}, {}}};
  EXPECT_THROW(sample(in_regions(regions), 0.0, {}, context), Error);
  EXPECT_THROW(sample(in_regions(regions, {1, 2}), 0.0, {}, context), Error);
  EXPECT_THROW(sample(in_regions(regions), 0.1, {.method = SampleMethod::bridson}, context), Error);
  EXPECT_THROW(sample(in_regions(regions), 0.1, {.conflict = ConflictRule::min}, context), Error);
  regions.all[0].rings[0][1].x = NAN;
  EXPECT_THROW(sample(in_regions(regions), 0.1, {}, context), Error);
}

}  // namespace
}  // namespace dapple
