// Where points may stand: --inset and --keep, against brute force in double.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "field/inset.hpp"
#include "fields.hpp"

namespace dapple {
namespace {

constexpr float forbidden = std::numeric_limits<float>::infinity();

// A ring with a dented outline and two holes: r grows from left to right, 0 is forbidden.
double shape(double x, double y, double size) {
  const double u = x / size - 0.5;
  const double v = y / size - 0.5;
  const double away = std::hypot(u, v);
  const double outline = 0.42 + 0.05 * std::cos(7 * std::atan2(v, u));
  if (away > outline || away < 0.1 || std::hypot(u - 0.2, v + 0.2) < 0.04) return 0;
  return 1 + 2 * x / size;
}

// Shortest way from a place to a box, over the seam where the domain wraps.
double to_box(const Domain& domain, Vec2 p, const Box& box) {
  double best = 1e300;
  for (int k = 0; k < (domain.wrap ? 9 : 1); ++k) {
    const Vec2 q{p.x + (k % 3 - (domain.wrap ? 1 : 0)) * domain.width,
                 p.y + (k / 3 - (domain.wrap ? 1 : 0)) * domain.height};
    best = std::min(best, std::hypot(std::max({0.0, box.x0 - q.x, q.x - box.x1}),
                                     std::max({0.0, box.y0 - q.y, q.y - box.y1})));
  }
  return best;
}

double to_forbidden(const Plane<float>& r, const Domain& domain, Vec2 p) {
  double best = 1e300;
  const double w = domain.width / r.width();
  const double h = domain.height / r.height();
  for (int y = 0; y < r.height(); ++y) {
    for (int x = 0; x < r.width(); ++x) {
      if (std::isfinite(r(x, y)) && r(x, y) > 0) continue;
      best = std::min(best, to_box(domain, p, {x * w, y * h, (x + 1) * w, (y + 1) * h}));
    }
  }
  if (domain.wrap) return best;
  return std::min({best, p.x, p.y, domain.width - p.x, domain.height - p.y});
}

TEST(Inset, ForbidsThePixelsThatBruteForceForbids) {
  Random random(3, Stream::tests);
  for (const bool wrap : {false, true}) {
    for (const Domain& domain : {Domain{31, 23, wrap}, Domain{31 * 0.7, 23 * 1.3, wrap}}) {
      for (const bool discs : {false, true}) {
        Plane<float> map(31, 23);
        for (float& r : map.values()) {
          r = random.uniform() < 0.02 ? forbidden : static_cast<float>(1 + 3 * random.uniform());
        }
        Plane<float> result = map;
        forbid_near(result, domain, 1.6, discs, Context());
        const double w = domain.width / 31;
        const double h = domain.height / 23;
        for (int y = 0; y < 23; ++y) {
          for (int x = 0; x < 31; ++x) {
            if (map(x, y) == forbidden) continue;
            // The nearest places of two boxes: move one along the other's center, half sides off.
            double gap = 1e300;
            for (int j = 0; j < 23; ++j) {
              for (int i = 0; i < 31; ++i) {
                if (map(i, j) != forbidden) continue;
                const Vec2 center{(x + 0.5) * w, (y + 0.5) * h};
                gap = std::min(
                    gap, to_box(domain, center,
                                {(i - 0.5) * w, (j - 0.5) * h, (i + 1.5) * w, (j + 1.5) * h}));
              }
            }
            if (!wrap) gap = std::min({gap, x * w, y * h, (30 - x) * w, (22 - y) * h});
            const double wanted = 1.6 + (discs ? 0.5 * static_cast<double>(map(x, y)) : 0);
            if (std::abs(gap - wanted) < 1e-9) continue;
            EXPECT_EQ(result(x, y) == forbidden, gap < wanted) << x << ", " << y;
          }
        }
      }
    }
  }
}

TEST(Inset, KeepsPointsAndDiscsInsideAnyShape) {
  constexpr int size = 90;
  for (const bool wrap : {false, true}) {
    const Domain domain{size, size, wrap};
    const auto map = plane(size, size, [](double x, double y) { return shape(x, y, size); });
    const DensityField whole = DensityField::from_radius(map, domain, 1.0);
    for (const bool discs : {false, true}) {
      const DensityField field =
          whole.with_inset(2.5, discs ? Containment::discs : Containment::points);
      for (const std::int64_t count : {0, 150}) {
        SampleOptions options;
        options.certify = count == 0;
        const Points points = run(field, options, count);
        EXPECT_GT(points.size(), 100u);
        double nearest = 1e300;
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double own = discs ? 0.5 * static_cast<double>(points.radius[i]) : 0;
          nearest = std::min(nearest, to_forbidden(map, domain, points[i]) - own);
        }
        EXPECT_GE(nearest, 2.5 - 1e-9);
        // No more than the pixel that the promise may cost.
        if (count == 0) {
          EXPECT_LT(nearest, 2.5 + 1.5);
        }
      }
    }
  }
}

TEST(Inset, OfARectangleIsExactToThePixel) {
  const DensityField whole = DensityField::constant({100, 60, false}, 3);
  const Points points = run(whole.with_inset(7, Containment::points), {});
  const auto [low, high] = std::minmax_element(points.x.begin(), points.x.end());
  EXPECT_GE(*low, 7);
  EXPECT_LT(*low, 8);
  EXPECT_LE(*high, 93);
  EXPECT_GT(*high, 92);
  // Small radii get pixels of their own size: 0.3 of 1 pixel is no reason to lose a whole one.
  const Points fine =
      run(DensityField::constant({4, 4, false}, 0.1).with_inset(0.3, Containment::points), {});
  const double first = *std::min_element(fine.y.begin(), fine.y.end());
  EXPECT_GE(first, 0.3);
  EXPECT_LT(first, 0.36);
}

TEST(Inset, SaysWhereNothingIsLeft) {
  const DensityField whole = DensityField::constant({100, 60, false}, 3);
  EXPECT_THROW(whole.with_inset(31, Containment::points), Error);
  EXPECT_NO_THROW(whole.with_inset(29, Containment::points));
}

// Obstacles of all sizes, a few of them too near to each other and some without a radius.
std::shared_ptr<const Points> obstacles(const Domain& domain) {
  auto kept = std::make_shared<Points>();
  kept->domain = domain;
  Random random(8, Stream::tests);
  for (int i = 0; i < 25; ++i) {
    const Vec2 p{random.uniform() * domain.width, random.uniform() * domain.height};
    kept->add(p, static_cast<float>(i % 4 == 0 ? 0 : 0.3 * std::pow(80, random.uniform())));
  }
  kept->add({0, 0}, 9);
  kept->add({0.5, 0.25}, 2);
  return kept;
}

// Pairs with a new point that are too near.
int violations(const Points& points, std::size_t kept, ConflictRule rule) {
  int pairs = 0;
  for (std::size_t i = kept; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double f = rule_distance(rule, static_cast<double>(points.radius[i]),
                                     static_cast<double>(points.radius[j]));
      pairs += plain_distance(points.domain, points[i], points[j]) < f ? 1 : 0;
    }
  }
  return pairs;
}

