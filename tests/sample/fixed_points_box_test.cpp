// Points of volumes and of classes round others that are there: exact against all pairs and maximal
// by probes in double, whatever radii and classes the kept ones have.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <numeric>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using Place = std::array<double, 4>;  // 0 along sides that there are not

struct Space {
  Place side;
  bool wrap;
};

double distance(const Space& space, const Place& a, const Place& b) {
  double square = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double d = std::abs(a[i] - b[i]);
    if (space.wrap) d = std::min(d, space.side[i] - d);
    square += d * d;
  }
  return std::sqrt(square);
}

Place place_of(const Points& points, std::size_t i) {
  return {points.x[i], points.y[i], points.z.empty() ? 0 : points.z[i],
          points.w.empty() ? 0 : points.w[i]};
}

// By chance, of which some are of no radius and some near each other.
Points some_points(const Space& space, std::size_t count, const std::vector<float>& radii) {
  Points points;
  points.domain = {space.side[0], space.side[1], space.wrap};
  points.depth = space.side[2];
  points.extent = space.side[3];
  Random random(11, Stream::tests);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = random.uniform() * space.side[0];
    points.add({x, random.uniform() * space.side[1]}, radii[i % radii.size()]);
    if (space.side[2] > 0) points.z.push_back(random.uniform() * space.side[2]);
    if (space.side[3] > 0) points.w.push_back(random.uniform() * space.side[3]);
  }
  return points;
}

// What is asked of a new point and another new one, or a kept one.
struct Asked {
  std::function<double(std::size_t, std::size_t)> of_new;
  std::function<double(std::size_t, std::size_t)> of_kept;
};

double closest(const Space& space, const Points& points, const Points& kept, const Asked& asked) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(
          least, distance(space, place_of(points, i), place_of(points, j)) / asked.of_new(i, j));
    }
    for (std::size_t j = 0; j < kept.size(); ++j) {
      least = std::min(
          least, distance(space, place_of(points, i), place_of(kept, j)) / asked.of_kept(i, j));
    }
  }
  return least;
}

// Places by chance with room for a point of radius or class `own`.
template <class OfNew, class OfKept>
int open_places(const Space& space, const Points& points, const Points& kept, int probes,
                const OfNew& of_new, const OfKept& of_kept) {
  Random random(5, Stream::tests);
  int open = 0;
  for (int n = 0; n < probes; ++n) {
    Place at{};
    for (std::size_t a = 0; a < 4; ++a) at[a] = random.uniform() * space.side[a];
    bool free = true;
    for (std::size_t j = 0; j < points.size() && free; ++j) {
      free = distance(space, at, place_of(points, j)) > 1.00002 * of_new(at, j);
    }
    for (std::size_t j = 0; j < kept.size() && free; ++j) {
      free = distance(space, at, place_of(kept, j)) > 1.00002 * of_kept(at, j);
    }
    open += free ? 1 : 0;
  }
  return open;
}

double exclusion_distance(ConflictRule rule, float kept, double asked) {
  return kept > 0 ? rule_distance(rule, static_cast<double>(kept), asked) : asked;
}

const std::vector<float> mixed{0.0f, 3.0f, 0.7f, 1.0f, 2.0f};

TEST(KeptSpace, VolumesAreFilledExactly) {
  for (const bool wrap : {false, true}) {
    for (const auto rule : {ConflictRule::mean, ConflictRule::max, ConflictRule::min}) {
      SCOPED_TRACE(static_cast<int>(rule) + (wrap ? 10 : 0));
      Context context;
      const Space space{{11, 9, 8, 0}, wrap};
      const Points there = some_points(space, 40, mixed);
      const Domain domain{11, 9, wrap};
      const FixedPoints kept{&there, rule};
      const Points points = sample_volume(domain, 8, 0, 1, context, false, kept);
      ASSERT_GT(points.size(), 50u);
      const auto off = [&](std::size_t, std::size_t j) {
        return exclusion_distance(rule, there.radius[j], 1);
      };
      const double least =
          closest(space, points, there, {[](std::size_t, std::size_t) { return 1.0; }, off});
      EXPECT_GE(least, 1);
      EXPECT_EQ(open_places(
                    space, points, there, 20000, [](const Place&, std::size_t) { return 1.0; },
                    [&](const Place&, std::size_t j) {
                      return exclusion_distance(rule, there.radius[j], 1);
                    }),
                0);
      const Certificate proof = certify_volume(points, 1, context, 1e-5, kept);
      EXPECT_EQ(proof.violations, 0);
      EXPECT_EQ(proof.holes, 0);
      EXPECT_NEAR(proof.closest, least, 1e-6);
      // The proof sees the kept ones: without them there is room, and one on top of them is wrong.
      EXPECT_GT(certify_volume(points, 1, context).holes, 0);
      Points wrong = points;
      wrong.x[3] = there.x[1];
      wrong.y[3] = there.y[1];
      wrong.z[3] = there.z[1];
      EXPECT_GT(certify_volume(wrong, 1, context, 1e-5, kept).violations, 0);
    }
  }
}

