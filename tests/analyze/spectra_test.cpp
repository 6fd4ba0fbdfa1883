// What callers may use to measure points by themselves, and to ask for points by a function.
#include "dapple/spectra.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/mask.hpp"
#include "dapple/recipe.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

Points random_points(int count, const Domain& domain, std::uint64_t seed) {
  Random random(seed, Stream::tests);
  Points points;
  points.domain = domain;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform() * domain.width;
    points.add({x, random.uniform() * domain.height}, 0);
  }
  return points;
}

TEST(PairCorrelation, CountsAllPairs) {
  for (const bool wrap : {true, false}) {
    const Domain domain{80, 50, wrap};
    const Points points = random_points(300, domain, 1);
    constexpr double farthest = 20;
    constexpr int bins = 8;
    std::vector<double> pairs(bins, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < points.size(); ++k) {
        double dx = std::abs(points.x[i] - points.x[k]);
        double dy = std::abs(points.y[i] - points.y[k]);
        if (wrap) {
          dx = std::min(dx, domain.width - dx);
          dy = std::min(dy, domain.height - dy);
        }
        const double d = std::hypot(dx, dy);
        if (i == k || d >= farthest) continue;
        const double seen = wrap ? 1 : (1 - dx / domain.width) * (1 - dy / domain.height);
        pairs[static_cast<std::size_t>(d / farthest * bins)] += 1 / seen;
      }
    }
    Context context;
    const PairCorrelation found = pair_correlation(points, farthest, bins, context);
    EXPECT_DOUBLE_EQ(found.width, 2.5);
    ASSERT_EQ(found.g.size(), static_cast<std::size_t>(bins));
    for (std::size_t b = 0; b < found.g.size(); ++b) {
      const double inner = 2.5 * static_cast<double>(b);
      const double ring = std::numbers::pi * ((inner + 2.5) * (inner + 2.5) - inner * inner);
      EXPECT_NEAR(found.g[b], pairs[b] / (300.0 * 299 / domain.area() * ring), 1e-9) << b;
    }
  }
}

TEST(PairCorrelation, OfARandomSetIsOneUpToTheBorder) {
  for (const bool wrap : {true, false}) {
    const Points points = random_points(4000, {100, 60, wrap}, 2);
    Context one;
    one.threads = 1;
    Context seven;
    seven.threads = 7;
    const PairCorrelation found = pair_correlation(points, wrap ? 30 : 50, 10, one);
    for (const double g : found.g) EXPECT_NEAR(g, 1, 0.02) << wrap;
    EXPECT_EQ(found.g, pair_correlation(points, wrap ? 30 : 50, 10, seven).g);
  }
}

TEST(PairCorrelation, HasNoPairsBelowTheRadius) {
  Context context;
  const Domain domain{200, 200, true};
  const Points points = sample(DensityField::constant(domain, 4), {}, 0, context);
  const PairCorrelation found = pair_correlation(points, 20, 40, context);
  for (std::size_t b = 0; b < 8; ++b) EXPECT_EQ(found.g[b], 0) << b;
  EXPECT_GT(found.g[8], 1.5);
}

TEST(PairCorrelation, RefusesWhatItCannotCount) {
  Context context;
  Points points = random_points(10, {20, 30, true}, 3);
  EXPECT_THROW(pair_correlation(points, 10.5, 4, context), Error);
  EXPECT_THROW(pair_correlation(points, 0, 4, context), Error);
  EXPECT_THROW(pair_correlation(points, NAN, 4, context), Error);
  EXPECT_THROW(pair_correlation(points, 5, 0, context), Error);
  EXPECT_THROW(pair_correlation(random_points(1, {20, 30, true}, 3), 5, 4, context), Error);
  points.x[3] = 20;
  EXPECT_THROW(pair_correlation(points, 5, 4, context), Error);
  points.x.pop_back();
  EXPECT_THROW(pair_correlation(points, 5, 4, context), Error);
}

TEST(Spectra, RefuseWhatTheyCannotTransform) {
  Context context;
  Points points = random_points(10, {20, 30, true}, 3);
  EXPECT_TRUE(radial_power(power_spectrum(Points{.domain = {4, 4}}, context)).empty());
  const PowerSpectrum spectrum = power_spectrum(points, context);
  EXPECT_FALSE(radial_power(spectrum).empty());
  EXPECT_THROW(radial_power(spectrum, -1), Error);
  EXPECT_THROW(radial_power(spectrum, 0, 0), Error);
  points.y[2] = NAN;
  EXPECT_THROW(power_spectrum(points, context), Error);
  EXPECT_THROW(power_spectrum(Plane<float>(4, 4, INFINITY), context), Error);
}

