// Tries the promises of every space on models: a space with the radii of its points.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/error.hpp"
#include "distributions.hpp"
#include "space_models.hpp"

namespace dapple {
namespace {

class Spaces : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Model& model() const { return models()[GetParam()]; }
  Points made(SampleOptions options) {
    options.conflict = model().radii.rule;
    return sample(model().space, model().radii, options, context);
  }
  Context context;
};
INSTANTIATE_TEST_SUITE_P(All, Spaces, ::testing::Range(std::size_t{0}, models().size()),
                         [](const auto& info) {
                           std::string name = models()[info.param].name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

// A report has the number of points, and no violations if it counts them.
void expect_figures(const QualityReport& report) {
  bool has_count = false;
  for (const Measurement& one : report.measurements) {
    has_count = has_count || ((one.name == "points" || one.name == "N") && one.value > 100);
    if (one.name == "violations" || one.name == "outside") {
      EXPECT_EQ(one.value, 0);
    }
    if (one.name == "kappa") {
      EXPECT_GT(one.value, 0.35);
      EXPECT_LT(one.value, 1.3);
    }
  }
  EXPECT_TRUE(has_count);
}

TEST_P(Spaces, ASetIsExactAndMaximalForAnyThreads) {
  SampleOptions options;
  options.certify = true;
  context.threads = 1;
  const Points points = made(options);
  ASSERT_GT(points.size(), 100U);
  const Certificate proof = certify(points, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_TRUE(proof.maximal());
  EXPECT_GE(proof.closest, 1);
  expect_figures(analyze_points(points, context));
  for (const int threads : {2, 7}) {
    context.threads = threads;
    const Points again = made({});
    EXPECT_EQ(again.x, points.x);
    EXPECT_EQ(again.y, points.y);
    EXPECT_EQ(again.z, points.z);
    EXPECT_EQ(again.class_id, points.class_id);
  }
}

// Returns a set without points, of the same domain.
Points empty_like(const Points& points) {
  Points none;
  none.domain = points.domain;
  none.depth = points.depth;
  none.extent = points.extent;
  return none;
}

TEST_P(Spaces, AProofFindsDamage) {
  const Points points = made({});
  for (const std::size_t gone : {std::size_t{0}, points.size() / 2, points.size() - 1}) {
    Points fewer = points;
    Points none = empty_like(points);
    none.space = points.space;
    none.radii = points.radii;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i != gone) none.append(points, i);
    }
    EXPECT_FALSE(certify(none, context).maximal()) << gone;
    EXPECT_THROW(verify(none, context), Error) << gone;
    fewer.append(points, gone);  // twice at one place
    const Certificate proof = certify(fewer, context);
    EXPECT_EQ(proof.violations, 1) << gone;
    EXPECT_EQ(proof.closest, 0) << gone;
  }
  Points unknown = points;
  unknown.radii = nullptr;
  EXPECT_THROW(certify(unknown, context), Error);
}

TEST_P(Spaces, CountsAreExact) {
  const auto all = static_cast<std::int64_t>(made({}).size());
  for (const std::int64_t count : {std::int64_t{1}, std::int64_t{17}, all / 2, 2 * all}) {
    SampleOptions options;
    options.count = count;
    const Points points = made(options);
    EXPECT_EQ(points.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(certify(points, context).violations, 0) << count;
  }
  SampleOptions negative;
  negative.count = -1;
  EXPECT_THROW(made(negative), Error);
}

TEST_P(Spaces, FixedPointsStayAndNewOnesFillTheRest) {
  const Points before = made({});
  Points kept = empty_like(before);
  for (std::size_t i = 0; i < before.size(); i += 5) kept.append(before, i);
  kept.radius.clear();
  SampleOptions options;
  options.certify = true;
  options.keep.points = std::make_shared<const Points>(kept);
  context.seed = 7;
  EXPECT_NE(made({}).x, before.x);
  const Points points = made(options);
  ASSERT_EQ(points.fixed, kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(points.x[i], kept.x[i]);
    EXPECT_EQ(points.y[i], kept.y[i]);
    EXPECT_TRUE(kept.z.empty() || points.z[i] == kept.z[i]);
    EXPECT_GT(points.radius[i], 0);
  }
  const Certificate proof = certify(points, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_TRUE(proof.maximal());
  options.only_new = true;
  const Points fresh = made(options);
  EXPECT_EQ(fresh.size() + kept.size(), points.size());
  EXPECT_EQ(fresh.fixed, 0U);
  EXPECT_TRUE(certify(fresh, context).maximal());
  options.only_new = false;
  options.certify = false;
  options.count = static_cast<std::int64_t>(points.size()) + 3;
  EXPECT_EQ(made(options).size(), points.size() + 3);
  options.count = static_cast<std::int64_t>(kept.size()) - 1;
  EXPECT_THROW(made(options), Error);
}

TEST_P(Spaces, AProofLooksAtFixedPoints) {
  const Points before = made({});
  Points kept = empty_like(before);
  for (std::size_t i = 0; i < before.size(); i += 3) kept.append(before, i);
  SampleOptions options;
  options.keep.points = std::make_shared<const Points>(kept);
  options.only_new = true;
  context.seed = 7;
  context.threads = 1;
  const Points points = made(options);
  context.threads = 3;
  EXPECT_EQ(made(options).x, points.x);
  EXPECT_TRUE(certify(points, context).maximal());
  Points damaged = points;
  const auto around = [&](const Points& fixed) {
    damaged.around = std::make_shared<const Points>(fixed);
    return certify(damaged, context);
  };
  Points there = *points.around;
  there.append(points, 0);
  if (there.radius.size() < there.size()) there.radius.resize(there.size());
  EXPECT_GT(around(there).violations, 0);
  Points fewer = empty_like(before);
  for (std::size_t i = 1; i < points.around->size(); ++i) fewer.append(*points.around, i);
  EXPECT_FALSE(around(fewer).maximal());
}

double closest_of_first(const Points& points, std::size_t count) {
  double least = std::numeric_limits<double>::infinity();
  const std::array columns{&points.x, &points.y, &points.z, &points.w};
  const std::array sides{points.domain.width, points.domain.height, points.depth, points.extent};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t a = 0; a < columns.size(); ++a) {
        if (columns[a]->empty()) continue;
        double off = std::abs((*columns[a])[i] - (*columns[a])[j]);
        if (points.space == nullptr && points.domain.wrap) off = std::min(off, sides[a] - off);
        square += off * off;
      }
      least = std::min(least, std::sqrt(square));
    }
  }
  return least;
}

// Each prefix holds the share of each class, and a quarter of each class is well spaced.
void expect_turns_of_classes(const Points& points, std::size_t dimensions) {
  const auto share_of = [&](std::int32_t c, std::size_t count) {
    const auto end = points.class_id.begin() + static_cast<std::ptrdiff_t>(count);
    return static_cast<double>(std::count(points.class_id.begin(), end, c));
  };
  const auto all = static_cast<double>(points.size());
  for (const std::int32_t c : {0, 1}) {
    for (std::size_t count = 1; count < points.size(); ++count) {
      const double share = share_of(c, points.size()) * static_cast<double>(count) / all;
      ASSERT_LE(std::abs(share_of(c, count) - share), 1) << count;
    }
    Points of_class;
    of_class.domain = points.domain;
    of_class.depth = points.depth;
    of_class.space = points.space;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points.class_id[i] == c) of_class.append(points, i);
    }
    const double whole = closest_of_first(of_class, of_class.size());
    const double farther = dimensions == 2 ? 1.3 : 1.15;
    EXPECT_GT(closest_of_first(of_class, of_class.size() / 4), farther * whole) << c;
  }
}