TEST(KeptSpace, KeptPointsThatAreLargeHoldOffAllRound) {
  Context context;
  const Space space{{12, 12, 12, 0}, true};
  Points there = some_points(space, 1, {17.0f});
  const FixedPoints kept{&there, ConflictRule::mean};
  const Points points = sample_volume({12, 12, true}, 12, 0, 1, context, false, kept);
  // 9 of the 10.4 that lie between it and the farthest place of the torus.
  ASSERT_GT(points.size(), 10u);
  const auto nine = [](const auto&, std::size_t) { return 9.0; };
  const auto one = [](const auto&, std::size_t) { return 1.0; };
  EXPECT_GE(closest(space, points, there, {one, nine}), 1);
  EXPECT_EQ(open_places(space, points, there, 20000, one, nine), 0);
  there.radius[0] = 40;
  EXPECT_EQ(sample_volume({12, 12, true}, 12, 0, 1, context, false, kept).size(), 0u);
}

TEST(KeptSpace, FourDimensionsToo) {
  Context context;
  const Space space{{4.5, 4, 5, 4}, true};
  const Points there = some_points(space, 12, mixed);
  const FixedPoints kept{&there, ConflictRule::mean};
  const Points points = sample_4d({4.5, 4, 5, 4}, true, 0, 1, context, false, kept);
  ASSERT_GT(points.size(), 30u);
  const auto one = [](const auto&, std::size_t) { return 1.0; };
  const auto off = [&](const auto&, std::size_t j) {
    return exclusion_distance(ConflictRule::mean, there.radius[j], 1);
  };
  EXPECT_GE(closest(space, points, there, {one, off}), 1);
  EXPECT_EQ(open_places(space, points, there, 20000, one, off), 0);
  const Certificate proof = certify_volume(points, 1, context, 1e-5, kept);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
}

TEST(KeptSpace, RadiiThatVaryGoRoundThem) {
  for (const bool wrap : {false, true}) {
    for (const auto rule : {ConflictRule::mean, ConflictRule::max}) {
      Context context;
      Voxels radius{12, 10, 9, {}};
      for (int i = 0; i < 12 * 10 * 9; ++i) {
        radius.values.push_back(static_cast<float>(0.8 + 0.2 * (i % 12)));
      }
      VolumeRules rules;
      rules.wrap = wrap;
      const VolumeField field = VolumeField::from_radius(radius, rules, context);
      const Space space{{12, 10, 9, 0}, wrap};
      const Points there = some_points(space, 25, {0.0f, 3.0f, 0.4f, 1.2f});
      const FixedPoints kept{&there, rule};
      const auto radius_at = [&](const Place& at) { return field.radius({at[0], at[1], at[2]}); };
      const auto of_there = [&](std::size_t j) {
        return there.radius[j] > 0 ? static_cast<double>(there.radius[j])
                                   : radius_at(place_of(there, j));
      };
      const Points points = sample_volume(field, rule, 0, context, false, kept).points;
      const auto r = [&](std::size_t i) { return static_cast<double>(points.radius[i]); };
      const double least = closest(
          space, points, there,
          {[&](std::size_t i, std::size_t j) { return rule_distance(rule, r(i), r(j)); },
           [&](std::size_t i, std::size_t j) { return rule_distance(rule, r(i), of_there(j)); }});
      EXPECT_GE(least, 1);
      EXPECT_EQ(open_places(
                    space, points, there, 20000,
                    [&](const Place& at, std::size_t j) {
                      return rule_distance(rule, radius_at(at), r(j));
                    },
                    [&](const Place& at, std::size_t j) {
                      return rule_distance(rule, radius_at(at), of_there(j));
                    }),
                0);
      const Certificate proof = certify_volume(points, field, rule, context, 2e-5, kept);
      EXPECT_EQ(proof.violations, 0);
      EXPECT_EQ(proof.holes, 0);
      EXPECT_GT(certify_volume(points, field, rule, context).holes, 0);
    }
  }
}