TEST(DensityField, IsMadeOfAFunction) {
  const Domain domain{40, 30, false};
  const auto wide = [](Vec2 p) { return p.x < 10 ? -1.0 : 1 + 0.1 * p.x; };
  Context context;
  context.threads = 7;
  const DensityField field =
      DensityField::from_function(wide, domain, 80, 60, std::nullopt, context);
  for (const Vec2 p : {Vec2{12.3, 7.1}, Vec2{39.9, 29.9}, Vec2{10.1, 0.2}}) {
    const Vec2 center = {std::floor(p.x * 2) / 2 + 0.25, std::floor(p.y * 2) / 2 + 0.25};
    EXPECT_FLOAT_EQ(static_cast<float>(field.radius(p)), static_cast<float>(wide(center)));
  }
  EXPECT_EQ(field.radius({9.9, 4}), INFINITY);
  const Points points = sample(field.domain(), field, {}, context);
  EXPECT_GT(points.size(), 50u);
  for (const double x : points.x) EXPECT_GE(x, 10);

  const auto stops = [](Vec2) -> double { throw std::runtime_error("no more"); };
  EXPECT_THROW(DensityField::from_function(stops, domain, 8, 6, {}, context), std::runtime_error);
  EXPECT_THROW(DensityField::from_function(wide, domain, 0, 6, {}, context), Error);
  EXPECT_THROW(DensityField::from_function([](Vec2) { return 0.0; }, domain, 8, 6, {}, context),
               Error);
}

// Points at random have power 1 at every frequency; a point at random in each cell of a grid leaves
// power that grows as the square of low frequencies (Gabrielli, Joyce and Sylos Labini 2002).
TEST(PointFigures, ExponentOfHyperuniformSets) {
  const auto exponent = [](const Points& points) {
    Context context;
    const QualityReport report = analyze_points(points, context);
    const Measurement* const found = report.find("exponent");
    return found == nullptr ? -1 : found->value;
  };
  EXPECT_NEAR(exponent(random_points(6400, {80, 80, true}, 5)), 0, 0.15);
  Random random(3, Stream::tests);
  Points jittered;
  jittered.domain = {80, 80, true};
  for (int i = 0; i < 6400; ++i) {
    const double x = i % 80 + random.uniform();
    jittered.add({x, i / 80 + random.uniform()}, 0);
  }
  EXPECT_NEAR(exponent(jittered), 2, 0.2);
  EXPECT_EQ(exponent(random_points(30, {80, 80, true}, 5)), -1);  // too few rings
}

// A frozen pattern changes only where the gradient passes a threshold: in 1/4096 of the pixels.
// White noise changes in 2 g (1 - g) of them, whose mean is 0.115. A Gaussian of a pixel leaves
// 1/(4 pi) of the power.
TEST(MaskFigures, CrawlOfFrames) {
  const auto crawl = [](bool frozen) {
    constexpr int side = 64;
    constexpr int frames = 8;
    Random random(4, Stream::tests);
    Image mask;
    mask.names = {"Y"};
    mask.type = PixelType::f32;
    mask.encoding = Encoding::data;
    mask.slices = frames;
    Plane<float>& plane = mask.channels.emplace_back(side, side * frames);
    for (int y = 0; y < side * frames; ++y) {
      for (int x = 0; x < side; ++x) {
        const auto drawn = static_cast<float>(random.uniform());
        plane(x, y) = frozen && y >= side ? plane(x, y % side) : drawn;
      }
    }
    Context context;
    return analyze_mask(mask, context).find("crawl")->value;
  };
  const double kept = 1 / (4 * std::numbers::pi);
  EXPECT_NEAR(crawl(true), 255 * std::sqrt(kept / 4096), 0.1);
  EXPECT_NEAR(crawl(false), 255 * std::sqrt(kept * 0.115), 1);
}

// Warnings are errors where this is built for CI: a member without a value of its own is one here.
TEST(Options, AreSetByName) {
  const SampleOptions points{.method = SampleMethod::darts};
  const MaskOptions mask{.channels = 2};
  const StippleOptions stippling{.dots = 1000};
  const PrepareOptions prepared{.detail = 0.5};
  const Points set{.domain = {4, 4}, .x = {1}, .y = {2}};
  const Image image{.channels = {Plane<float>(2, 2)}};
  const Disc dot{.center = {1, 2}};
  const Recipe recipe{.command = "mask", .settings = {{.name = "size", .text = "64x64"}}};
  EXPECT_EQ(recipe.settings.size(), 1u);
  EXPECT_EQ(points.method, SampleMethod::darts);
  EXPECT_EQ(mask.channels + static_cast<int>(set.size()), 3);
  EXPECT_EQ(stippling.dots, 1000);
  EXPECT_EQ(prepared.detail, 0.5);
  EXPECT_EQ(image.channels.size() + static_cast<std::size_t>(dot.center.x), 2u);
}

}  // namespace
}  // namespace dapple
