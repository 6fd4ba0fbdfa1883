// Classes with distances of their own on meshes: exact against brute force in double, no room left
// for any class by probes, shares as asked, and the same bytes whatever the order of the mesh is.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using Matrix = std::vector<std::vector<double>>;

double asked(const SurfaceRadius& radius, std::int32_t a, std::int32_t b) {
  return radius.scale * radius.classes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}
bool one_sheet(const Vec3& a, const Vec3& b) {
  return dot(a, b) > -0.5;
}

// Of all pairs of one sheet, in parts of what their classes ask for.
double closest_pair(const Points& points, const SurfaceRadius& radius) {
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!one_sheet(normal(points, i), normal(points, j))) continue;
      closest = std::min(closest, length(place(points, i) - place(points, j)) /
                                      asked(radius, points.class_id[i], points.class_id[j]));
    }
  }
  return closest;
}

// Places by chance where a point of some class would find room.
int open_places(const Mesh& mesh, const Points& points, const SurfaceRadius& radius, int probes) {
  RandomPlaces places(mesh);
  int open = 0;
  for (int k = 0; k < probes; ++k) {
    const auto [p, n] = places.next();
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(radius.classes.size()); ++c) {
      bool covered = false;
      for (std::size_t i = 0; i < points.size() && !covered; ++i) {
        covered = length(place(points, i) - p) <= asked(radius, c, points.class_id[i]) * 1.00001 &&
                  one_sheet(n, normal(points, i));
      }
      open += covered ? 0 : 1;
    }
  }
  return open;
}

struct Case {
  const char* name;
  Mesh (*mesh)();
  Matrix classes;
  std::vector<double> head_start;
};
const Case cases[] = {
    {"even_classes", [] { return torus(60, 30); }, {{.1, .06}, {.06, .1}}, {}},
    {"far_apart",
     [] { return torus(60, 30); },
     {{.5, .26, .26}, {.26, .2, .1}, {.26, .1, .05}},
     {.3, 0, 0}},  // without, half of all seeds have none of the first
    {"on_a_cube", cube, {{.3, .1}, {.1, .05}}, {}},
    {"on_sheets", sheets, {{.1, .07}, {.07, .04}}, {}},
    {"on_a_soup", soup, {{.2, .05}, {.05, .05}}, {}},
    {"with_head_starts", [] { return torus(20, 10); }, {{.2, .13}, {.13, .1}}, {6.5, 0}},
};
class SurfaceClasses : public ::testing::TestWithParam<Case> {
 protected:
  static SurfaceRadius radius() {
    SurfaceRadius made;
    made.classes = GetParam().classes;
    made.head_start = GetParam().head_start;
    return made;
  }
};