// Places of a fine grid where one more point would fit with room to spare.
int open_places(const Points& points, const DensityField& field, ConflictRule rule) {
  constexpr int steps = 130;
  int open = 0;
  for (int j = 0; j < steps; ++j) {
    for (int i = 0; i < steps; ++i) {
      const Vec2 p{(i + 0.5) * field.domain().width / steps,
                   (j + 0.5) * field.domain().height / steps};
      const double r = field.radius(p);
      if (!std::isfinite(r)) continue;
      bool covered = false;
      for (std::size_t k = 0; k < points.size() && !covered; ++k) {
        const double f = rule_distance(rule, r, static_cast<double>(points.radius[k]));
        covered = plain_distance(points.domain, p, points[k]) < f * 1.000005;
      }
      open += covered ? 0 : 1;
    }
  }
  return open;
}

std::vector<DensityField> fields(bool wrap) {
  const Domain domain{90, 80, wrap};
  return {
      DensityField::constant(domain, 3.1),
      DensityField::from_radius(
          plane(90, 80, [](double x, double) { return 0.9 * std::pow(12, x / 90); }), domain, 1.0),
      DensityField::from_radius(plane(90, 80,
                                      [](double x, double y) {
                                        return std::hypot(x - 40, y - 40) < 25 ? 0.0 : 2 + x / 50;
                                      }),
                                domain, std::nullopt),
      // Wild enough for the sampler that goes tile after tile.
      DensityField::from_radius(plane(90, 80,
                                      [](double x, double y) {
                                        const auto i = static_cast<std::uint64_t>(x + 90 * y);
                                        return 0.8 * std::pow(60, to_unit(hash(4, i)));
                                      }),
                                domain, std::nullopt)};
}

