// Certificates against brute force: of sets that are right, and of sets that are wrong.
#include "brute_force.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "fields.hpp"
#include "old_names.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

class Certificates : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  DensityField field() const {
    return field_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam()));
  }
};

TEST_P(Certificates, AgreeWithBruteForce) {
  const DensityField f = field();
  const Points points = run(f, {});
  Context context;
  const Certificate proof = certify(points, f, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_TRUE(proof.maximal());
  EXPECT_LE(proof.hole, 1.0011);
  if (points.size() > 1) {
    double closest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        closest = std::min(
            closest, plain_distance(points.domain, points[i], points[j]) /
                         rule_distance(ConflictRule::mean, points.radius[i], points.radius[j]));
      }
    }
    EXPECT_NEAR(proof.closest, closest, 1e-12);
  }
}

// Both checks can fail: a point less leaves a hole, a point more is too near.
TEST_P(Certificates, ASetThatIsWrongIsFound) {
  const DensityField f = field();
  const Points points = run(f, {});
  Context context;
  for (const std::size_t gone : {std::size_t{0}, points.size() / 2}) {
    Points fewer;
    fewer.domain = points.domain;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i != gone) fewer.add(points[i], points.radius[i]);
    }
    EXPECT_FALSE(certify(fewer, f, ConflictRule::mean, context).maximal());
    const auto place_of = [&](double along, double extent, int pixels) {
      return static_cast<int>(along / extent * pixels);
    };
    const Plane<float>& map = f.radius_map();
    const int x = place_of(points.x[gone], f.domain().width, map.width());
    const int y = place_of(points.y[gone], f.domain().height, map.height());
    const Box pixel{x * f.domain().width / map.width(), y * f.domain().height / map.height(),
                    (x + 1) * f.domain().width / map.width(),
                    (y + 1) * f.domain().height / map.height()};
    std::vector<CoveringDisc> discs;
    for (std::size_t i = 0; i < fewer.size(); ++i) {
      const double r = (static_cast<double>(map(x, y)) + fewer.radius[i]) / 2;
      for (int k = 0; k < (f.domain().wrap ? 9 : 1); ++k) {
        const Vec2 shift{std::array{0, 1, -1}[static_cast<std::size_t>(k % 3)] * f.domain().width,
                         std::array{0, 1, -1}[static_cast<std::size_t>(k / 3)] * f.domain().height};
        discs.push_back({fewer[i] + shift, r});
      }
    }
    EXPECT_FALSE(cover(discs, pixel));

    Points more = points;
    const Vec2 near = f.domain().wrapped(
        points[gone] + Vec2{0.4 * points.radius[gone] * (points.x[gone] < 1 ? 1 : -1), 0});
    if (!f.domain().contains(near) || !std::isfinite(f.radius(near))) continue;
    more.add(near, static_cast<float>(f.radius(near)));
    const Certificate proof = certify(more, f, ConflictRule::mean, context);
    EXPECT_GT(proof.violations, 0);
    EXPECT_LT(proof.closest, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, Certificates,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{14}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return field_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

// ---- radii of 1000:1

// A set of many points whose largest hole and closest pair are known.
TEST(Certificate, ALatticeIsMeasuredExactly) {
  constexpr int n = 200;
  for (const bool wrap : {false, true}) {
    Points points;
    points.domain = {n, n, wrap};
    for (int i = 0; i < n * n; ++i) points.add({i % n + 0.5, i / n + 0.5}, 0.9f);
    Context context;
    for (const double r : {0.3, 0.9, 1.1}) {
      const DensityField f = DensityField::constant(points.domain, r);
      const Certificate proof = certify(points, f, ConflictRule::mean, context);
      EXPECT_NEAR(proof.closest, 1 / r, 1e-6);
      EXPECT_NEAR(proof.hole, std::sqrt(0.5) / r, 1.1e-3 * proof.hole);
      EXPECT_EQ(proof.violations, r < 1 ? 0 : wrap ? 2 * n * n : 2 * n * (n - 1));
      EXPECT_EQ(proof.maximal(), r > std::sqrt(0.5));
    }
  }
}

TEST(Certificate, IsTheSameWithEveryKindOfVectorCode) {
  const DensityField f =
      radii(120, 90, true, 1.0, [](double x, double y) { return 1 + (x + y) / 60; });
  const Points points = run(f, {});
  Context context;
  const Certificate proof = certify(points, f, ConflictRule::mean, context);
  int targets = 0;
  for_each_simd_target([&](const char* name) {
    const Certificate other = certify(points, f, ConflictRule::mean, context);
    EXPECT_EQ(other.hole, proof.hole) << name;
    EXPECT_EQ(other.hole_place, proof.hole_place) << name;
    ++targets;
  });
  EXPECT_GT(targets, 1);
}

// Points on one place, and none at all.
// What follows would take days if the time grew with the area or with the pairs.

TEST(Certificate, AnAlmostEmptyPlaneTakesNoLongerThanItsPoints) {
  const Domain domain{1e9, 1e9, false};
  Points points;
  points.domain = domain;
  for (int i = 0; i < 10000; ++i) points.add({1.0 * (i % 100), 1.0 * (i / 100)}, 1);
  Context context;
  const DensityField field = DensityField::constant(domain, 1);
  const Certificate corner = certify(points, field, ConflictRule::mean, context);
  EXPECT_EQ(corner.violations, 0);
  EXPECT_NEAR(corner.hole / std::hypot(1e9 - 99, 1e9 - 99), 1, 2e-3);
  points.add({1e9 - 1, 1e9 - 1}, 1);
  const Certificate both = certify(points, field, ConflictRule::mean, context);
  EXPECT_NEAR(both.hole / 1e9, 1, 2e-3);  // the other two corners
}

TEST(Certificate, EqualPointsAreCountedAsAClass) {
  constexpr std::int64_t many = 60000, more = 50000;
  Points points;
  points.domain = {100, 100, false};
  for (std::int64_t i = 0; i < many; ++i) points.add({50, 50}, 4);
  for (std::int64_t i = 0; i < more; ++i) points.add({51, 50}, 4);
  points.add({52, 50}, 4);
  points.add({90, 90}, 4);
  Context context;
  const DensityField field = DensityField::constant(points.domain, 4);
  const std::int64_t pairs =
      many * (many - 1) / 2 + more * (more - 1) / 2 + many * more + many + more;
  const Certificate proof = certify(points, field, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, pairs);
  EXPECT_EQ(proof.closest, 0);
  const QualityReport report = analyze_points(points, context);
  for (const Measurement& m : report.measurements) {
    if (m.name != "violations") continue;
    EXPECT_EQ(m.value, static_cast<double>(pairs));
  }
  // The pairs of points that were there before are nobody's fault, those with a new one are.
  const auto kept = static_cast<std::size_t>(many);
  EXPECT_EQ(certify(points, field, ConflictRule::mean, context, kept).violations,
            pairs - many * (many - 1) / 2);
}

TEST(Certificate, EqualPointsThatAreKeptAreCountedAsAClass) {
  auto kept = std::make_shared<Points>();
  kept->domain = {100, 100, false};
  for (int i = 0; i < 100000; ++i) kept->add({50, 50}, 4);
  SampleOptions options;
  options.keep = {"kept.csv", kept};
  Context context;
  const Points points = sample(DensityField::constant(kept->domain, 4), options, 0, context);
  EXPECT_GT(points.size(), kept->size());
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_EQ(context.warnings()[0].substr(0, 16), "4999950000 pairs");
}

TEST(Certificate, DegenerateSetsAreProvedWrong) {
  const DensityField f = DensityField::constant({10, 10, true}, 1);
  Context context;
  Points points;
  points.domain = f.domain();
  EXPECT_FALSE(certify(points, f, ConflictRule::mean, context).maximal());
  for (int i = 0; i < 40; ++i) points.add({3, 3}, 1);
  const Certificate proof = certify(points, f, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 40 * 39 / 2);
  EXPECT_EQ(proof.closest, 0);
  EXPECT_NEAR(proof.hole, std::sqrt(50), 0.01);
}

}  // namespace
}  // namespace dapple
