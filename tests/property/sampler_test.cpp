// What every sampler promises on every kind of field, checked by brute force that shares nothing
// with the samplers: distances in double between all pairs, and in every pixel the places where the
// last gap between discs would have to be.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "simd_targets.hpp"

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

// Discs that no place of a rectangle may lie outside of.
struct Disc {
  Vec2 at;
  double radius;
};

// Whether open discs cover a rectangle. What they leave uncovered is closed, so its leftmost place
// is a corner of the rectangle, the end of a disc along an axis, or where a circle meets a side or
// another circle: if all of these are covered, everything is.
bool cover(const std::vector<Disc>& discs, const Box& box) {
  for (const Disc& d : discs) {
    const double dx = std::max(d.at.x - box.x0, box.x1 - d.at.x);
    const double dy = std::max(d.at.y - box.y0, box.y1 - d.at.y);
    if (dx * dx + dy * dy < d.radius * d.radius) return true;
  }
  const auto is_covered = [&](Vec2 p) {
    if (p.x < box.x0 || p.x > box.x1 || p.y < box.y0 || p.y > box.y1) return true;
    for (const Disc& d : discs) {
      // A place on a circle is not inside of it, whichever way its coordinates were rounded.
      if (length_squared(p - d.at) < d.radius * d.radius * (1 - 2e-12)) return true;
    }
    return false;
  };
  for (const double x : {box.x0, box.x1}) {
    for (const double y : {box.y0, box.y1}) {
      if (!is_covered({x, y})) return false;
    }
  }
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Vec2 c = discs[i].at;
    const double r = discs[i].radius;
    for (const Vec2 end : {Vec2{r, 0}, Vec2{-r, 0}, Vec2{0, r}, Vec2{0, -r}}) {
      if (!is_covered(c + end)) return false;
    }
    const auto half_chord = [r](double away) { return std::sqrt(r * r - away * away); };
    for (const double x : {box.x0, box.x1}) {
      if (std::abs(x - c.x) > r) continue;
      const double h = half_chord(x - c.x);
      if (!is_covered({x, c.y - h}) || !is_covered({x, c.y + h})) return false;
    }
    for (const double y : {box.y0, box.y1}) {
      if (std::abs(y - c.y) > r) continue;
      const double h = half_chord(y - c.y);
      if (!is_covered({c.x - h, y}) || !is_covered({c.x + h, y})) return false;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Vec2 between = discs[j].at - c;
      const double d2 = length_squared(between);
      const double along = 0.5 * (d2 + r * r - discs[j].radius * discs[j].radius) / d2;
      const double h2 = r * r - along * along * d2;
      if (!(h2 >= 0)) continue;
      const Vec2 middle = c + between * along;
      const Vec2 aside = Vec2{-between.y, between.x} * std::sqrt(h2 / d2);
      if (!is_covered(middle + aside) || !is_covered(middle - aside)) return false;
    }
  }
  return true;
}