TEST(Keep, IsFilledRoundByDartsExactlyAndWithoutGaps) {
  for (const bool wrap : {false, true}) {
    for (const DensityField& field : fields(wrap)) {
      for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
        SampleOptions options;
        options.conflict = rule;
        options.keep.points = obstacles(field.domain());
        options.certify = true;
        const Points points = run(field, options);
        const std::size_t kept = options.keep.points->size();
        ASSERT_GT(points.size(), kept);
        for (std::size_t i = 0; i < kept; ++i) {
          ASSERT_EQ(points[i], (*options.keep.points)[i]);
          ASSERT_GT(points.radius[i], 0);
        }
        EXPECT_EQ(violations(points, kept, rule), 0);
        EXPECT_EQ(open_places(points, field, rule), 0);
        // The same, by itself; and at any number of threads.
        options.only_new = true;
        const Points fresh = run(field, options, 0, 1, 7);
        EXPECT_EQ(fresh.x,
                  std::vector<double>(points.x.begin() + static_cast<long>(kept), points.x.end()));
      }
    }
  }
}

TEST(Keep, TheCheckOfCoverageCanFail) {
  const DensityField field = DensityField::constant({90, 80, true}, 3.1);
  Points points = run(field, {});
  EXPECT_EQ(open_places(points, field, ConflictRule::mean), 0);
  points.x.resize(points.size() / 2);
  points.y.resize(points.x.size());
  points.radius.resize(points.x.size());
  EXPECT_GT(open_places(points, field, ConflictRule::mean), 0);
}

TEST(Keep, PointsOfSpaceAreRefusedInThePlane) {
  const DensityField field = DensityField::constant({90, 80, true}, 3.1);
  Points kept = *obstacles(field.domain());
  kept.z.assign(kept.size(), 0);
  SampleOptions options;
  options.keep.points = std::make_shared<const Points>(kept);
  EXPECT_TRUE(run(field, options).z.empty());
  kept.z.back() = 2;
  options.keep.points = std::make_shared<const Points>(kept);
  EXPECT_THROW(run(field, options), Error);
}

TEST(Keep, IsFilledRoundByBridson) {
  for (const bool wrap : {false, true}) {
    for (const DensityField& field : fields(wrap)) {
      SampleOptions options;
      options.method = SampleMethod::bridson;
      options.keep.points = obstacles(field.domain());
      const Points points = run(field, options);
      EXPECT_GT(points.size(), 100u);
      EXPECT_EQ(violations(points, options.keep.points->size(), options.conflict), 0);
    }
  }
}

TEST(Keep, CountsAreExactWithTheKeptPointsInThem) {
  const DensityField field = fields(true)[1];
  SampleOptions options;
  options.keep.points = obstacles(field.domain());
  const std::size_t kept = options.keep.points->size();
  for (const std::size_t count : {kept, kept + 1, std::size_t{200}, std::size_t{3000}}) {
    const Points points = run(field, options, static_cast<std::int64_t>(count));
    EXPECT_EQ(points.size(), count);
    EXPECT_EQ(violations(points, kept, options.conflict), 0);
  }
  EXPECT_THROW(run(field, options, static_cast<std::int64_t>(kept) - 1), Error);
  options.only_new = true;
  EXPECT_EQ(run(field, options, 200).size(), 200u);
}

