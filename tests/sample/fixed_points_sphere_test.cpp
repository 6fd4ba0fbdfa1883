// Points on a sphere round others that are there: exact against all pairs and maximal by probes in
// double, whatever radii the kept ones have, on an even sphere and one with a map round it.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

constexpr double sphere = 7;

struct Case {
  const char* name;
  double radius;             // the least
  bool mapped;               // three times as much at the other pole
  std::vector<float> radii;  // of kept ones, 0: none
  ConflictRule rule;
};
const Case cases[] = {
    {"like_the_others", 0.9, false, {0}, ConflictRule::mean},
    {"of_their_own", 0.9, false, {0.2f, 3, 0, 1.4f}, ConflictRule::mean},
    {"the_larger", 0.6, false, {0.1f, 2.2f}, ConflictRule::max},
    {"the_lesser", 0.6, false, {0.1f, 2.2f}, ConflictRule::min},
    {"larger_than_the_sphere", 0.6, false, {20}, ConflictRule::mean},
    {"by_a_map", 0.5, true, {0.2f, 0, 2.5f}, ConflictRule::mean},
    {"by_a_map_the_larger", 0.5, true, {0.2f, 0, 2.5f}, ConflictRule::max},
    {"by_a_map_the_lesser", 0.5, true, {0, 2.5f}, ConflictRule::min},
};

// r is linear in the angle from the north pole but for half a row at each pole.
constexpr int rows = 16;
double radius_at(const Case& of, const Vec3& place) {
  if (!of.mapped) return of.radius;
  const double row = std::acos(std::clamp(place.z / length(place), -1.0, 1.0)) / std::acos(-1.0);
  const double middle = std::clamp(row, 0.5 / rows, 1 - 0.5 / rows);
  return of.radius * (1 + 2 * middle);
}

SurfaceRadius radius_of(const Case& of, Context& context) {
  if (!of.mapped) return of.radius;
  Plane<float> map(2 * rows, rows);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < 2 * rows; ++x) {
      map(x, y) = static_cast<float>(of.radius * (1 + 2 * (y + 0.5) / rows));
    }
  }
  SurfaceRadius radius;
  radius.largest = 3 * of.radius;
  radius.texture =
      DensityField::from_radius(std::move(map), {2 * rows, rows, true}, std::nullopt, context);
  radius.slope.reset();
  radius.rule = of.rule;
  return radius;
}

// By chance, some of them a little off the sphere.
Points some_points(const std::vector<float>& radii, std::size_t count) {
  Points kept;
  Random random(3, Stream::tests);
  for (std::size_t i = 0; i < count; ++i) {
    const double off = i % 3 == 0 ? 1.004 : 1;
    const Vec3 at = random_direction(random, static_cast<int>(i)) * (sphere * off);
    kept.x.push_back(at.x);
    kept.y.push_back(at.y);
    kept.height.push_back(at.z);
    kept.radius.push_back(radii[i % radii.size()]);
  }
  return kept;
}

Vec3 place_of(const Points& kept, std::size_t i) {
  return {kept.x[i], kept.y[i], kept.height[i]};
}

class KeptSphere : public ::testing::TestWithParam<Case> {
 protected:
  double limit(const Points& kept, std::size_t i, const Vec3& at) const {
    const Case& of = GetParam();
    const auto own = static_cast<double>(kept.radius[i]);
    if (own > 0) return rule_distance(of.rule, own, radius_at(of, at));
    if (!of.mapped) return of.radius;
    return rule_distance(of.rule, radius_at(of, place_of(kept, i)), radius_at(of, at));
  }
};

TEST_P(KeptSphere, IsExactAndMaximalRoundThem) {
  const Case& of = GetParam();
  for (const bool progressive : {false, true}) {
    for (const std::size_t count : {1u, 60u}) {
      SCOPED_TRACE(count);
      const Points kept = some_points(of.radii, count);
      Context context;
      const FixedPoints there{&kept, of.rule};
      const SurfaceSet set =
          sample_sphere(sphere, 0, radius_of(of, context), context, progressive, there);
      const Points& points = set.points;
      if (of.radii[0] < 20) {
        ASSERT_GT(points.size(), 20u);
      }
      double closest = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 at = place(points, i);
        for (std::size_t j = 0; j < i; ++j) {
          const Vec3 other = place(points, j);
          closest = std::min(closest, length(at - other) / rule_distance(of.rule, radius_at(of, at),
                                                                         radius_at(of, other)));
        }
        for (std::size_t k = 0; k < kept.size(); ++k) {
          closest = std::min(closest, length(at - place_of(kept, k)) / limit(kept, k, at));
        }
      }
      EXPECT_GE(closest, 1 - 1e-6);
      Random random(4, Stream::tests);
      int open = 0;
      for (int probe = 0; probe < 4000; ++probe) {
        const Vec3 at = random_direction(random, probe) * sphere;
        bool free = true;
        for (std::size_t i = 0; i < points.size() && free; ++i) {
          const double asked =
              rule_distance(of.rule, radius_at(of, at), radius_at(of, place(points, i)));
          free = length(at - place(points, i)) > 1.0001 * asked;
        }
        for (std::size_t k = 0; k < kept.size() && free; ++k) {
          free = length(at - place_of(kept, k)) > 1.0001 * limit(kept, k, at);
        }
        open += free ? 1 : 0;
      }
      EXPECT_EQ(open, 0);
      const Certificate proof = certify_sphere(points, sphere, set.radius, context, 1e-5, there);
      EXPECT_EQ(proof.violations, 0);
      EXPECT_EQ(proof.holes, 0);
      if (points.size() > 0) {
        EXPECT_NEAR(proof.closest, closest, 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spheres, KeptSphere, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(KeptOnSphere, PointsOfAnotherSphereAreRefused) {
  const auto said = [](Points kept) -> std::string {
    Context context;
    try {
      sample_sphere(sphere, 0, 0.5, context, false, {&kept});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Points kept = some_points({0}, 5);
  EXPECT_EQ(said(kept), "");
  for (const auto column : {&Points::x, &Points::y, &Points::height}) (kept.*column)[2] *= 3;
  EXPECT_NE(said(kept).find("point 3"), std::string::npos) << said(kept);
  kept = some_points({0.01f}, 5);
  EXPECT_EQ(said(kept), "");
  for (const auto column : {&Points::x, &Points::y, &Points::height}) {
    for (double& v : kept.*column) v *= 1.06;
  }
  EXPECT_NE(said(kept).find("farther from the sphere"), std::string::npos) << said(kept);
  kept.height.clear();
  EXPECT_NE(said(kept).find("column z"), std::string::npos) << said(kept);
}

}  // namespace
}  // namespace dapple
