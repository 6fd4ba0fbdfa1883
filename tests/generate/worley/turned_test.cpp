// Cells at an angle to the picture: distances, borders, and where their sites are.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/worley.hpp"

namespace dapple {
namespace {

constexpr int width = 96;
constexpr int height = 64;

Points random_sites(int count, bool wrap) {
  Points sites;
  sites.domain = {width, height, wrap};
  Random random(7, Stream::tests);
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform() * width;
    const double y = random.uniform() * height;
    sites.add({x, y}, 1);
  }
  return sites;
}

struct Shape {
  double stretch, angle;

  // Along the cells and across them, as distances across count.
  Vec2 operator()(Vec2 way) const {
    const double turn = angle * std::numbers::pi / 180;
    const double along = way.x * std::cos(turn) - way.y * std::sin(turn);
    const double across = way.x * std::sin(turn) + way.y * std::cos(turn);
    return {along / std::max(stretch, 1.0), across * std::min(stretch, 1.0)};
  }
};

double measured(Vec2 way, const Metric& metric) {
  if (metric.kind == Metric::manhattan) return std::abs(way.x) + std::abs(way.y);
  if (metric.kind == Metric::chebyshev) return std::max(std::abs(way.x), std::abs(way.y));
  return length(way);
}

// Distances to all images of all sites that may matter, in order, with the sites. `reach`: how many
// periods away one may be.
std::vector<std::pair<double, int>> distances(const Points& sites, Vec2 at, const Shape& shape,
                                              const Metric& metric, int reach = 8) {
  const int periods = sites.domain.wrap ? reach : 0;
  std::vector<std::pair<double, int>> found;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (int v = -periods; v <= periods; ++v) {
      for (int u = -periods; u <= periods; ++u) {
        const Vec2 image = sites[i] + Vec2{1.0 * u * width, 1.0 * v * height};
        found.emplace_back(measured(shape(image - at), metric), static_cast<int>(i));
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void expect_distances(int count, bool wrap, const Shape& shape, const Metric& metric) {
  const Points sites = random_sites(count, wrap);
  WorleyOptions options;
  options.outputs = {"f1", "f2", "id"};
  options.stretch = shape.stretch;
  options.angle = shape.angle;
  options.metric = metric;
  Context context;
  const Image image = worley(sites, width, height, options, context);
  int told = 0;
  for (int y = 0; y < height; y += 3) {
    for (int x = 0; x < width; x += 3) {
      const auto found = distances(sites, {x + 0.5, y + 0.5}, shape, metric);
      // Between centers of a raster distances are interpolated.
      ASSERT_NEAR(image.channels[0](x, y), found[0].first, 0.75) << x << " " << y;
      ASSERT_NEAR(image.channels[1](x, y), found[1].first, 0.75) << x << " " << y;
      if (found[1].first - found[0].first < 2.1) continue;
      ASSERT_EQ(image.channels[2](x, y), static_cast<float>(found[0].second)) << x << " " << y;
      ++told;
    }
  }
  EXPECT_GT(told, 100);
}

TEST(WorleyTurned, DistancesAreThoseOfAllImages) {
  for (const bool wrap : {true, false}) {
    expect_distances(20, wrap, {3, 30}, {});
    expect_distances(12, wrap, {1 / 2.5, -70}, {});
    expect_distances(20, wrap, {1, 45}, Metric::manhattan);
    expect_distances(20, wrap, {2, 20}, Metric::chebyshev);
  }
  // So few that cells reach round the torus more than once.
  expect_distances(3, true, {8, 25}, {});
}

TEST(WorleyTurned, RightAnglesAreStretchesOfTheOtherSide) {
  const Points sites = random_sites(20, true);
  WorleyOptions options;
  options.outputs = {"f1", "edge"};
  options.stretch = 2.5;
  options.angle = 90;
  Context context;
  const Image turned = worley(sites, width, height, options, context);
  options.stretch = 1 / 2.5;
  options.angle = 0;
  const Image straight = worley(sites, width, height, options, context);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < turned.channels[c].size(); ++i) {
      ASSERT_NEAR(turned.channels[c].values()[i], straight.channels[c].values()[i], 0.7);
    }
  }
  options.angle = 180;
  EXPECT_EQ(worley(sites, width, height, options, context).channels, straight.channels);
}

TEST(WorleyTurned, BordersFollowTheCells) {
  const Points sites = random_sites(14, true);
  WorleyOptions options;
  options.outputs = {"edge", "id"};
  options.stretch = 2;
  options.angle = 35;
  Context context;
  const Image image = worley(sites, width, height, options, context);
  for (int y = 0; y < height; y += 3) {
    for (int x = 0; x < width; x += 3) {
      double nearest = 1e9;
      for (int v = 0; v < height; ++v) {
        for (int u = 0; u < width; ++u) {
          if (image.channels[1](u, v) == image.channels[1](x, y)) continue;
          const Vec2 d = sites.domain.delta({x + 0.5, y + 0.5}, {u + 0.5, v + 0.5});
          nearest = std::min(nearest, length(d));
        }
      }
      ASSERT_LE(image.channels[0](x, y), nearest + 0.7);
      ASSERT_GE(image.channels[0](x, y), nearest - 1.7);
    }
  }
}

Points placed(const SiteOptions& options, std::int64_t count, double radius, std::uint64_t seed) {
  FieldOptions field;
  field.count = count;
  if (radius > 0) from_text(shortest(radius), field.radius);
  Context context;
  context.seed = seed;
  return worley_sites(options, field, context);
}

TEST(WorleyTurned, SitesAreSpacedAndLeaveNoRoom) {
  SiteOptions options;
  options.size = {width, height};
  for (const double stretch : {3.0, 0.4}) {
    for (const double angle : {30.0, -77.0}) {
      options.stretch = stretch;
      options.angle = angle;
      const double radius = 6;  // and a stretch of 3: no neighbor is a period away
      const Points sites = placed(options, 0, radius, 3);
      ASSERT_GT(sites.size(), 20u);
      // Where cells are round.
      const Shape shape{stretch, angle};
      const double scale = std::max(stretch, 1 / stretch);
      for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto found = distances(sites, sites[i], shape, {}, 1);
        ASSERT_GE(scale * found[1].first, radius - 1e-6);
      }
      for (double y = 0.5; y < height; y += 2) {
        for (double x = 0.5; x < width; x += 2) {
          ASSERT_LE(scale * distances(sites, {x, y}, shape, {}, 1)[0].first, radius + 1e-6);
        }
      }
    }
  }
}

TEST(WorleyTurned, SitesAreAsManyAsAskedFor) {
  SiteOptions options;
  options.size = {width, height};
  options.stretch = 2;
  options.angle = 40;
  for (const std::int64_t count : {1, 2, 7, 64, 1000, 5000}) {
    const Points sites = placed(options, count, 0, 5);
    EXPECT_EQ(sites.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < sites.size(); ++i) ASSERT_TRUE(sites.domain.contains(sites[i]));
  }
  EXPECT_NE(placed(options, 64, 0, 5).x, placed(options, 64, 0, 6).x);
}

TEST(WorleyTurned, RowsTile) {
  SiteOptions options;
  options.size = {width, height};
  options.stretch = 2;
  options.angle = 30;
  options.randomness = 0;
  options.row_offset = 0.5;
  const Points sites = placed(options, 200, 0, 1);
  EXPECT_NEAR(static_cast<double>(sites.size()), 200, 25);
  // From each site the way to the next one in the row, and that to the rows beside, are the same.
  const Shape shape{1, 30};
  const double side = std::sqrt(1.0 * width * height / static_cast<double>(sites.size()) / 2);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    double next = 1e9, beside = 1e9;
    for (std::size_t j = 0; j < sites.size(); ++j) {
      if (j == i) continue;
      const Vec2 way = shape(sites.domain.delta(sites[i], sites[j]));
      next = std::min(next, length(way - Vec2{2 * side, 0}));
      beside = std::min(beside, length(way - Vec2{side, side}));
    }
    ASSERT_LT(next, 0.2 * side) << i;
    ASSERT_LT(beside, 0.2 * side) << i;
  }
}

TEST(WorleyTurned, ThreadsDoNotMatter) {
  WorleyOptions options;
  options.outputs = {"f1", "f3", "id", "edge", "height"};
  options.stretch = 3;
  options.angle = -20;
  from_text("4", options.smooth);
  std::vector<Image> images;
  for (const int threads : {1, 2, 5}) {
    Context context;
    context.threads = threads;
    images.push_back(worley(random_sites(40, true), width, height, options, context));
  }
  EXPECT_EQ(images[1].channels, images[0].channels);
  EXPECT_EQ(images[2].channels, images[0].channels);
}

TEST(WorleyTurned, VolumesAndOtherSamplersAreRefused) {
  SiteOptions options;
  options.size = {width, height};
  options.stretch = 2;
  options.angle = 40;
  options.method = SampleMethod::dense;
  EXPECT_THROW(placed(options, 50, 0, 1), Error);
  WorleyOptions texture;
  texture.stretch = 2;
  texture.angle = 40;
  texture.power = 1;
  Context context;
  EXPECT_THROW(worley(random_sites(9, true), width, height, texture, context), Error);
}

}  // namespace
}  // namespace dapple
