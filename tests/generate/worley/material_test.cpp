// Outputs of surfaces, cells of other shapes, and levels of single outputs.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/worley.hpp"

namespace dapple {
namespace {

constexpr int width = 96;
constexpr int height = 64;

Points random_sites(int count, bool wrap = true) {
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

// Bricks of 24x16, every second row moved on by half of one.
Points bricks(double stretch) {
  SiteOptions options;
  options.size = {width, height};
  options.randomness = 0;
  options.row_offset = 0.5;
  options.stretch = stretch;
  FieldOptions field;
  field.count = 16;
  Context context;
  return worley_sites(options, field, context);
}

Image make(const Points& sites, const WorleyOptions& options) {
  Context context;
  return worley(sites, width, height, options, context);
}

TEST(WorleyLattice, RowsAreMovedOn) {
  const Points sites = bricks(1.5);
  ASSERT_EQ(sites.size(), 16u);
  for (int i = 0; i < 16; ++i) {
    const int row = i / 4;
    const double x = std::fmod(24 * (i % 4) + 12 + (row % 2 == 0 ? 0 : 12), 96.0);
    EXPECT_NEAR(sites.x[static_cast<std::size_t>(i)], x, 1e-9);
    EXPECT_NEAR(sites.y[static_cast<std::size_t>(i)], 16 * row + 8, 1e-9);
  }
}

TEST(WorleyLattice, RandomnessIsHowFarSitesGo) {
  SiteOptions options;
  options.size = {width, height};
  FieldOptions field;
  field.count = 96;  // cells of 8x8
  for (const double randomness : {0.0, 0.4, 1.0}) {
    options.randomness = randomness;
    Context context;
    const Points sites = worley_sites(options, field, context);
    ASSERT_EQ(sites.size(), 96u);
    double farthest = 0;
    for (std::size_t i = 0; i < 96; ++i) {
      const double x = 8 * static_cast<double>(i % 12) + 4;
      const double y = 8 * static_cast<double>(i / 12) + 4;
      farthest = std::max({farthest, std::abs(sites.x[i] - x), std::abs(sites.y[i] - y)});
    }
    EXPECT_LE(farthest, 4 * randomness + 1e-9);
    EXPECT_GE(farthest, 3.5 * randomness);
  }
}

TEST(WorleyBorders, OfBricksAreStraightInPixels) {
  WorleyOptions options;
  options.outputs = {"edge"};
  options.metric = Metric::chebyshev;
  options.stretch = 1.5;
  const Image edges = make(bricks(1.5), options);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double shift = y / 16 % 2 == 0 ? 0 : 12;
      const double across = std::fmod(x + 0.5 + shift, 24.0);
      const double down = std::fmod(y + 0.5, 16.0);
      const double wanted = std::min({across, 24 - across, down, 16 - down});
      ASSERT_NEAR(edges.channels[0](x, y), wanted, 0.5) << x << " " << y;
    }
  }
}

TEST(WorleyBorders, FollowTheCellsOfEveryMetric) {
  const Points sites = random_sites(14);
  for (const Metric metric : {Metric(Metric::manhattan), Metric(Metric::chebyshev),
                              Metric(Metric::minkowski, 3), Metric(Metric::euclidean)}) {
    WorleyOptions options;
    options.outputs = {"edge", "id"};
    options.metric = metric;
    const Image image = make(sites, options);
    // To the nearest pixel of another cell it is half a pixel more than to the border, at most one.
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
        ASSERT_LE(image.channels[0](x, y), nearest + 0.5);
        ASSERT_GE(image.channels[0](x, y), nearest - 1.5);
      }
    }
  }
}

TEST(WorleyStretch, DistancesCountLessAlongTheCells) {
  const Points sites = random_sites(20);
  for (const double stretch : {3.0, 1 / 3.0}) {
    WorleyOptions options;
    options.outputs = {"f1", "f2", "id"};
    options.stretch = stretch;
    const Image image = make(sites, options);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        std::vector<std::pair<double, int>> found;
        for (std::size_t i = 0; i < sites.size(); ++i) {
          Vec2 d = sites.domain.delta({x + 0.5, y + 0.5}, sites[i]);
          (stretch > 1 ? d.x : d.y) /= 3;
          found.emplace_back(length(d), static_cast<int>(i));
        }
        std::sort(found.begin(), found.end());
        ASSERT_NEAR(image.channels[0](x, y), found[0].first, 0.3);
        ASSERT_NEAR(image.channels[1](x, y), found[1].first, 0.3);
        if (found[1].first - found[0].first < 0.6) continue;
        ASSERT_EQ(image.channels[2](x, y), static_cast<float>(found[0].second));
      }
    }
  }
}