TEST_P(Spaces, PrefixesOfAnOrderAreWellSpaced) {
  SampleOptions options;
  options.progressive = true;
  if (model().space.surface.metric == SurfaceMetric::surface) {
    EXPECT_THROW(made(options), Error);
    return;
  }
  const Points points = made(options);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(points.rank[i], static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(certify(points, context).violations, 0);
  if (!points.class_id.empty()) return expect_turns_of_classes(points, model().dimensions);
  const double whole = closest_of_first(points, points.size());
  const double room = model().dimensions == 2 ? 2 : model().dimensions == 3 ? 1.58 : 1.41;
  EXPECT_GT(closest_of_first(points, points.size() / 4), 0.7 * room * whole);
}

// ---- the law of darts
// ----------------------------------------------------------------------------

// The radii of a space, and the same radii as those of a single class, which another sampler reads.
struct Twice {
  std::string name;
  Space space;
  Radii radii, one_class;
};

// Returns radii that change so much within a radius that darts must be thinned.
VolumeField steep_cloud() {
  Context context;
  Voxels voxels{12, 4, 4, {}};
  for (int i = 0; i < 12 * 4 * 4; ++i) voxels.values.push_back(i % 3 == 0 ? 0.6F : 2.4F);
  VolumeRules rules;
  rules.slope.reset();
  return VolumeField::from_radius(std::move(voxels), rules, context);
}

SurfaceRadius steep(const Mesh& mesh) {
  SurfaceRadius radius;
  radius.slope.reset();
  for (const auto& triangle : mesh.triangles) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) corners[c] = triangle[c] % 3 == 0 ? 0.1F : 0.4F;
    radius.corners.push_back(corners);
  }
  return radius;
}

