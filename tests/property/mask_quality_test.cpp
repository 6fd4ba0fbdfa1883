// The goals of docs/quality.md for masks, all at once, on seeds that nothing was tuned on.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "dapple/analyze.hpp"
#include "dapple/mask.hpp"

namespace dapple {
namespace {

Image mask_of(int width, int height, std::uint64_t seed) {
  MaskOptions options;
  options.size = {static_cast<double>(width), static_cast<double>(height)};
  options.bits = MaskBits::f32;
  Context context;
  context.seed = seed;
  return make_mask(options, context);
}

QualityReport report_on(const Image& mask) {
  Context context;
  return analyze_mask(mask, context);
}

struct Goal {
  const char* name;
  double limit;
  bool at_least;
};
constexpr std::array<Goal, 11> goals{{{"grey_1.5", 3.95, false},
                                      {"grey_2", 2.25, false},
                                      {"ramp1", 9.9, false},
                                      {"p32", 0.065, false},
                                      {"pk2", 2.6, false},
                                      {"d256", 0.70, true},
                                      {"aniso_32", 0.3, false},
                                      {"aniso_8", 0.3, false},
                                      {"aniso_2", 0.3, false},
                                      {"missing", 0, false},
                                      {"spread", 0, false}}};

class MaskQuality : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(MaskQuality, MeetsAllGoalsAtEightSeeds) {
  const auto [width, height] = GetParam();
  for (std::uint64_t seed = 301; seed <= 308; ++seed) {
    const QualityReport report = report_on(mask_of(width, height, seed));
    for (const Goal& goal : goals) {
      const Measurement* measured = report.find(goal.name);
      ASSERT_NE(measured, nullptr) << goal.name;
      if (goal.at_least) {
        EXPECT_GE(measured->value, goal.limit) << goal.name << ", seed " << seed;
      } else {
        EXPECT_LE(measured->value, goal.limit) << goal.name << ", seed " << seed;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskQuality,
                         ::testing::Values(std::pair{128, 128}, std::pair{256, 256},
                                           std::pair{200, 120}));

// White noise meets none of them, so the goals can be missed.
TEST(MaskQualityOfNoise, MissesTheGoals) {
  MaskOptions options;
  options.method = MaskMethod::white;
  options.bits = MaskBits::f32;
  Context context;
  const QualityReport report = report_on(make_mask(options, context));
  for (const char* name : {"grey_1.5", "grey_2", "ramp1", "p32"}) {
    const auto goal = std::find_if(goals.begin(), goals.end(),
                                   [&](const Goal& g) { return g.name == std::string_view(name); });
    EXPECT_GT(report.find(name)->value, 2 * goal->limit) << name;
  }
}

// The published method is between the two: it is not the same engine under another name.
TEST(MaskQualityOfUlichney, IsThatOfOneGaussian) {
  MaskOptions options;
  options.size = {256, 256};
  options.method = MaskMethod::ulichney;
  options.sigma = 1.5;
  options.bits = MaskBits::f32;
  Context context;
  const QualityReport report = report_on(make_mask(options, context));
  EXPECT_NEAR(report.find("grey_1.5")->value, 4.015, 0.02);
  EXPECT_NEAR(report.find("grey_2")->value, 2.51, 0.02);
  EXPECT_NEAR(report.find("p32")->value, 0.105, 0.01);
  EXPECT_LT(report.find("d256")->value, 0.6);
}

Image shifted(const Image& mask, int dx, int dy) {
  Image result = mask;
  for (int y = 0; y < mask.height(); ++y) {
    for (int x = 0; x < mask.width(); ++x) {
      result.channels[0]((x + dx) % mask.width(), (y + dy) % mask.height()) =
          mask.channels[0](x, y);
    }
  }
  return result;
}

// The seam is nowhere: figures do not depend on where the torus was cut. A gradient across the
// whole width has its place, so its error is that of another cut.
TEST(MaskQualityOnTheTorus, DoesNotDependOnTheCut) {
  const Image mask = mask_of(128, 96, 7);
  const QualityReport plain = report_on(mask);
  const QualityReport moved = report_on(shifted(mask, 37, 11));
  const QualityReport lowered = report_on(shifted(mask, 0, 59));
  for (const Goal& goal : goals) {
    const double value = plain.find(goal.name)->value;
    const bool ramp = goal.name == std::string_view("ramp1");
    EXPECT_NEAR(moved.find(goal.name)->value, value, ramp ? 0.05 * value : 1e-4 + 1e-4 * value)
        << goal.name;
    EXPECT_NEAR(lowered.find(goal.name)->value, value, 1e-4 + 1e-4 * value) << goal.name;
  }
}

}  // namespace
}  // namespace dapple
