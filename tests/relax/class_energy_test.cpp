// Dots of inks, and first parts of progressive dots, each even by themselves where the tone is
// even.
#include <algorithm>
#include <gtest/gtest.h>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/stipple.hpp"
#include "relax/dot_classes.hpp"
#include "relax/kernel/border_padding.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

constexpr int width = 400;
constexpr int height = 300;
constexpr std::int64_t count = 10000;

std::vector<Plane<float>> mix(const std::vector<float>& parts) {
  float sum = 0;
  for (const float part : parts) sum += part;
  std::vector<Plane<float>> shares;
  for (const float part : parts) shares.emplace_back(width, height, part / sum);
  return shares;
}

Plane<float> even_density() {
  return {width, height, static_cast<float>(count) / (width * height)};
}

struct Figures {
  double all, own, pairs, spacing;
};

Figures figures(const Points& dots, Context& context) {
  const QualityReport report = analyze_points(dots, context);
  const auto value = [&](const char* name) {
    const Measurement* found = report.find(name);
    return found != nullptr ? found->value : 0.0;
  };
  return {value("LF_all"), value("LF_class"), value("LF_pairs"), value("rho_mean")};
}

Points inked(const std::vector<float>& parts, Context& context) {
  const std::vector<Plane<float>> shares = mix(parts);
  return cut_out_dots(even_density(), count, {shares, {}, false}, {}, context);
}

TEST(EvenParts, InksAreEvenAloneInPairsAndTogether) {
  Context context;
  for (const std::vector<float>& parts :
       {std::vector<float>{1, 1}, {4, 5}, {1, 3}, {1, 1, 1}, {1, 1, 1, 1}}) {
    SCOPED_TRACE(testing::PrintToString(parts));
    const Figures found = figures(inked(parts, context), context);
    EXPECT_LT(found.all, 0.01);
    EXPECT_LT(found.own, 0.01);
    EXPECT_LT(found.pairs, 0.01);
    EXPECT_GT(found.spacing, 0.865);
  }
}

// Of six inks, each pair free of clumps, too, leaves the set too little to be even by: so they are
// even alone and together, and pairs nearly.
TEST(EvenParts, SixInksAreEvenAloneAndTogether) {
  Context context;
  const Figures six = figures(inked({1, 1, 1, 1, 1, 1}, context), context);
  EXPECT_LT(six.all, 0.01);
  EXPECT_LT(six.own, 0.01);
  EXPECT_LT(six.pairs, 0.022);
  EXPECT_GT(six.spacing, 0.82);
}

// All dots but those of a rare ink lack what those have: below half of its mean frequency lies the
// peak of theirs.
TEST(EvenParts, NextToARareInkAllAreEvenTogether) {
  Context context;
  const Figures rare = figures(inked({1, 9}, context), context);
  EXPECT_LT(rare.all, 0.01);
  EXPECT_LT(rare.own, 0.08);
  EXPECT_GT(rare.spacing, 0.87);
}

TEST(EvenParts, InksDealtOutToDotsAtRestAreNot) {
  Context context;
  Points dots = cut_out_dots(even_density(), count, {}, {}, context);
  dots.class_id = dot_classes(dots, shares_at(dots, mix({1, 1})), context);
  const Figures dealt = figures(dots, context);
  EXPECT_LT(dealt.all, 0.01);
  EXPECT_GT(dealt.own, 0.05);
}

TEST(EvenParts, NumbersAreThoseOfTheShares) {
  Context context;
  for (const std::vector<float>& parts :
       {std::vector<float>{1, 4}, {1, 2, 3}, {1, 0}, {1, 1, 0, 6}}) {
    const Points dots = inked(parts, context);
    ASSERT_EQ(dots.size(), static_cast<std::size_t>(count));
    float sum = 0;
    for (const float part : parts) sum += part;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      const auto found =
          std::count(dots.class_id.begin(), dots.class_id.end(), static_cast<std::int32_t>(c));
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(parts[c] / sum) * count, 30) << c;
    }
  }
}

TEST(EvenParts, FirstPartsAreEven) {
  Image image = test::picture(width, height, [](double, double) { return 0.5; });
  StippleOptions options;
  options.dots = count;
  options.progressive = true;
  Context context;
  const Points dots = stipple(image, test::tone_field(), options, context).dots;
  const QualityReport report = analyze_points(dots, context);
  EXPECT_LT(report.find("LF")->value, 0.01);
  EXPECT_LT(report.find("LF_first")->value, 0.01);
  EXPECT_GT(report.find("rho_first")->value, 0.75);
  EXPECT_GT(report.find("rho_mean")->value, 0.835);
}

}  // namespace
}  // namespace dapple