SurfaceRadius steep_map() {
  Plane<float> r(36, 18);
  for (int y = 0; y < 18; ++y) {
    for (int x = 0; x < 36; ++x) r(x, y) = x % 3 == 0 ? 0.07F : 0.3F;
  }
  SurfaceRadius radius;
  Context context;
  radius.texture = DensityField::from_radius(std::move(r), {36, 18, true}, std::nullopt, context);
  radius.slope.reset();
  return radius;
}

std::vector<Twice> radii_twice() {
  const Domain flat{40, 30, false};
  const Mesh ring = torus(40, 20);
  const Mesh rough = torus(16, 8);
  const Space box = Space::box({12, 4, false}, 4);
  return {{"plane", flat, hill(flat), ClassFields{{hill(flat)}}},
          {"box", box, steep_cloud(), ClassVolumes{{steep_cloud()}}},
          {"surface", Space::on_surface(rough), steep(rough), ClassSurfaces{{steep(rough)}}},
          {"solid", Space::in_solid(ring), 0.25, ClassRadii{{0.25}}},
          {"sphere", Space::on_sphere(1), steep_map(), ClassSurfaces{{steep_map()}}}};
}

// Figures of points of many sets.
struct Figures {
  std::vector<double> counts, x, nearest;

  void add(const Points& points) {
    counts.push_back(static_cast<double>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      x.push_back(points.x[i]);
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < points.size(); ++j) {
        const double z = points.z.empty() ? 0 : points.z[j] - points.z[i];
        const Vec3 to{points.x[j] - points.x[i], points.y[j] - points.y[i], z};
        if (j != i) least = std::min(least, length(to));
      }
      nearest.push_back(least / static_cast<double>(points.radius[i]));
    }
  }
};

TEST(SpacesLaw, RadiiOfOneClassHaveThatOfTheirOwnSampler) {
  constexpr std::uint64_t seeds = 40;
  for (const Twice& model : radii_twice()) {
    Figures own, by_class;
    Context context;
    SampleOptions options;  // plain darts of a plane have a small bias
    const bool is_plane = model.space.kind == SpaceKind::plane;
    if (is_plane) options.method = SampleMethod::dart_throwing;
    for (context.seed = 1; context.seed <= seeds; ++context.seed) {
      own.add(sample(model.space, model.radii, options, context));
      const Points points = sample(model.space, model.one_class, {}, context);
      EXPECT_TRUE(certify(points, context).maximal());
      by_class.add(points);
    }
    EXPECT_LT(distribution_difference(own.counts, by_class.counts), one_in_a_thousand)
        << model.name;
    EXPECT_LT(distribution_difference(own.x, by_class.x), one_in_a_thousand) << model.name;
    EXPECT_LT(distribution_difference(own.nearest, by_class.nearest), one_in_a_thousand)
        << model.name;
  }
}

// ---- what is special of radii by place
// -----------------------------------------------------------

// A plate thinner than the layers in which a solid is measured keeps the default shares 1 / r^3.
TEST(RadiiByPlace, ClassesOfAThinPlateHaveTheirShares) {
  Mesh plate = cube();
  for (Vec3& p : plate.vertices) p = {8 * p.x, 8 * p.y, 0.1 * p.z};
  Context context;
  const Points points = sample(Space::in_solid(plate), ClassRadii{{0.6, 0.4}}, {}, context);
  const auto finer =
      static_cast<double>(std::count(points.class_id.begin(), points.class_id.end(), 1));
  EXPECT_GT(finer / static_cast<double>(points.size()), 0.65);
  EXPECT_TRUE(certify(points, context).maximal());
}

TEST(RadiiByPlace, FieldsIgnoreClassesOfFixedPoints) {
  Context context;
  for (const auto& [space, radii] :
       {std::pair{Space::in_solid(torus(40, 20)), Radii(cloud(false).times(0.45))},
        {Space::box({12, 10, false}, 9), Radii(cloud(false), ConflictRule::min)}}) {
    SampleOptions options;
    options.conflict = radii.rule;
    const Points before = sample(space, radii, options, context);
    Points kept = empty_like(before);
    for (std::size_t i = 0; i < before.size(); i += 4) kept.append(before, i);
    kept.class_id.assign(kept.size(), 0);
    kept.class_id.back() = 3;
    options.keep.points = std::make_shared<const Points>(kept);
    options.certify = true;
    const Points points = sample(space, radii, options, context);
    EXPECT_EQ(points.fixed, kept.size());
    EXPECT_EQ(certify(points, context).violations, 0);
    kept.z[0] = std::numeric_limits<double>::quiet_NaN();
    options.keep.points = std::make_shared<const Points>(kept);
    EXPECT_THROW(sample(space, radii, options, context), Error);
    kept.z[0] = before.z[0];
    kept.radius.assign(kept.size(), std::numeric_limits<float>::infinity());
    options.keep.points = std::make_shared<const Points>(kept);
    EXPECT_THROW(sample(space, radii, options, context), Error);
  }
}