// As class_distances() has it for the rules that a test can write down.
double apart(ClassDistance rule, double a, double b) {
  return a == b                       ? a
         : rule == ClassDistance::min ? std::min(a, b)
         : rule == ClassDistance::max ? std::max(a, b)
                                      : (a + b) / 2;
}

TEST(KeptSpace, ClassesGoRoundPointsOfClassesAndOfRadii) {
  const std::vector<double> radii{3, 1.5, 1};
  for (const double depth : {0.0, 9.0}) {
    for (const bool by_class : {true, false}) {
      for (const auto between : {ClassDistance::mean, ClassDistance::max, ClassDistance::min}) {
        SCOPED_TRACE(depth + (by_class ? 100 : 0) + 1000 * static_cast<int>(between));
        Context context;
        const double side = depth > 0 ? 10 : 30;
        const Space space{{side, side, depth, 0}, true};
        Points there = some_points(space, 20, mixed);
        if (by_class) {
          for (std::size_t i = 0; i < there.size(); ++i) {
            there.class_id.push_back(static_cast<std::int32_t>(i % 3));
          }
        }
        ClassOptions options;
        options.radii = radii;
        options.distance = between;
        options.certify = true;
        options.shares = {0.05, 0.35, 0.6};
        const FixedPoints kept{&there, ConflictRule::mean};
        const Points points = sample_classes({side, side, true}, depth, options, 0, context, kept);
        ASSERT_GT(points.size(), 20u);
        const auto of_class = [&](std::int32_t c) { return radii[static_cast<std::size_t>(c)]; };
        const auto of_new = [&](double own, std::size_t j) {
          return apart(between, own, of_class(points.class_id[j]));
        };
        const auto of_kept = [&](double own, std::size_t j) {
          return by_class ? apart(between, own, of_class(there.class_id[j]))
                          : exclusion_distance(ConflictRule::mean, there.radius[j], own);
        };
        const auto own = [&](std::size_t i) { return of_class(points.class_id[i]); };
        EXPECT_GE(closest(space, points, there,
                          {[&](std::size_t i, std::size_t j) { return of_new(own(i), j); },
                           [&](std::size_t i, std::size_t j) { return of_kept(own(i), j); }}),
                  1);
        for (const double r : radii) {
          EXPECT_EQ(open_places(
                        space, points, there, 5000,
                        [&](const Place&, std::size_t j) { return of_new(r, j); },
                        [&](const Place&, std::size_t j) { return of_kept(r, j); }),
                    0);
        }
      }
    }
  }
}

TEST(KeptSpace, BeginningsOfProgressiveSetsGoRoundThem) {
  Context context;
  const Space space{{12, 12, 12, 0}, true};
  const Points there = some_points(space, 30, {0.0f, 2.0f});
  const FixedPoints kept{&there, ConflictRule::mean};
  const Points points = sample_volume({12, 12, true}, 12, 0, 1, context, true, kept);
  const auto one = [](const auto&, std::size_t) { return 1.0; };
  const auto off = [&](const auto&, std::size_t j) {
    return exclusion_distance(ConflictRule::mean, there.radius[j], 1);
  };
  EXPECT_GE(closest(space, points, there, {one, off}), 1);
  EXPECT_EQ(open_places(space, points, there, 20000, one, off), 0);
  const Certificate proof = certify_volume(points, 1, context, 1e-5, kept);
  EXPECT_EQ(proof.violations + proof.holes, 0);
  // The first of them hold off farther, from each other and from those that are there: a set of
  // more than twice as many has room for all of a beginning, kept ones included.
  for (const std::size_t first : {std::size_t{60}, std::size_t{200}, points.size() / 2}) {
    Points begin = points;
    for (auto* column : {&begin.x, &begin.y, &begin.z}) column->resize(first);
    begin.radius.resize(first);
    const double spacing =
        std::cbrt(0.2 * 12 * 12 * 12 / static_cast<double>(first + there.size()));
    const auto wide = [&](const auto&, std::size_t) { return spacing; };
    const auto wide_off = [&](const auto&, std::size_t j) {
      return exclusion_distance(ConflictRule::mean, there.radius[j], spacing);
    };
    EXPECT_GE(closest(space, begin, there, {wide, wide_off}), 1);
  }
}

