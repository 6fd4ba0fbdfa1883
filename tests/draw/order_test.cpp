// The way through dots: what it may not go below, and what is reached.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "analyze/way_bound.hpp"
#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

double uniform(std::uint64_t i) {
  return to_unit(Random(7, Stream::stipple).at(i));
}

Points scattered(std::size_t n, std::uint64_t seed) {
  Points points;
  points.domain = {100, 100, false};
  for (std::size_t i = 0; i < n; ++i) {
    points.add({100 * uniform(seed * 1000003 + 2 * i), 100 * uniform(seed * 1000003 + 2 * i + 1)},
               1);
  }
  return points;
}

// Clusters of more dots than a list of neighbors holds.
Points clustered(std::size_t n, std::uint64_t seed) {
  Points points = scattered(n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    points.x[i] = 10 + 30 * static_cast<double>(i % 3) + 0.01 * points.x[i];
    points.y[i] = 50 + 0.01 * points.y[i];
  }
  return points;
}

double way(const Points& points, const std::vector<std::int32_t>& order) {
  double total = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    total += length(points[static_cast<std::size_t>(order[i])] -
                    points[static_cast<std::size_t>(order[i - 1])]);
  }
  return total;
}

// The shortest way of all, by dynamic programming over sets (Held and Karp 1962).
double shortest_way(const Points& points) {
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
double plain_tree(const Points& points, const std::vector<double>& penalties) {
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
      const Points points = clusters ? clustered(n, n) : scattered(n, n);
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
      const Points points = clusters ? clustered(n, seed) : scattered(n, seed);
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
  // On a line the way is its length; clusters there are joined by what no list of neighbors holds.
  Points line;
  line.domain = {1000, 10, false};
  for (int i = 0; i < 120; ++i) line.add({100.0 * (i % 4) + 0.01 * i, 5}, 1);
  EXPECT_NEAR(way_bound(line, context), 300 + 0.01 * 119, 1e-9);
  // Square lattices: one step a dot.
  Points lattice;
  lattice.domain = {40, 40, false};
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) lattice.add({0.5 + x, 0.5 + y}, 1);
  }
  EXPECT_NEAR(way_bound(lattice, context), 1599, 1e-9);
  EXPECT_LT(way(lattice, drawing_order(lattice, DotOrder::travel, context)), 1.02 * 1599);
  for (std::size_t n = 0; n < 5; ++n) {
    Points same;
    same.domain = {10, 10, false};
    for (std::size_t i = 0; i < n; ++i) same.add({5, 5}, 1);
    EXPECT_NEAR(way_bound(same, context), 0, 1e-9);
  }
}

TEST(DrawingOrder, IsNearTheBoundForAnyThreads) {
  // In several stretches, with tight clusters among them.
  Points points = scattered(30000, 3);
  const Points tight = clustered(3000, 4);
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
  EXPECT_LT(way(points, order), 1.075 * bound);
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));
}

TEST(DrawingOrder, ReportsSayTheWayOfEachInk) {
  Points dots;
  dots.domain = {8, 8, false};
  Plane<float> darkness(8, 8, 0.5f);
  // Two inks in turns: 3 steps of 2 down, each in its own column.
  for (int i = 0; i < 4; ++i) {
    dots.add({1, 1.0 + 2 * i}, 1);
    dots.add({7, 1.0 + 2 * i}, 1);
    dots.class_id.insert(dots.class_id.end(), {0, 1});
  }
  Context context;
  const QualityReport report = analyze_stippling(dots, darkness, context);
  EXPECT_NEAR(report.find("way")->value, 12, 1e-9);
  EXPECT_NEAR(report.find("bound")->value, 12, 1e-9);
  EXPECT_NEAR(report.find("above")->value, 0, 1e-6);
  dots.class_id.clear();
  const QualityReport plain = analyze_stippling(dots, darkness, context);
  EXPECT_GT(plain.find("way")->value, 40);
  EXPECT_GT(plain.find("above")->value, 50);
}

// ---- one line through the dots ------------------------------------------------------------------

Image tones() {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(160, 120);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      image.channels[0](x, y) = static_cast<float>(0.15 + 0.8 * x / 160);
    }
  }
  return image;
}

PictureOptions as_tone() {
  PictureOptions field;
  field.as = MapKind::tone;
  return field;
}

