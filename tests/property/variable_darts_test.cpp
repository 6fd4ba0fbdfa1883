// Darts whose radius varies: the same on every processor, and as dense as the map asks for.
#include "brute_force.hpp"
#include "fields.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

TEST(VariableDarts, AreTheSameWithEveryKindOfVectorCode) {
  const DensityField smooth = radii(160, 120, true, 1.0, [](double x, double y) {
    return 0.5 * std::pow(30, (1 + std::sin(x / 25) * std::cos(y / 19)) / 2);
  });
  const DensityField jump =
      radii(90, 60, false, std::nullopt, [](double x, double) { return x < 45 ? 0.4 : 4; });
  for (const DensityField& f : {smooth, jump}) {
    for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min}) {
      SampleOptions options;
      options.conflict = rule;
      const PointSet points = run(f, options);
      int targets = 0;
      for_each_simd_target([&](const char* name) {
        const PointSet other = run(f, options);
        EXPECT_EQ(other.x, points.x) << name;
        EXPECT_EQ(other.y, points.y) << name;
        ++targets;
      });
      EXPECT_GT(targets, 1);
    }
  }
}

// Packing does not depend on density: the field in ten bands that should hold as many points each,
// of a torus, as borders pack closer.
TEST(VariableDarts, PackEveryDensityAlike) {
  const DensityField f = radii(512, 512, true, 1.0, [](double x, double y) {
    const double wave = 2 * std::numbers::pi / 512;
    return 0.15 * std::pow(1000, (2 + std::sin(wave * x) + std::sin(wave * y)) / 4);
  });
  const PointSet points = run(f, {});
  std::vector<double> radius;
  for (const float r : f.radius_map().values()) radius.push_back(static_cast<double>(r));
  std::sort(radius.begin(), radius.end());
  std::vector<double> upper;
  std::vector<double> expected(10, 0.0);
  double sum = 0;
  for (const double r : radius) {
    sum += 1 / (r * r);
    expected[upper.size()] += 1 / (r * r);
    const double bound = f.integral() * static_cast<double>(upper.size() + 1) / 10;
    if (upper.size() < 9 && sum >= bound) upper.push_back(r);
  }
  std::vector<double> kappa(10, 0.0);
  for (const float r : points.radius) {
    const auto band = std::lower_bound(upper.begin(), upper.end(), static_cast<double>(r));
    ++kappa[static_cast<std::size_t>(band - upper.begin())];
  }
  double mean = 0;
  for (std::size_t b = 0; b < 10; ++b) {
    kappa[b] /= expected[b];
    mean += kappa[b] / 10;
  }
  double square = 0;
  for (const double k : kappa) square += (k - mean) * (k - mean) / 10;
  EXPECT_LT(std::sqrt(square) / mean, 0.003);
  EXPECT_NEAR(mean, 0.701, 0.003);
}

// Both sides of a jump of 10:1 are as dense within one large r of it as they are far away.
TEST(VariableDarts, KeepTheDensityBesideAHardEdge) {
  constexpr int seeds = 24;
  const DensityField f =
      radii(130, 2000, true, std::nullopt, [](double x, double) { return x < 100 ? 10 : 1; });
  double light_near = 0;
  double light_far = 0;
  double dark_near = 0;
  double dark_far = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const PointSet points = run(f, {}, 0, seed);
    for (const double x : points.x) {
      if (x < 100) {
        const double away = std::min(x, 100 - x);
        light_near += away < 10 ? 1 : 0;
        light_far += away > 30 ? 1 : 0;
      } else {
        const double away = std::min(x - 100, 130 - x);
        (away < 10 ? dark_near : dark_far) += 1;
      }
    }
  }
  // Areas: 20 of 40 columns, 20 of 10.
  EXPECT_NEAR(light_near / light_far, 0.5, 0.5 * 0.03);
  EXPECT_NEAR(dark_near / dark_far, 2, 2 * 0.03);
}

}  // namespace
}  // namespace dapple
