// Dots of inks, and first parts of progressive dots, each even by themselves where the tone is
// even.
#include <algorithm>
#include <gtest/gtest.h>

#include "dapple/analyze.hpp"
#include "dapple/stipple.hpp"
#include "property/stipple_scene.hpp"
#include "relax/dot_classes.hpp"
#include "relax/kernel/cut_out.hpp"

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

Figures figures(const PointSet& dots, Context& context) {
  const QualityReport report = analyze_points(dots, context);
  const auto value = [&](const char* name) {
    const Measurement* found = report.find(name);
    return found != nullptr ? found->value : 0.0;
  };
  return {value("LF_all"), value("LF_class"), value("LF_pairs"), value("rho_mean")};
}

PointSet inked(const std::vector<float>& parts, Context& context) {
  const std::vector<Plane<float>> shares = mix(parts);
  return cut_out_dots(even_density(), count, {shares, {}, false}, {}, context);
}

TEST(EvenParts, InksAreEvenAloneInPairsAndTogether) {
  Context context;
  const Figures two = figures(inked({1, 1}, context), context);
  EXPECT_LT(two.all, 0.01);
  EXPECT_LT(two.own, 0.01);
  EXPECT_GT(two.spacing, 0.86);
  const Figures four = figures(inked({1, 1, 1, 1}, context), context);
  EXPECT_LT(four.all, 0.01);
  EXPECT_LT(four.own, 0.01);
  EXPECT_LT(four.pairs, 0.0125);
  EXPECT_GT(four.spacing, 0.86);
  const Figures three = figures(inked({1, 1, 1}, context), context);
  EXPECT_LT(three.own, 0.01);
  EXPECT_LT(three.pairs, 0.019);
  EXPECT_GT(three.spacing, 0.86);
  const Figures uneven = figures(inked({1, 3}, context), context);
  EXPECT_LT(uneven.all, 0.01);
  EXPECT_LT(uneven.own, 0.02);
}

TEST(EvenParts, InksDealtOutToDotsAtRestAreNot) {
  Context context;
  PointSet dots = cut_out_dots(even_density(), count, {}, {}, context);
  dots.klass = dot_classes(dots, shares_at(dots, mix({1, 1})), context);
  const Figures dealt = figures(dots, context);
  EXPECT_LT(dealt.all, 0.01);
  EXPECT_GT(dealt.own, 0.05);
}

TEST(EvenParts, NumbersAreThoseOfTheShares) {
  Context context;
  for (const std::vector<float>& parts :
       {std::vector<float>{1, 4}, {1, 2, 3}, {1, 0}, {1, 1, 0, 6}}) {
    const PointSet dots = inked(parts, context);
    ASSERT_EQ(dots.size(), static_cast<std::size_t>(count));
    float sum = 0;
    for (const float part : parts) sum += part;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      const auto found =
          std::count(dots.klass.begin(), dots.klass.end(), static_cast<std::int32_t>(c));
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(parts[c] / sum) * count, 15) << c;
    }
  }
}

TEST(EvenParts, FirstPartsAreEven) {
  Image image = test::picture(width, height, [](double, double) { return 0.5; });
  StippleOptions options;
  options.dots = count;
  options.progressive = true;
  Context context;
  const PointSet dots = stipple(image, test::tone_field(), options, context).dots;
  const QualityReport report = analyze_points(dots, context);
  EXPECT_LT(report.find("LF")->value, 0.01);
  EXPECT_LT(report.find("LF_first")->value, 0.03);
  EXPECT_GT(report.find("rho_first")->value, 0.74);
  EXPECT_GT(report.find("rho_mean")->value, 0.835);
}

}  // namespace
}  // namespace dapple