PointsOptions options_round(Points there) {
  PointsOptions options;
  options.sample.keep.points = std::make_shared<const Points>(std::move(there));
  options.sample.wrap = true;
  options.sample.certify = true;
  return options;
}

TEST(KeptSpace, CountsAreOfAllAndKeptOnesComeFirstWithTheirColumns) {
  Context context;
  const Space space{{16, 16, 16, 0}, true};
  Points there = some_points(space, 20, mixed);
  for (std::size_t i = 0; i < there.size(); ++i) there.object_size.push_back(5);
  PointsOptions options = options_round(there);
  options.size.width = options.size.height = options.size.depth = 16;
  options.field.count = 500;
  options.sample.progressive = true;
  const Points all = make_points(nullptr, options, context);
  ASSERT_EQ(all.size(), 500u);
  ASSERT_EQ(all.z.size(), 500u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all.rank[i], static_cast<int>(i));
  for (std::size_t i = 0; i < there.size(); ++i) {
    EXPECT_EQ(place_of(all, i), place_of(there, i));
    EXPECT_EQ(all.object_size[i], 5);
    EXPECT_GT(all.radius[i], 0);
    if (there.radius[i] > 0) {
      EXPECT_EQ(all.radius[i], there.radius[i]);
    }
  }
  options.sample.only_new = true;
  const Points fresh = make_points(nullptr, options, context);
  EXPECT_EQ(fresh.size(), 500u);
  EXPECT_TRUE(fresh.object_size.empty());
  options.sample.only_new = false;
  options.field.count = 20;
  EXPECT_THROW(make_points(nullptr, options, context), Error);
}

TEST(KeptSpace, ClassesOfKeptPointsStay) {
  Context context;
  const Space space{{200, 200, 0, 0}, true};
  Points there = some_points(space, 12, {0.0f, 20.0f});
  PointsOptions options = options_round(there);
  options.size.width = options.size.height = 200;
  options.class_radius = "18,9,5";
  const Points by_radius = make_points(nullptr, options, context);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(by_radius.class_id[i], 3);
  for (std::size_t i = 12; i < by_radius.size(); ++i) EXPECT_LT(by_radius.class_id[i], 3);
  there.class_id.assign(12, 1);
  options.sample.keep.points = std::make_shared<const Points>(there);
  const Points by_class = make_points(nullptr, options, context);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(by_class.class_id[i], 1);
  EXPECT_EQ(by_class.radius[0], 9);
  EXPECT_EQ(by_class.radius[1], 20);
}

TEST(KeptSpace, SaysWhatIsWrong) {
  const auto said = [&](Points there, const auto& change) {
    PointsOptions options = options_round(std::move(there));
    options.size.width = options.size.height = 16;
    change(options);
    Context context;
    try {
      make_points(nullptr, options, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto deep = [](PointsOptions& options) {
    options.size.depth = 16;
    options.field.radius = {{2, Unit::px}, {2, Unit::px}};
  };
  const auto classes = [](PointsOptions& options) { options.class_radius = "4,2"; };
  Points there;
  there.add({3, 3}, 1);
  EXPECT_NE(said(there, deep).find("column z"), std::string::npos);
  there.z = {17};
  EXPECT_NE(said(there, deep).find("(3, 3, 17) is outside the domain of 16 x 16 x 16"),
            std::string::npos);
  EXPECT_NE(said(there, classes).find("z = 17"), std::string::npos);
  there.z = {1};
  EXPECT_EQ(said(there, deep), "");
  EXPECT_NE(said(there,
                 [&](PointsOptions& options) {
                   deep(options);
                   options.sample.conflict = ConflictRule::candidate;
                 })
                .find("mean, min or max"),
            std::string::npos);
  there.z.clear();
  EXPECT_EQ(said(there, classes), "");
  there.class_id = {2};
  EXPECT_NE(said(there, classes).find("point 1 has class 2"), std::string::npos);
  there.class_id = {-1};
  EXPECT_NE(said(there, classes).find("point 1 has class -1"), std::string::npos);
}

}  // namespace
}  // namespace dapple