TEST(WorleySurface, CurvatureIsAboveZeroOnTopsAndBelowInCreases) {
  Points sites;
  sites.domain = {width, height, false};
  sites.add({24.5, 32.5}, 1);
  sites.add({72.5, 32.5}, 1);
  WorleyOptions options;  // two cones
  options.outputs = {"curvature"};
  const Plane<float> curvature = make(sites, options).channels[0];
  EXPECT_GT(curvature(24, 32), 0.3f);
  EXPECT_LT(curvature(48, 32), -0.3f);
  EXPECT_NEAR(curvature(36, 32), 0, 0.1);
  for (const float value : curvature.values()) ASSERT_LE(std::abs(value), 1);
}

TEST(WorleySurface, RoughnessGoesFromTopsToCreases) {
  const Points sites = random_sites(12);
  WorleyOptions options;
  options.outputs = {"height", "roughness"};
  options.surface = 0.2;
  options.creases = 0.7;
  options.surface_variation = 0;
  const Image image = make(sites, options);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    ASSERT_NEAR(image.channels[1].values()[i], 0.7 - 0.5 * image.channels[0].values()[i], 1e-5);
  }
  options.surface_variation = 0.3;
  options.outputs = {"roughness", "id", "random", "random2"};
  const Image varied = make(sites, options);
  EXPECT_NE(varied.channels[0], image.channels[1]);
  EXPECT_NE(varied.channels[2], varied.channels[3]);
}

TEST(WorleyRank, CellsOfLikeNumbersLieFarApart) {
  SiteOptions sites;
  sites.size = {width, height};
  FieldOptions field;
  field.count = 200;
  Context context;
  const Points points = worley_sites(sites, field, context);
  WorleyOptions options;
  options.outputs = {"rank", "random", "id"};
  const Image image = make(points, options);
  std::vector<double> rank(points.size(), -1), random(points.size(), -1);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    const auto id = static_cast<std::size_t>(image.channels[2].values()[i]);
    rank[id] = image.channels[0].values()[i];
    random[id] = image.channels[1].values()[i];
  }
  std::vector<double> sorted = rank;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    EXPECT_NEAR(sorted[k], (static_cast<double>(k) + 0.5) / 200, 1e-6);
  }
  // The mean over a neighborhood: of numbers by chance it scatters from place to place.
  const auto scatter = [&](const std::vector<double>& numbers) {
    double sum = 0;
    for (int k = 0; k < 64; ++k) {
      const int row = k / 8;
      const Vec2 at{(k % 8 + 0.5) * width / 8, (row + 0.5) * height / 8};
      double weights = 0, mean = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double weight = std::exp(-length_squared(points.domain.delta(at, points[i])) / 100);
        weights += weight;
        mean += weight * numbers[i];
      }
      sum += (mean / weights - 0.5) * (mean / weights - 0.5);
    }
    return std::sqrt(sum / 64);
  };
  EXPECT_LT(scatter(rank), 0.6 * scatter(random));
  options.frames = 4;
  EXPECT_THROW(make(points, options), Error);
}

TEST(WorleySurface, ThreadsDoNotMatter) {
  WorleyOptions options;
  options.outputs = {"edge", "roughness", "curvature", "normal", "occlusion", "f1"};
  options.metric = Metric::manhattan;
  options.height_of = HeightOf::edge;
  options.stretch = 2;
  from_text("9", options.height_scale);
  std::vector<Image> images;
  for (const int threads : {1, 2, 5}) {
    Context context;
    context.threads = threads;
    images.push_back(worley(random_sites(40), width, height, options, context));
  }
  EXPECT_EQ(images[1].channels, images[0].channels);
  EXPECT_EQ(images[2].channels, images[0].channels);
}

TEST(WorleyLevels, OfSingleOutputs) {
  OutputLevels levels;
  for (const char* text : {"2:6", "height=0.2:1", "10%:90%,f1=2:9,edge=0:4", ""}) {
    from_text(text, levels);
    OutputLevels again;
    from_text(to_text(levels), again);
    EXPECT_EQ(again, levels) << text;
  }
  EXPECT_THROW(from_text("1:2,3:4", levels), Error);
  EXPECT_THROW(from_text("f1=1:2,f1=3:4", levels), Error);
  WorleyOptions options;
  options.outputs = {"f1", "2*f1-0.5f2", "id"};
  const Image raw = make(random_sites(20), options);
  WorleyLook look;
  from_text("f1=2:6,2*f1-0.5f2=0:3", look.levels);
  const Image graded = normalized(raw, look);
  EXPECT_EQ(graded.metadata.at(0).second, "2..6 px");
  EXPECT_EQ(graded.metadata.at(1).second, "0..3 px");
  EXPECT_EQ(graded.metadata.at(2).second, "0..19");
}

}  // namespace
}  // namespace dapple