TEST(Keep, ColumnsGoOn) {
  const DensityField field = DensityField::constant({90, 80, false}, 9);
  auto kept = std::make_shared<Points>();
  kept->domain = field.domain();
  kept->add({10, 10}, 9);
  kept->add({40, 40}, 9);
  kept->class_id = {3, 1};
  kept->rank = {1, 0};
  SampleOptions options;
  options.keep.points = kept;
  const Points points = run(field, options);
  ASSERT_GT(points.size(), 10u);
  EXPECT_NO_THROW(validate(points));
  for (std::size_t i = 2; i < points.size(); ++i) {
    EXPECT_EQ(points.class_id[i], 4);
    EXPECT_EQ(points.rank[i], static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(points.class_id[0], 3);
  EXPECT_EQ(points.rank[0], 1);
}

TEST(Keep, SaysWhatIsWrong) {
  const DensityField field = DensityField::constant({90, 80, false}, 9);
  const auto outcome = [&](Points kept, SampleMethod method = SampleMethod::darts) {
    SampleOptions options;
    options.method = method;
    options.keep.points = std::make_shared<Points>(std::move(kept));
    Context context;
    try {
      sample(field.domain(), field, options, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return context.warnings().empty() ? std::string() : context.warnings().front();
  };
  Points one;
  one.domain = field.domain();
  one.add({50, 50}, 9);
  EXPECT_EQ(outcome(one), "");
  EXPECT_NE(outcome(one, SampleMethod::random).find("keeps distances"), std::string::npos);
  Points outside = one;
  outside.domain.width = 200;
  outside.add({90, 10}, 9);
  EXPECT_NE(outcome(outside).find("point 2 at (90, 10) is outside the domain of 90 x 80"),
            std::string::npos);
  Points other = one;
  other.domain = {200, 160, false};
  EXPECT_NE(outcome(other).find("made for 200 x 160, not for 90 x 80"), std::string::npos);
  Points close = one;
  close.add({52, 50}, 9);
  EXPECT_NE(outcome(close).find("1 pair of the points of `keep` is closer"), std::string::npos);
}

// ---- point sets by options ----------------------------------------------------------------------

TEST(PointsOptions, MakeWhatTheStagesMakeByHand) {
  Context context;
  PointsOptions options;
  options.size = {90, 80};
  options.sample.wrap = true;
  from_text("4", options.field.radius);
  const DensityField field = DensityField::constant({90, 80, true}, 4);
  EXPECT_EQ(make_points(nullptr, options, context).x, sample(field.domain(), field, {}, context).x);
  options.field = {};
  EXPECT_NEAR(static_cast<double>(make_points(nullptr, options, context).size()), 10000, 100);
  options.field.count = 300;
  options.sample.wrap = false;
  options.inset = {6, Unit::px};
  const Points inside = make_points(nullptr, options, context);
  EXPECT_EQ(inside.size(), 300u);
  for (const double x : inside.x) EXPECT_TRUE(x >= 6 && x <= 84);
}

TEST(PointsOptions, CutWindowsAndMakeTiles) {
  Context context;
  PointsOptions options;
  from_text("-20,10,50.5,60", options.window);
  EXPECT_EQ(to_text(options.window), "-20,10,50.5,60");
  EXPECT_THROW(make_points(nullptr, options, context), Error);  // no radius
  from_text("3", options.field.radius);
  const Points cut = make_points(nullptr, options, context);
  EXPECT_EQ(cut.x, sample_window(3, options.window, context).x);
  options.wang = 2;
  EXPECT_THROW(make_points(nullptr, options, context), Error);
  options.window = {};
  options.size = {32, 32};
  EXPECT_EQ(make_points(nullptr, options, context).x, wang_tiles(32, 3, 2, context).x);
  for (const char* text : {"1,2,3", "5,0,0,10", "0,0,1,x"}) {
    EXPECT_THROW(from_text(text, options.window), Error) << text;
  }
}

}  // namespace
}  // namespace dapple
