// What every sampler promises on every kind of field, checked by brute force that shares nothing
// with the samplers: distances in double between all pairs, and places drawn everywhere that must
// have a point near enough.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"

namespace dapple {
namespace {

struct FieldCase {
  std::string name;
  std::function<DensityField(bool wrap)> make;
};

Plane<float> plane(int w, int h, const std::function<double(double, double)>& r) {
  Plane<float> map(w, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) map(x, y) = static_cast<float>(r(x + 0.5, y + 0.5));
  }
  return map;
}

DensityField radii(int w, int h, bool wrap, std::optional<double> slope,
                   const std::function<double(double, double)>& r) {
  const Domain domain{static_cast<double>(w), static_cast<double>(h), wrap};
  return DensityField::from_radius(plane(w, h, r), domain, slope);
}

const std::vector<FieldCase>& field_cases() {
  static const std::vector<FieldCase> cases = {
      {"constant",
       [](bool wrap) {
         return DensityField::constant({100, 100, wrap}, 3.1);
       }},
      {"oblong",
       [](bool wrap) {
         return DensityField::constant({173.5, 31, wrap}, 2.3);
       }},
      {"odd_torus",
       [](bool wrap) {
         return DensityField::constant({61, 37, wrap}, 5.7);
       }},
      {"below_r",
       [](bool wrap) {
         return DensityField::constant({9, 4, wrap}, 25);
       }},
      {"about_r",
       [](bool wrap) {
         return DensityField::constant({9, 7, wrap}, 5.5);
       }},
      {"ramp_10",
       [](bool wrap) {
         return radii(120, 90, wrap, 1.0, [](double x, double) { return std::pow(10, x / 120); });
       }},
      {"ramp_100",
       [](bool wrap) {
         return radii(128, 128, wrap, 1.0,
                      [](double x, double y) { return 0.5 * std::pow(100, (x + y) / 256); });
       }},
      {"step_10",
       [](bool wrap) {
         return radii(90, 60, wrap, std::nullopt, [](double x, double) { return x < 45 ? 1 : 10; });
       }},
      {"step_100_diagonal",
       [](bool wrap) {
         return radii(80, 80, wrap, std::nullopt,
                      [](double x, double y) { return x + y < 50 ? 0.6 : 60; });
       }},
      {"forbidden",
       [](bool wrap) {
         return radii(90, 90, wrap, 1.0, [](double x, double y) {
           const double from_centre = std::hypot(x - 45, y - 45);
           return from_centre < 20 || (x > 60 && y > 60) ? 0.0 : 1 + from_centre / 20;
         });
       }},
      {"islands",
       [](bool wrap) {
         return radii(64, 64, wrap, std::nullopt, [](double x, double y) {
           return std::fmod(x, 21) < 3 && std::fmod(y, 13) < 2 ? 0.4 : -1.0;
         });
       }},
      {"one_pixel",
       [](bool wrap) { return radii(1, 1, wrap, 1.0, [](double, double) { return 0.05; }); }},
      {"coarse_map",
       [](bool wrap) {
         // Pixels that are neither of size 1 nor square.
         return DensityField::from_radius(
             plane(7, 5, [](double x, double y) { return 1 + 0.7 * x + 0.3 * y; }), {100, 90, wrap},
             std::nullopt);
       }},
      {"pixel_noise",
       [](bool wrap) {
         Random random(11, Stream::tests);
         return radii(40, 40, wrap, std::nullopt,
                      [&](double, double) { return 0.5 * std::pow(60, random.uniform()); });
       }},
  };
  return cases;
}

double rule_distance(ConflictRule rule, double a, double b) {
  switch (rule) {
    case ConflictRule::mean:
      return (a + b) / 2;
    case ConflictRule::min:
    case ConflictRule::candidate:
      return std::min(a, b);  // the weakest that it promises for a pair
    case ConflictRule::max:
      break;
  }
  return std::max(a, b);
}

double plain_distance(const Domain& domain, Vec2 a, Vec2 b) {
  double dx = std::abs(a.x - b.x);
  double dy = std::abs(a.y - b.y);
  if (domain.wrap) {
    dx = std::min(dx, domain.width - dx);
    dy = std::min(dy, domain.height - dy);
  }
  return std::sqrt(dx * dx + dy * dy);
}

void expect_in_domain(const PointSet& points, const DensityField& field) {
  ASSERT_EQ(points.x.size(), points.y.size());
  ASSERT_EQ(points.x.size(), points.radius.size());
  EXPECT_EQ(points.domain, field.domain());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(points.x[i] >= 0 && points.x[i] < field.domain().width);
    ASSERT_TRUE(points.y[i] >= 0 && points.y[i] < field.domain().height);
    ASSERT_EQ(points.radius[i], static_cast<float>(field.radius(points[i])));
    ASSERT_TRUE(std::isfinite(points.radius[i])) << "placed where nothing may be";
  }
}

