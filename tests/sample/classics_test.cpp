// The classics that others are compared with: each is what its definition says.
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

Points run(const DensityField& field, SampleMethod method, std::int64_t count,
           std::uint64_t seed = 1) {
  SampleOptions options;
  options.method = method;
  Context context;
  context.seed = seed;
  return sample(field, options, count, context);
}

double turned(double from, double to) {
  const double d = to - from;
  return d - std::floor(d);
}

// Differences of one sequence on the unit torus: rotation takes nothing from them.
void expect_differences(const Points& points, std::size_t i, double x, double y) {
  EXPECT_NEAR(turned(points.x[0], points.x[i]), x, 1e-12) << i;
  EXPECT_NEAR(turned(points.y[0], points.y[i]), y, 1e-12) << i;
}

TEST(Classics, HaltonIsTheVanDerCorputSequenceInBases2And3) {
  const DensityField unit = DensityField::constant({1, 1, true}, 0.01);
  for (const std::uint64_t seed : {1, 7}) {
    const Points points = run(unit, SampleMethod::halton, 30, seed);
    ASSERT_EQ(points.size(), 30u);
    expect_differences(points, 1, 1.0 / 2, 1.0 / 3);
    expect_differences(points, 2, 1.0 / 4, 2.0 / 3);
    expect_differences(points, 3, 3.0 / 4, 1.0 / 9);
    expect_differences(points, 11, 13.0 / 16, 2.0 / 3 + 1.0 / 27);  // 1011, 102
    expect_differences(points, 26, 11.0 / 32, 26.0 / 27);           // 11010, 222
  }
  EXPECT_NE(run(unit, SampleMethod::halton, 30, 1).x, run(unit, SampleMethod::halton, 30, 2).x);
}

TEST(Classics, R2StepsByThePlasticNumber) {
  const DensityField unit = DensityField::constant({1, 1, true}, 0.01);
  const Points points = run(unit, SampleMethod::r2, 1000, 3);
  const double g = 1.32471795724474602596;
  EXPECT_NEAR(g * g * g, g + 1, 1e-15);
  for (const std::size_t i : {1, 2, 10, 999}) {
    const double n = static_cast<double>(i);
    expect_differences(points, i, turned(0, n / g), turned(0, n / (g * g)));
  }
  EXPECT_NE(points.x, run(unit, SampleMethod::r2, 1000, 4).x);
}

TEST(Classics, FollowTheDensityOfAMap) {
  // Twice as dense on the right, nothing in a stripe.
  Plane<float> density(60, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 60; ++x) density(x, y) = x < 20 ? 1.0f : x < 30 ? 0.0f : 2.0f;
  }
  const DensityField field = DensityField::from_density(density, {60, 40, false}, 1, std::nullopt);
  for (const SampleMethod method :
       {SampleMethod::halton, SampleMethod::r2, SampleMethod::dart_throwing}) {
    const Points points = run(field, method, 4000);
    ASSERT_EQ(points.size(), 4000u);
    std::size_t left = 0;
    for (const double x : points.x) {
      EXPECT_FALSE(x >= 20 && x < 30);
      left += x < 20 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(left), 1000, 60);
  }
}

}  // namespace
}  // namespace dapple