bool cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto side = [](Vec2 p, Vec2 q, Vec2 r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

TEST(OneLine, GoesThroughAllDotsAndNeverCrossesItself) {
  StippleOptions options;
  options.path = DotPath::tsp;
  options.dots = 3000;
  for (const StippleMethod method : {StippleMethod::kernel, StippleMethod::poisson}) {
    options.method = method;
    Context context;
    const Stippling made = stipple(tones(), as_tone(), options, context);
    ASSERT_EQ(made.drawing.layers.size(), 1u);
    EXPECT_TRUE(made.drawing.layers[0].discs.empty());
    ASSERT_EQ(made.drawing.layers[0].lines.size(), 1u);
    const Polyline& line = made.drawing.layers[0].lines[0];
    ASSERT_EQ(line.points.size(), 3000u);
    ASSERT_EQ(made.dots.size(), 3000u);
    const double scale = made.drawing.width / 160;
    for (std::size_t i = 0; i < 3000; ++i) {
      EXPECT_NEAR(line.points[i].x, made.dots.x[i] * scale, 1e-9);
      EXPECT_NEAR(line.points[i].y, made.dots.y[i] * scale, 1e-9);
    }
    for (std::size_t i = 1; i < 3000; ++i) {
      for (std::size_t j = i + 2; j < 3000; ++j) {
        ASSERT_FALSE(cross(line.points[i - 1], line.points[i], line.points[j - 1], line.points[j]))
            << i << " " << j;
      }
    }
  }
}

// Darkness of the picture, and of the drawing by columns.
TEST(OneLine, HasTheInkOfThePicture) {
  PictureOptions field = as_tone();
  Context context;
  const Plane<float> darkness = target_density(tones(), field, context);
  const double total = std::accumulate(darkness.values().begin(), darkness.values().end(), 0.0);
  StippleOptions options;
  options.path = DotPath::tsp;
  options.dots = 4000;
  Stippling made = stipple(tones(), field, options, context);
  const auto ink = [](const Drawing& drawing) {
    const Polyline& line = drawing.layers[0].lines[0];
    double way = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      way += length(line.points[i] - line.points[i - 1]);
    }
    return way * line.width;
  };
  const double area = std::pow(made.drawing.width / 160, 2);
  EXPECT_NEAR(ink(made.drawing), total * area, 1e-6 * total * area);
  const Image picture = rasterize(made.drawing, 1280, 960, context);
  // Quarters across: right from 0.1 to 0.9 darkness, the line's overlaps with itself apart.
  for (int q = 0; q < 4; ++q) {
    double asked = 0;
    double got = 0;
    for (int y = 0; y < 120; ++y) {
      for (int x = 40 * q; x < 40 * q + 40; ++x) asked += static_cast<double>(darkness(x, y));
    }
    for (int y = 0; y < 960; ++y) {
      for (int x = 320 * q; x < 320 * q + 320; ++x) {
        const auto v = static_cast<double>(picture.channels[0](x, y));
        got += 1 - (v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
      }
    }
    EXPECT_NEAR(got / (320 * 960), asked / (40 * 120), 0.035) << q;
  }
  // A pen sets the number of dots instead.
  options.dots = 0;
  options.pen = {0.5, Unit::px};
  made = stipple(tones(), field, options, context);
  EXPECT_TRUE(context.warnings().empty());
  EXPECT_NEAR(made.drawing.layers[0].lines[0].width, 0.5 * std::sqrt(area), 1e-9);
  EXPECT_NEAR(ink(made.drawing) / (total * area), 1, 0.05);
  options.dots = 100;
  made = stipple(tones(), field, options, context);
  EXPECT_LT(made.ink, 0.9);
  EXPECT_EQ(made.dots.size(), 100u);
  options.dot_size = {{2, Unit::px}, {2, Unit::px}};
  EXPECT_THROW(stipple(tones(), field, options, context), Error);
  options.dot_size = {};
  options.dots = 1;
  EXPECT_EQ(stipple(tones(), field, options, context).drawing.layers[0].lines.size(), 1u);
}

TEST(DrawingOrder, ShortensTheWay) {
  StippleOptions options;
  options.dots = 4000;
  options.order = DotOrder::none;
  Context context;
  const Points dots = stipple(test::scene(), test::tone_field(), options, context).dots;
  std::vector<double> ways;
  for (const DotOrder order : {DotOrder::none, DotOrder::hilbert, DotOrder::travel}) {
    std::vector<std::int32_t> ranks = drawing_order(dots, order, context);
    ways.push_back(way(dots, ranks));
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      ASSERT_EQ(ranks[i], static_cast<std::int32_t>(i));
    }
  }
  EXPECT_LT(ways[2], 0.94 * ways[1]);
  // No order can be shorter than a step to the nearest neighbor from every dot.
  double bound = 0;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    double nearest = 1e9;
    for (std::size_t j = 0; j < dots.size(); ++j) {
      if (i != j) nearest = std::min(nearest, length(dots[i] - dots[j]));
    }
    bound += nearest;
  }
  EXPECT_GT(ways[2], 0.99 * bound);
  EXPECT_LT(ways[2], 1.25 * bound);
}

TEST(DrawingOrder, LongWaysInStretchesAndTinySets) {
  Points many;
  many.domain = {1000, 1000, true};  // a torus: the pen does not wrap
  for (int i = 0; i < 40000; ++i) {
    many.add({std::fmod(i * 618.0339887, 1000.0), std::fmod(i * 0.0249, 1000.0)}, 1);
  }
  Context one;
  one.threads = 1;
  Context several;
  several.threads = 7;
  const std::vector<std::int32_t> order = drawing_order(many, DotOrder::travel, one);
  EXPECT_EQ(drawing_order(many, DotOrder::travel, several), order);
  EXPECT_LT(way(many, order), 0.92 * way(many, drawing_order(many, DotOrder::hilbert, one)));
  for (std::size_t n = 0; n < 6; ++n) {
    Points few;
    few.domain = {10, 10, false};
    for (std::size_t i = 0; i < n; ++i) few.add({5, 5}, 1);  // all in one place
    EXPECT_EQ(drawing_order(few, DotOrder::travel, one).size(), n);
  }
}

}  // namespace
}  // namespace dapple
