// What every sampler promises on every kind of field.
#include <array>

#include "brute_force.hpp"
#include "fields.hpp"

namespace dapple {
namespace {

constexpr std::array every_rule{ConflictRule::mean, ConflictRule::min, ConflictRule::max,
                                ConflictRule::candidate};

// Expects an exact and maximal set under each rule, and the same points with `threads` threads.
void expect_exact(const DensityField& f, SampleMethod method, int threads) {
  for (const ConflictRule rule : every_rule) {
    SCOPED_TRACE(word_of(rule));
    SampleOptions options;
    options.method = method;
    options.conflict = rule;
    const Points points = run(f, options);
    ASSERT_FALSE(points.empty());
    expect_in_domain(points, f);
    expect_spacing(points, rule);
    expect_maximal(points, f, rule);
    EXPECT_EQ(run(f, options, 0, 1, threads).x, points.x);
  }
}

class EveryField : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  DensityField field() const {
    return field_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam()));
  }
};

TEST_P(EveryField, DartsAreExactAndMaximalUnderEveryRule) {
  expect_exact(field(), SampleMethod::darts, 2);
}

TEST_P(EveryField, DartsAreTheSameAtAnyThreadCount) {
  const DensityField f = field();
  const Points one = run(f, {}, 0, 3, 1);
  for (const int threads : {2, 7}) {
    const Points other = run(f, {}, 0, 3, threads);
    EXPECT_EQ(other.x, one.x);
    EXPECT_EQ(other.y, one.y);
    EXPECT_EQ(other.radius, one.radius);
  }
  EXPECT_NE(run(f, {}, 0, 4, 1).x, one.x);
}

TEST_P(EveryField, DartThrowingIsExactAndMaximalUnderEveryRule) {
  expect_exact(field(), SampleMethod::dart_throwing, 7);
}

TEST_P(EveryField, DenseIsExactAndMaximalUnderEveryRule) {
  expect_exact(field(), SampleMethod::dense, 1);
}

TEST_P(EveryField, PolishedKeepsTheRule) {
  const DensityField f = field();
  for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
    SampleOptions options;
    options.method = SampleMethod::polished;
    options.conflict = rule;
    const Points points = run(f, options);
    ASSERT_FALSE(points.empty());
    expect_in_domain(points, f);
    expect_spacing(points, rule);
    EXPECT_EQ(run(f, options, 0, 1, 1).x, points.x);
  }
}

TEST_P(EveryField, BridsonKeepsItsDistance) {
  const DensityField f = field();
  for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
    for (const char* start : {"random", "center"}) {
      SampleOptions options;
      options.method = SampleMethod::bridson;
      options.conflict = rule;
      options.start = start;
      const Points points = run(f, options);
      ASSERT_FALSE(points.empty());
      expect_in_domain(points, f);
      expect_spacing(points, rule);
      EXPECT_EQ(points.x, run(f, options).x);
    }
  }
}

TEST_P(EveryField, SimpleSamplersFollowTheField) {
  const DensityField f = field();
  for (const SampleMethod method : {SampleMethod::jittered, SampleMethod::random,
                                    SampleMethod::grid, SampleMethod::halton, SampleMethod::r2}) {
    SampleOptions options;
    options.method = method;
    const Points points = run(f, options);
    expect_in_domain(points, f);
    const double expected = packing_constant(method, ConflictRule::mean) * f.integral();
    EXPECT_NEAR(static_cast<double>(points.size()), std::max(1.0, expected), 0.51);
    EXPECT_EQ(points.x, run(f, options).x);
  }
}

TEST_P(EveryField, CountsAreExact) {
  const DensityField f = field();
  for (const std::int64_t count : {1, 2, 17, 300}) {
    for (const SampleMethod method :
         {SampleMethod::darts, SampleMethod::bridson, SampleMethod::elimination,
          SampleMethod::jittered, SampleMethod::random, SampleMethod::grid, SampleMethod::dense,
          SampleMethod::polished}) {
      SampleOptions options;
      options.method = method;
      SCOPED_TRACE(word_of(method));
      const Points points = run(f, options, count);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      if (keeps_distance(method)) {
        expect_spacing(points, ConflictRule::mean);
      }
      if (method == SampleMethod::darts) {
        for (const ConflictRule rule :
             {ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
          options.conflict = rule;
          const Points other = run(f, options, count);
          ASSERT_EQ(other.size(), static_cast<std::size_t>(count));
          expect_spacing(other, rule);
        }
      }
    }
  }
}

TEST_P(EveryField, ProgressiveDartsAreExactAndMaximalInTheEnd) {
  const DensityField f = field();
  SampleOptions options;
  options.progressive = true;
  const Points points = run(f, options);
  expect_in_domain(points, f);
  expect_spacing(points, ConflictRule::mean);
  expect_maximal(points, f, ConflictRule::mean);
  ASSERT_EQ(points.rank.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(points.rank[i], static_cast<std::int32_t>(i));
  }
  const Points again = run(f, options, 0, 1, 7);
  EXPECT_EQ(points.x, again.x);
  EXPECT_EQ(points.y, again.y);
  const Points counted = run(f, options, 17);
  ASSERT_EQ(counted.size(), 17u);
  expect_spacing(counted, ConflictRule::mean);
}

TEST_P(EveryField, CountsAreTheSameAtAnyThreadCount) {
  const DensityField f = field();
  for (const SampleMethod method : {SampleMethod::darts, SampleMethod::elimination}) {
    SampleOptions options;
    options.method = method;
    const Points one = run(f, options, 200, 5, 1);
    const Points other = run(f, options, 200, 5, 3);
    EXPECT_EQ(other.x, one.x);
    EXPECT_EQ(other.y, one.y);
    EXPECT_EQ(other.radius, one.radius);
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, EveryField,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{14}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return field_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

// ---- radii of 1000:1

class WideFields : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(WideFields, DartsAreExactAndMaximalUnderEveryRule) {
  expect_exact(wide_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam())),
               SampleMethod::darts, 7);
}

INSTANTIATE_TEST_SUITE_P(Samplers, WideFields,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{6}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return wide_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

}  // namespace
}  // namespace dapple