TEST_P(SurfaceClasses, AreExactMaximalAndProved) {
  const Mesh mesh = GetParam().mesh();
  Context context;
  const Points points = sample_surface(mesh, radius(), {}, context);
  ASSERT_GT(points.size(), 250u);
  for (std::size_t c = 0; c < GetParam().classes.size(); ++c) {
    EXPECT_GT(
        std::count(points.class_id.begin(), points.class_id.end(), static_cast<std::int32_t>(c)),
        0);
  }
  EXPECT_GE(closest_pair(points, radius()), 1);
  EXPECT_EQ(open_places(mesh, points, radius(), 2000), 0);
  const Certificate proof = certify(points, mesh, radius(), {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_DOUBLE_EQ(proof.closest, closest_pair(points, radius()));
}

TEST_P(SurfaceClasses, AreTheSameInAnyOrderOfTheMeshAndOnAnyNumberOfThreads) {
  const Mesh mesh = GetParam().mesh();
  const Mesh shuffled = in_another_order(mesh).mesh;
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, radius(), {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const Points again = sample_surface(threads == 3 ? shuffled : mesh, radius(), {}, other);
    EXPECT_EQ(points.x, again.x) << threads;
    EXPECT_EQ(points.z, again.z) << threads;
    EXPECT_EQ(points.class_id, again.class_id) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, SurfaceClasses, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

double share_of(const Points& points, std::int32_t class_id) {
  return static_cast<double>(std::count(points.class_id.begin(), points.class_id.end(), class_id)) /
         static_cast<double>(points.size());
}

struct Filled {
  const char* name;
  Mesh (*mesh)();
  double finest;  // of radii 9, 4 and 2
};
const Filled filled[] = {
    {"torus", [] { return torus(120, 60); }, 0.016},  // by trials in the plane
    {"faceted_torus", [] { return torus(16, 8); }, 0.015},
    {"small_torus", [] { return torus(120, 60); }, 0.04},  // by trials on the mesh
    {"cube", cube, 0.03},
    {"sheets", sheets, 0.02},
    {"square", [] { return square(30, 0.2); }, 0.016},
    {"soup", soup, 0.009},
};
class SurfaceClassSharesOf : public ::testing::TestWithParam<Filled> {};

// In every set, not on their average.
TEST_P(SurfaceClassSharesOf, AreThoseOfTheRadiiInEverySet) {
  const Mesh mesh = GetParam().mesh();
  const double wanted[] = {4. / 105.25, 20.25 / 105.25, 81. / 105.25};
  ClassOptions options;
  for (const double r : {9, 4, 2}) options.radii.push_back(0.5 * r * GetParam().finest);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Context context;
    context.threads = 1;
    context.seed = seed;
    const SurfaceSet set = sample_classes(mesh, options, 0, {}, context);
    EXPECT_GT(set.points.size(), 2500u);
    for (std::int32_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(share_of(set.points, c) / wanted[c], 1, 0.02) << c << ", seed " << seed;
    }
    for (const std::string& warning : context.warnings()) {
      EXPECT_EQ(warning.find("class "), std::string::npos) << warning;
    }
    if (seed > 1) continue;
    const Certificate proof = certify(set.points, mesh, set.radius, {}, context);
    EXPECT_EQ(proof.violations + proof.holes, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, SurfaceClassSharesOf, ::testing::ValuesIn(filled),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(SurfaceClassShares, AndCountsAreAsAsked) {
  const Mesh mesh = cube();
  Context context;
  ClassOptions options;
  options.radii = {600, 400};  // for their ratio
  options.shares = {0.4, 0.6};
  options.distance = ClassDistance::mean;
  options.certify = true;  // a set of a given number may leave gaps: that is a warning
  const SurfaceSet set = sample_classes(mesh, options, 4000, {}, context);
  ASSERT_EQ(set.points.size(), 4000u);
  EXPECT_NEAR(share_of(set.points, 0), 0.4, 0.008);
  const auto [least, most] =
      std::minmax_element(set.points.radius.begin(), set.points.radius.end());
  EXPECT_NEAR(*most / *least, 1.5f, 1e-5f);
  EXPECT_GE(closest_pair(set.points, set.radius), 1);
  // Discs of diameter r do not overlap.
  EXPECT_NEAR(asked(set.radius, 0, 1), 0.5 * static_cast<double>(*most + *least), 1e-6);
}

TEST(SurfaceClassShares, RefuseWhatIsNone) {
  Context context;
  const Mesh mesh = cube();
  SurfaceRadius radius;
  for (const Matrix& classes :
       {Matrix{{1, 2}, {2, 1}}, Matrix{{1, .5}, {.6, 1}}, Matrix{{1}, {1}}, Matrix{{0}}}) {
    radius.classes = classes;
    EXPECT_THROW(sample_surface(mesh, radius, {}, context), Error);
  }
  radius.classes = {{1, .5}, {.5, 1}};
  radius.head_start = {1};
  EXPECT_THROW(sample_surface(mesh, radius, {}, context), Error);
  radius.head_start = {};
  Points points = sample_surface(mesh, 0.5, {}, context);
  EXPECT_THROW(certify(points, mesh, radius, {}, context), Error);  // without classes
  ClassOptions options;
  options.radii = {1, 0};
  EXPECT_THROW(sample_classes(mesh, options, 0, {}, context), Error);
}

// Least distance of two points of a class, in parts of that in a hexagonal lattice of as many; -1:
// of points whatever their class.
double spacing_of_class(const Points& points, std::int32_t class_id, double area) {
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (class_id < 0 || points.class_id[i] == class_id) of.push_back(i);
  }
  std::vector<double> nearest(of.size(), std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < of.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!one_sheet(normal(points, of[a]), normal(points, of[b]))) continue;
      const double d = length(place(points, of[a]) - place(points, of[b]));
      nearest[a] = std::min(nearest[a], d);
      nearest[b] = std::min(nearest[b], d);
    }
  }
  double sum = 0;
  for (const double d : nearest) sum += d;
  const auto count = static_cast<double>(of.size());
  return sum / count / std::sqrt(2 / std::sqrt(3.0) * area / count);
}

TEST(SurfaceClassShares, OfOneRadiusAreExactAndSpreadEvenly) {
  const Mesh mesh = torus(60, 30);
  PointsOptions options;
  options.on.mesh = std::make_shared<const Mesh>(mesh);
  options.field.count = 3000;
  options.scatter.classes = "0.5,0.3,0.2";
  Context context;
  const Points points = make_surface_points(nullptr, options, context).points;
  ASSERT_EQ(points.class_id.size(), 3000u);
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += 0.5 * length(across(mesh, t));
  // Points by chance have .46 on the mean; those of a maximal set .8.
  for (std::int32_t c = 0; c < 3; ++c) {
    EXPECT_EQ(std::count(points.class_id.begin(), points.class_id.end(), c), c == 0   ? 1500
                                                                             : c == 1 ? 900
                                                                                      : 600);
    EXPECT_GT(spacing_of_class(points, c, area), 0.65) << c;
  }
  EXPECT_GT(spacing_of_class(points, -1, area), 0.8);
  Points by_chance = points;
  Random random(1, Stream::tests);
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(by_chance.class_id[i - 1],
              by_chance.class_id[random.below(static_cast<std::uint32_t>(i))]);
  }
  EXPECT_LT(spacing_of_class(by_chance, 2, area), 0.6);
}

// Columns of objects, classes and ranks as the options of the program ask for them.
TEST(SurfaceColumns, AreTheSameInAnyOrderOfTheMeshAndOnAnyNumberOfThreads) {
  const auto made = [](const Mesh& mesh, int threads, Align align) {
    PointsOptions options;
    options.on.mesh = std::make_shared<const Mesh>(mesh);
    options.field.count = 700;
    options.sample.progressive = true;
    options.scatter.classes = "3";
    options.scatter.rotation = "0:360";
    options.scatter.size = {{1, Unit::percent}, {2, Unit::percent}};
    options.align = align;
    Context context;
    context.threads = threads;
    return make_surface_points(nullptr, options, context).points;
  };
  for (const Mesh& mesh : {torus(60, 30), soup()}) {
    const Mesh shuffled = in_another_order(mesh).mesh;
    for (const Align align : {Align::normal, Align::up}) {
      const Points first = made(mesh, 1, align);
      ASSERT_EQ(first.turn[3].size(), 700u);
      for (const int threads : {2, 3, 7}) {
        const Points again = made(threads == 2 ? mesh : shuffled, threads, align);
        EXPECT_EQ(first.turn, again.turn) << threads;
        EXPECT_EQ(first.rotation, again.rotation) << threads;
        EXPECT_EQ(first.object_size, again.object_size) << threads;
        EXPECT_EQ(first.class_id, again.class_id) << threads;
        EXPECT_EQ(first.y, again.y) << threads;
        EXPECT_EQ(first.ny, again.ny) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace dapple