TEST(RadiiByPlace, ACountKeepsTheProportionsOfClasses) {
  Context context;
  SampleOptions options;
  options.count = 500;
  for (const auto& [space, coarser] :
       {std::pair{Space::on_sphere(1), 40.0}, {Space::in_solid(torus(40, 20)), 1e30}}) {
    const Points points = sample(space, ClassRadii{{coarser, coarser / 2}}, options, context);
    const auto& radii = points.radii->get<ClassRadii>()->radii;
    EXPECT_DOUBLE_EQ(radii[0], 2 * radii[1]);
    EXPECT_EQ(certify(points, context).violations, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double r = radii[static_cast<std::size_t>(points.class_id[i])];
      ASSERT_FLOAT_EQ(points.radius[i], static_cast<float>(r));
    }
  }
}

TEST(RadiiByPlace, RefuseWhatMakesNoSense) {
  Context context;
  const Space surface = Space::on_surface(torus(16, 8));
  SurfaceRadius classes;
  classes.classes = {{1}};
  EXPECT_THROW(sample(surface, ClassSurfaces{{classes}}, {}, context), Error);
  EXPECT_THROW(sample(surface, ClassSurfaces{{texture()}}, {}, context), Error);  // without uv
  EXPECT_THROW(sample(surface, ClassSurfaces{{0.0, 1.0}}, {}, context), Error);
  EXPECT_THROW(sample(surface, ClassSurfaces{}, {}, context), Error);
  Points points = sample(Space::on_sphere(1), ClassRadii{{0.4, 0.3}}, {}, context);
  points.radius.clear();
  EXPECT_GT(analyze_points(points, context).measurements.size(), 3U);
  points.radii = std::make_shared<const Radii>(ClassRadii{{1e-12, 1e-12}});
  context.limits.max_memory = 100000000;
  EXPECT_THROW(certify(points, context), Error);
}

// ---- what is special in thin boxes --------------------------------------------------------------

Points in_box(double side, bool wrap, double depth, std::int64_t count, double radius) {
  SampleOptions options;
  options.count = count;
  Context context;
  return sample(Space::box({side, side, wrap}, depth), radius, options, context);
}

// A torus is a property of the space: the option of commands does not make one.
TEST(Wrap, IsRefusedWhereTheSpaceDoesNotWrap) {
  Context context;
  SampleOptions options;
  options.wrap = true;
  EXPECT_GT(sample(Domain{64, 64, true}, 8.0, options, context).size(), 30U);
  for (const Space& space :
       {Space(Domain{64, 64}), Space::box({64, 64}, 64), Space::on_sphere(20)}) {
    try {
      sample(space, 8.0, options, context);
      ADD_FAILURE() << "wraps";
    } catch (const Error& error) {
      EXPECT_EQ(error.option(), "wrap");
    }
  }
}

TEST(ThinBoxes, AreFilledAsPlanes) {
  // Random darts on a plane reach .7 points per square of the distance.
  const Points points = in_box(256, true, 4, 200, 0);
  EXPECT_GT(static_cast<double>(points.radius[0]), 0.85 * std::sqrt(0.7 * 65536 / 200));
}

// A box much narrower than its points are apart is a line: random darts of a length of 1 fill
// 0.7476 of it (Renyi 1958), which 12,000 points tell from 0.73.
TEST(ThinBoxes, AreFilledAsLines) {
  Points points = in_box(1, false, 2147483647, 0, 131072);
  EXPECT_NEAR(static_cast<double>(points.size()) * 131072 / 2147483647, 0.7476, 0.006);
  std::sort(points.z.begin(), points.z.end());
  for (std::size_t i = 1; i < points.size(); ++i) {
    ASSERT_GE(points.z[i] - points.z[i - 1], 131071.9);
    ASSERT_LE(points.z[i] - points.z[i - 1], 2 * 131072.1);  // no room between
  }
  for (const bool wrap : {true, false}) {
    const Points some = in_box(1, wrap, 2147483647, 500, 0);
    ASSERT_EQ(some.size(), 500U);
    EXPECT_GT(static_cast<double>(some.radius[0]), 0.97 * 0.7476 * 2147483647 / 500);
    EXPECT_GE(closest_of_first(some, 500), 0.9999 * static_cast<double>(some.radius[0]));
  }
}

TEST(ThinBoxes, WithoutDepthOrRadiusAreRefused) {
  EXPECT_THROW(in_box(40, true, 0, 5, 0), Error);
  EXPECT_THROW(in_box(40, true, 20, 0, 0), Error);
  Points points = in_box(40, true, 20, 5, 0);
  points.z[3] = 20;
  EXPECT_THROW(validate(points), Error);
  points.z.pop_back();
  EXPECT_THROW(validate(points), Error);
}

}  // namespace
}  // namespace dapple