void expect_spacing(const PointSet& points, ConflictRule rule) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double r = rule_distance(rule, static_cast<double>(points.radius[i]),
                                     static_cast<double>(points.radius[j]));
      const double d = plain_distance(points.domain, points[i], points[j]);
      ASSERT_GE(d, r) << "points " << i << " and " << j;
    }
  }
}

// Every probe has a point within the conflict distance of its place.
void expect_covered(const PointSet& points, const DensityField& field, ConflictRule rule) {
  const Domain& domain = field.domain();
  Random random(23, Stream::tests);
  std::vector<Vec2> probes;
  for (int i = 0; i < 3000; ++i) {
    const double x = random.uniform() * domain.width;
    probes.push_back({x, random.uniform() * domain.height});
  }
  const Plane<float>& map = field.radius_map();
  for (int y = 0; y < map.height(); y += 2) {
    for (int x = y / 2 % 3; x < map.width(); x += 3) {
      probes.push_back(
          {(x + 0.5) * domain.width / map.width(), (y + 0.5) * domain.height / map.height()});
    }
  }
  for (const Vec2 place : {Vec2{0, 0}, Vec2{domain.width * 0.9999999, domain.height * 0.9999999}}) {
    probes.push_back(place);
  }
  for (const Vec2 probe : probes) {
    const double r = field.radius(probe);
    if (!std::isfinite(r)) continue;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size() && best > 1; ++i) {
      const auto other = static_cast<double>(points.radius[i]);
      const double f = rule == ConflictRule::candidate ? r : rule_distance(rule, r, other);
      best = std::min(best, plain_distance(domain, probe, points[i]) / f);
    }
    ASSERT_LE(best, 1.00001) << "room for a point at " << probe.x << ", " << probe.y;
  }
}

PointSet run(const DensityField& field, const SampleOptions& options, std::int64_t count = 0,
             std::uint64_t seed = 1, int threads = 2) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  return sample(field, options, count, context);
}

class EveryField : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  DensityField field() const {
    return field_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam()));
  }
};

TEST_P(EveryField, DartsAreExactAndMaximalUnderEveryRule) {
  const DensityField f = field();
  for (const ConflictRule rule :
       {ConflictRule::mean, ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
    SCOPED_TRACE(option_names(rule)[static_cast<std::size_t>(rule)]);
    SampleOptions options;
    options.conflict = rule;
    const PointSet points = run(f, options);
    ASSERT_FALSE(points.empty());
    expect_in_domain(points, f);
    expect_spacing(points, rule);
    expect_covered(points, f, rule);
  }
}

TEST_P(EveryField, DartsAreTheSameAtAnyThreadCount) {
  const DensityField f = field();
  const PointSet one = run(f, {}, 0, 3, 1);
  for (const int threads : {2, 7}) {
    const PointSet other = run(f, {}, 0, 3, threads);
    EXPECT_EQ(other.x, one.x);
    EXPECT_EQ(other.y, one.y);
    EXPECT_EQ(other.radius, one.radius);
  }
  EXPECT_NE(run(f, {}, 0, 4, 1).x, one.x);
}

TEST_P(EveryField, BridsonKeepsItsDistance) {
  const DensityField f = field();
  for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
    for (const char* start : {"random", "center"}) {
      SampleOptions options;
      options.method = SampleMethod::bridson;
      options.conflict = rule;
      options.start = start;
      const PointSet points = run(f, options);
      ASSERT_FALSE(points.empty());
      expect_in_domain(points, f);
      expect_spacing(points, rule);
      EXPECT_EQ(points.x, run(f, options).x);
    }
  }
}

TEST_P(EveryField, SimpleSamplersFollowTheField) {
  const DensityField f = field();
  for (const SampleMethod method :
       {SampleMethod::jittered, SampleMethod::random, SampleMethod::grid}) {
    SampleOptions options;
    options.method = method;
    const PointSet points = run(f, options);
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
         {SampleMethod::darts, SampleMethod::bridson, SampleMethod::jittered, SampleMethod::random,
          SampleMethod::grid}) {
      SampleOptions options;
      options.method = method;
      SCOPED_TRACE(option_names(method)[static_cast<std::size_t>(method)]);
      const PointSet points = run(f, options, count);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      if (method == SampleMethod::darts || method == SampleMethod::bridson) {
        expect_spacing(points, ConflictRule::mean);
      }
    }
  }
}

TEST_P(EveryField, CertificatesAgreeWithBruteForce) {
  const DensityField f = field();
  const PointSet points = run(f, {});
  Context context;
  const Certificate proof = certify(points, f, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_TRUE(proof.maximal);
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

INSTANTIATE_TEST_SUITE_P(Samplers, EveryField,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{14}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return field_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

}  // namespace
}  // namespace dapple