// No place is left where one more point would fit: proven pixel by pixel, as r is one number there.
// The samplers keep 2e-6 more distance than they must.
void expect_maximal(const PointSet& points, const DensityField& field, ConflictRule rule) {
  const Domain& domain = field.domain();
  const Plane<float>& map = field.radius_map();
  double largest = 0;
  for (const float r : map.values()) {
    if (std::isfinite(r)) largest = std::max(largest, static_cast<double>(r));
  }
  std::vector<Disc> images;  // of points, with their own r
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < (domain.wrap ? 9 : 1); ++k) {
      const Vec2 shift{std::array{0, 1, -1}[static_cast<std::size_t>(k % 3)] * domain.width,
                       std::array{0, 1, -1}[static_cast<std::size_t>(k / 3)] * domain.height};
      images.push_back({points[i] + shift, static_cast<double>(points.radius[i])});
    }
  }
  const auto away = [](double v, double low, double high) {
    return std::max({0.0, low - v, v - high});
  };
  for (int y = 0; y < map.height(); ++y) {
    const double y0 = y * domain.height / map.height();
    const double y1 = (y + 1) * domain.height / map.height();
    std::vector<Disc> row;
    for (const Disc& p : images) {
      if (away(p.at.y, y0, y1) < largest) row.push_back(p);
    }
    for (int x = 0; x < map.width(); ++x) {
      const double r = map(x, y);
      if (!std::isfinite(r)) continue;
      const Box pixel{x * domain.width / map.width(), y0, (x + 1) * domain.width / map.width(), y1};
      std::vector<Disc> discs;
      bool by_one = false;
      for (std::size_t i = 0; i < row.size() && !by_one; ++i) {
        const Disc& p = row[i];
        const double f = rule == ConflictRule::candidate ? r : rule_distance(rule, r, p.radius);
        const double far_x = std::max(p.at.x - pixel.x0, pixel.x1 - p.at.x);
        const double far_y = std::max(p.at.y - y0, y1 - p.at.y);
        by_one = far_x * far_x + far_y * far_y < f * f;
        const double dx = away(p.at.x, pixel.x0, pixel.x1);
        const double dy = away(p.at.y, y0, y1);
        if (dx * dx + dy * dy < f * f) discs.push_back({p.at, f * 1.000005});
      }
      ASSERT_TRUE(by_one || cover(discs, pixel)) << "room for a point in pixel " << x << ", " << y;
    }
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
    expect_maximal(points, f, rule);
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

TEST_P(EveryField, DenseIsExactAndMaximalUnderEveryRule) {
  const DensityField f = field();
  for (const ConflictRule rule :
       {ConflictRule::mean, ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
    SCOPED_TRACE(option_names(rule)[static_cast<std::size_t>(rule)]);
    SampleOptions options;
    options.method = SampleMethod::dense;
    options.conflict = rule;
    const PointSet points = run(f, options);
    ASSERT_FALSE(points.empty());
    expect_in_domain(points, f);
    expect_spacing(points, rule);
    expect_maximal(points, f, rule);
    EXPECT_EQ(run(f, options, 0, 1, 1).x, points.x);
  }
}

TEST_P(EveryField, PolishedKeepsTheRule) {
  const DensityField f = field();
  for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
    SampleOptions options;
    options.method = SampleMethod::polished;
    options.conflict = rule;
    const PointSet points = run(f, options);
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
  for (const SampleMethod method : {SampleMethod::jittered, SampleMethod::random,
                                    SampleMethod::grid, SampleMethod::halton, SampleMethod::r2}) {
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
         {SampleMethod::darts, SampleMethod::bridson, SampleMethod::elimination,
          SampleMethod::jittered, SampleMethod::random, SampleMethod::grid, SampleMethod::dense,
          SampleMethod::polished}) {
      SampleOptions options;
      options.method = method;
      SCOPED_TRACE(option_names(method)[static_cast<std::size_t>(method)]);
      const PointSet points = run(f, options, count);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      if (keeps_distance(method)) {
        expect_spacing(points, ConflictRule::mean);
      }
      if (method == SampleMethod::darts) {
        for (const ConflictRule rule :
             {ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
          options.conflict = rule;
          const PointSet other = run(f, options, count);
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
  const PointSet points = run(f, options);
  expect_in_domain(points, f);
  expect_spacing(points, ConflictRule::mean);
  expect_maximal(points, f, ConflictRule::mean);
  ASSERT_EQ(points.rank.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(points.rank[i], static_cast<std::int32_t>(i));
  }
  const PointSet again = run(f, options, 0, 1, 7);
  EXPECT_EQ(points.x, again.x);
  EXPECT_EQ(points.y, again.y);
  const PointSet counted = run(f, options, 17);
  ASSERT_EQ(counted.size(), 17u);
  expect_spacing(counted, ConflictRule::mean);
}

TEST_P(EveryField, CountsAreTheSameAtAnyThreadCount) {
  const DensityField f = field();
  for (const SampleMethod method : {SampleMethod::darts, SampleMethod::elimination}) {
    SampleOptions options;
    options.method = method;
    const PointSet one = run(f, options, 200, 5, 1);
    const PointSet other = run(f, options, 200, 5, 3);
    EXPECT_EQ(other.x, one.x);
    EXPECT_EQ(other.y, one.y);
    EXPECT_EQ(other.radius, one.radius);
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

// Both checks can fail: a point less leaves a hole, a point more is too near.
TEST_P(EveryField, ASetThatIsWrongIsFound) {
  const DensityField f = field();
  const PointSet points = run(f, {});
  Context context;
  for (const std::size_t gone : {std::size_t{0}, points.size() / 2}) {
    PointSet fewer;
    fewer.domain = points.domain;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i != gone) fewer.add(points[i], points.radius[i]);
    }
    EXPECT_FALSE(certify(fewer, f, ConflictRule::mean, context).maximal);
    const auto place_of = [&](double along, double extent, int pixels) {
      return static_cast<int>(along / extent * pixels);
    };
    const Plane<float>& map = f.radius_map();
    const int x = place_of(points.x[gone], f.domain().width, map.width());
    const int y = place_of(points.y[gone], f.domain().height, map.height());
    const Box pixel{x * f.domain().width / map.width(), y * f.domain().height / map.height(),
                    (x + 1) * f.domain().width / map.width(),
                    (y + 1) * f.domain().height / map.height()};
    std::vector<Disc> discs;
    for (std::size_t i = 0; i < fewer.size(); ++i) {
      const double r = (static_cast<double>(map(x, y)) + fewer.radius[i]) / 2;
      for (int k = 0; k < (f.domain().wrap ? 9 : 1); ++k) {
        const Vec2 shift{std::array{0, 1, -1}[static_cast<std::size_t>(k % 3)] * f.domain().width,
                         std::array{0, 1, -1}[static_cast<std::size_t>(k / 3)] * f.domain().height};
        discs.push_back({fewer[i] + shift, r});
      }
    }
    EXPECT_FALSE(cover(discs, pixel));

    PointSet more = points;
    const Vec2 near = f.domain().wrapped(
        points[gone] + Vec2{0.4 * points.radius[gone] * (points.x[gone] < 1 ? 1 : -1), 0});
    if (!f.domain().contains(near) || !std::isfinite(f.radius(near))) continue;
    more.add(near, static_cast<float>(f.radius(near)));
    const Certificate proof = certify(more, f, ConflictRule::mean, context);
    EXPECT_GT(proof.violations, 0);
    EXPECT_LT(proof.closest, 1);
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
// ----------------------------------------------------------------------------------

const std::vector<FieldCase>& wide_cases() {
  static const std::vector<FieldCase> cases = {
      {"step",
       [](bool wrap) {
         return radii(40, 40, wrap, std::nullopt,
                      [](double x, double) { return x < 20 ? 0.5 : 500; });
       }},
      {"thin_line",
       [](bool wrap) {
         return radii(60, 40, wrap, std::nullopt,
                      [](double x, double) { return x > 31 && x < 33 ? 0.2 : 200; });
       }},
      {"ramp",
       [](bool wrap) {
         return radii(64, 48, wrap, 1.0,
                      [](double x, double) { return 0.4 * std::pow(1000, x / 64); });
       }},
      {"ramp_without_limit",
       [](bool wrap) {
         return radii(64, 48, wrap, std::nullopt,
                      [](double x, double) { return 0.4 * std::pow(1000, x / 64); });
       }},
      {"checker",
       [](bool wrap) {
         return radii(48, 48, wrap, 1.0, [](double x, double y) {
           return (static_cast<int>(x / 8) + static_cast<int>(y / 8)) % 2 == 0 ? 0.5 : 500;
         });
       }},
      {"noise",
       [](bool wrap) {
         Random random(17, Stream::tests);
         return radii(48, 48, wrap, 1.0,
                      [&](double, double) { return 0.7 * std::pow(1000, random.uniform()); });
       }},
  };
  return cases;
}

class WideFields : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(WideFields, DartsAreExactAndMaximalUnderEveryRule) {
  const DensityField f = wide_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam()));
  for (const ConflictRule rule :
       {ConflictRule::mean, ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
    SCOPED_TRACE(option_names(rule)[static_cast<std::size_t>(rule)]);
    SampleOptions options;
    options.conflict = rule;
    const PointSet points = run(f, options);
    ASSERT_FALSE(points.empty());
    expect_in_domain(points, f);
    expect_spacing(points, rule);
    expect_maximal(points, f, rule);
    EXPECT_EQ(run(f, options, 0, 1, 7).x, points.x);
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, WideFields,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{6}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return wide_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

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

// Pairs nearer than the mean rule allows, by a grid of this test's own.
int count_violations(const PointSet& points) {
  const Domain& domain = points.domain;
  double largest = 0;
  for (const float r : points.radius) largest = std::max(largest, static_cast<double>(r));
  const int columns = std::max(1, static_cast<int>(domain.width / largest));
  const int rows = std::max(1, static_cast<int>(domain.height / largest));
  std::vector<std::vector<std::size_t>> cells(static_cast<std::size_t>(columns * rows));
  const auto column = [&](std::size_t i) {
    return static_cast<int>(points.x[i] / domain.width * columns);
  };
  const auto row = [&](std::size_t i) {
    return static_cast<int>(points.y[i] / domain.height * rows);
  };
  int violations = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::set<int> around;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        int u = column(i) + dx;
        int v = row(i) + dy;
        if (domain.wrap) {
          u = (u + columns) % columns;
          v = (v + rows) % rows;
        }
        if (u >= 0 && v >= 0 && u < columns && v < rows) around.insert(v * columns + u);
      }
    }
    for (const int cell : around) {
      for (const std::size_t j : cells[static_cast<std::size_t>(cell)]) {
        const double f =
            0.5 * (static_cast<double>(points.radius[i]) + static_cast<double>(points.radius[j]));
        violations += plain_distance(domain, points[i], points[j]) < f ? 1 : 0;
      }
    }
    cells[static_cast<std::size_t>(row(i) * columns + column(i))].push_back(i);
  }
  return violations;
}

TEST(Samplers, AHundredThousandExactly) {
  const DensityField constant = DensityField::constant({700, 500, true}, 1);
  const DensityField ramp =
      radii(256, 256, false, 1.0, [](double x, double) { return std::pow(10, x / 256); });
  for (const DensityField& f : {constant, ramp}) {
    const PointSet points = run(f, {}, 100000);
    EXPECT_EQ(points.size(), 100000u);
    EXPECT_EQ(count_violations(points), 0);
  }
}

// A set of many points whose largest hole and closest pair are known.
TEST(Certificate, ALatticeIsMeasuredExactly) {
  constexpr int n = 200;
  for (const bool wrap : {false, true}) {
    PointSet points;
    points.domain = {n, n, wrap};
    for (int i = 0; i < n * n; ++i) points.add({i % n + 0.5, i / n + 0.5}, 0.9f);
    Context context;
    for (const double r : {0.3, 0.9, 1.1}) {
      const DensityField f = DensityField::constant(points.domain, r);
      const Certificate proof = certify(points, f, ConflictRule::mean, context);
      EXPECT_NEAR(proof.closest, 1 / r, 1e-6);
      EXPECT_NEAR(proof.hole, std::sqrt(0.5) / r, 1.1e-3 * proof.hole);
      EXPECT_EQ(proof.violations, r < 1 ? 0 : wrap ? 2 * n * n : 2 * n * (n - 1));
      EXPECT_EQ(proof.maximal, r > std::sqrt(0.5));
    }
  }
}

// Points on one place, and none at all.
TEST(Certificate, DegenerateSetsAreProvedWrong) {
  const DensityField f = DensityField::constant({10, 10, true}, 1);
  Context context;
  PointSet points;
  points.domain = f.domain();
  EXPECT_FALSE(certify(points, f, ConflictRule::mean, context).maximal);
  for (int i = 0; i < 40; ++i) points.add({3, 3}, 1);
  const Certificate proof = certify(points, f, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 40 * 39 / 2);
  EXPECT_EQ(proof.closest, 0);
  EXPECT_NEAR(proof.hole, std::sqrt(50), 0.01);
}

double smallest_ratio(const PointSet& points) {
  const PointIndex index(points);
  std::vector<Neighbour> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    index.nearest(points[i], 1, found, static_cast<std::int32_t>(i));
    least = std::min(least, found.front().distance);
  }
  const double n = static_cast<double>(points.size());
  return least / std::sqrt(2 * points.domain.area() / (std::numbers::sqrt3 * n));
}

TEST(Dense, PacksCloselyAtAnyThreadCount) {
  SampleOptions options;
  options.method = SampleMethod::dense;
  const DensityField even = DensityField::constant({270, 201, true}, 1);
  const DensityField ramp =
      radii(128, 128, false, 1.0, [](double x, double) { return 0.3 * std::pow(10, x / 128); });
  for (const DensityField& f : {even, ramp}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const PointSet points = run(f, options, 0, seed, 1);
      EXPECT_GE(static_cast<double>(points.size()) / f.integral(), 0.88);
      EXPECT_EQ(count_violations(points), 0);
      EXPECT_EQ(run(f, options, 0, seed, 5).x, points.x);
      Context context;
      EXPECT_TRUE(certify(points, f, ConflictRule::mean, context).maximal);
    }
  }
}

TEST(Polished, IsFarFromItsNearest) {
  SampleOptions options;
  options.method = SampleMethod::polished;
  const DensityField f = DensityField::constant({128, 128, true}, 1);
  const PointSet points = run(f, options, 16384);
  EXPECT_EQ(points.size(), 16384U);
  EXPECT_GE(smallest_ratio(points), 0.9);
  EXPECT_EQ(count_violations(points), 0);
}

TEST(Samplers, ZeroStaysEmptyWhateverTheCount) {
  const DensityField f = DensityField::from_density(
      plane(60, 50, [](double x, double y) { return x > 20 && y > 30 ? x / 60 : 0.0; }),
      {60, 50, false}, 1, 1.0);
  for (const SampleMethod method :
       {SampleMethod::darts, SampleMethod::bridson, SampleMethod::jittered, SampleMethod::random}) {
    SampleOptions options;
    options.method = method;
    for (const std::int64_t count : {1, 2, 40, 500}) {
      const PointSet points = run(f, options, count);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_TRUE(points.x[i] >= 20 && points.y[i] >= 30) << points.x[i] << "," << points.y[i];
      }
    }
  }
}

TEST(Bridson, StartsWhereItIsTold) {
  const DensityField f = DensityField::constant({50, 40, false}, 3);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  options.start = "center";
  EXPECT_EQ(run(f, options)[0], (Vec2{25, 20}));
  options.start = "12.5,39.75";
  EXPECT_EQ(run(f, options)[0], (Vec2{12.5, 39.75}));
  options.start = "random";
  EXPECT_NE(run(f, options, 0, 1)[0], run(f, options, 0, 2)[0]);
  for (const char* wrong : {"60,10", "middle", "1;2", "nan,1"}) {
    options.start = wrong;
    EXPECT_THROW(run(f, options), Error) << wrong;
  }
}

TEST(Bridson, MoreTriesPackCloser) {
  const DensityField f = DensityField::constant({100, 100, true}, 2);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  std::size_t before = 0;
  for (const int tries : {1, 4, 30, 300}) {
    options.tries = tries;
    const std::size_t n = run(f, options).size();
    EXPECT_GT(n, before) << tries;
    before = n;
  }
}

// The first candidate round a lone point is always taken: its squared distance is uniform between
// r^2 and (2r)^2, its direction uniform. Kolmogorov-Smirnov at the 0.1 % level.
TEST(Bridson, TheRingIsSampledByArea) {
  const DensityField f = DensityField::constant({41, 41, false}, 10);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  options.start = "center";
  std::vector<double> areas;
  std::vector<double> angles;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const PointSet points = run(f, options, 0, seed);
    ASSERT_GT(points.size(), 1u);
    const Vec2 d = points[1] - points[0];
    areas.push_back((length_squared(d) / 100 - 1) / 3);
    angles.push_back(std::atan2(d.y, d.x) / (2 * std::numbers::pi) + 0.5);
  }
  for (std::vector<double>* values : {&areas, &angles}) {
    std::sort(values->begin(), values->end());
    double worst = 0;
    for (std::size_t i = 0; i < values->size(); ++i) {
      const double share = static_cast<double>(i) / 600;
      worst = std::max({worst, (*values)[i] - share, share + 1.0 / 600 - (*values)[i]});
    }
    EXPECT_LT(worst, 1.95 / std::sqrt(600));
  }
}

TEST(SimpleSamplers, OnePointInEachCellOfAGrid) {
  const DensityField f = DensityField::constant({120, 80, false}, 1);
  SampleOptions options;
  options.method = SampleMethod::jittered;
  const PointSet jittered = run(f, options, 96);
  options.method = SampleMethod::grid;
  const PointSet grid = run(f, options, 96);
  options.method = SampleMethod::random;
  const PointSet random = run(f, options, 96);
  std::set<std::pair<int, int>> cells_of_jittered, cells_of_grid, cells_of_random;
  for (std::size_t i = 0; i < 96; ++i) {
    const auto cell = [&](const PointSet& points) {
      return std::pair{static_cast<int>(points.x[i] / 10), static_cast<int>(points.y[i] / 10)};
    };
    cells_of_jittered.insert(cell(jittered));
    cells_of_grid.insert(cell(grid));
    cells_of_random.insert(cell(random));
    EXPECT_NEAR(std::fmod(grid.x[i], 10), 5, 1e-9);
    EXPECT_NEAR(std::fmod(grid.y[i], 10), 5, 1e-9);
  }
  EXPECT_EQ(cells_of_jittered.size(), 96u);
  EXPECT_EQ(cells_of_grid.size(), 96u);
  EXPECT_LT(cells_of_random.size(), 80u);  // 61 are expected
}

}  // namespace
}  // namespace dapple
