// Points on meshes whose radius varies: exact against brute force in double by the radius at each
// place, maximal by probes and by proof, the same bytes in any order.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "distributions.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/surface/curvature.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

// From `least` to `ratio` times that, by where vertices lie along a diagonal.
SurfaceRadius along_diagonal(const Mesh& mesh, double least, double ratio) {
  SurfaceRadius radius;
  radius.slope.reset();
  const auto along = [](const Vec3& p) { return p.x + 0.7 * p.y - 0.4 * p.z; };
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Vec3& p : mesh.vertices) {
    low = std::min(low, along(p));
    high = std::max(high, along(p));
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double share = (along(corner(mesh, t, c)) - low) / (high - low);
      corners[c] = static_cast<float>(least * std::pow(ratio, share));
    }
    radius.corners.push_back(corners);
  }
  return radius;
}

double radius_at(const SurfaceRadius& radius, std::size_t t, double u, double v) {
  const auto r = [&](std::size_t c) { return static_cast<double>(radius.corners[t][c]); };
  return r(0) * (1 - u - v) + r(1) * u + r(2) * v;
}

struct Found {
  const Points& points;
  const SurfaceRadius& radius;
  double cosine;

  // The least share of what is asked that a place of this radius has to a point that it sees.
  double nearest(const Vec3& p, const Vec3& n, double r, std::size_t self) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == self || dot(n, normal(points, i)) <= cosine) continue;
      const double asked = conflict_distance(radius.rule, r, static_cast<double>(points.radius[i]));
      least = std::min(least, length(place(points, i) - p) / asked);
    }
    return least;
  }
};

void expect_exact(const Mesh& mesh, const Points& points, const SurfaceRadius& radius) {
  const Found found{points, radius, -0.5};
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto r = static_cast<double>(points.radius[i]);
    const double asked =
        radius_at(radius, static_cast<std::size_t>(points.triangle[i]),
                  static_cast<double>(points.u[i]), static_cast<double>(points.v[i]));
    ASSERT_NEAR(r / asked, 1, 2e-4) << i;  // as exact as u and v are on a needle
    closest = std::min(closest, found.nearest(place(points, i), normal(points, i), r, i));
  }
  EXPECT_GE(closest, 1);
  EXPECT_LT(closest, 1.05);
  Random random(3, Stream::tests);
  double farthest = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::size_t t = random.below(static_cast<std::uint32_t>(mesh.triangles.size()));
    const Vec3 n = across(mesh, t);
    const Vec3 a = corner(mesh, t, 0);
    const Vec3 e1 = corner(mesh, t, 1) - a;
    const Vec3 e2 = corner(mesh, t, 2) - a;
    const double longest = std::max({length(e1), length(e2), length(e2 - e1)});
    if (!(length(n) > 2e-12 * longest * longest)) continue;
    double u = random.uniform();
    double v = random.uniform();
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    farthest = std::max(farthest, found.nearest(a + e1 * u + e2 * v, n * (1 / length(n)),
                                                radius_at(radius, t, u, v), points.size()));
  }
  EXPECT_LE(farthest, 1.00002);
}

struct Scene {
  const char* name;
  Mesh (*make)();
  double least;
  double ratio;
  ConflictRule rule;
};
const Scene scenes[] = {
    {"fine_torus", [] { return torus(120, 60); }, 0.02, 10, ConflictRule::mean},
    {"coarse_torus", [] { return torus(16, 8); }, 0.02, 10, ConflictRule::mean},
    {"smaller_of_two", [] { return torus(60, 30); }, 0.03, 10, ConflictRule::min},
    {"larger_of_two", [] { return torus(60, 30); }, 0.02, 10, ConflictRule::max},
    {"hundredfold", [] { return square(12, 0.3); }, 0.004, 100, ConflictRule::mean},
    {"cube", cube, 0.02, 20, ConflictRule::mean},
    {"sheets", sheets, 0.02, 8, ConflictRule::mean},
    {"soup", soup, 0.01, 10, ConflictRule::max},
};
class SurfaceRadii : public ::testing::TestWithParam<Scene> {};

TEST_P(SurfaceRadii, AreExactMaximalAndProved) {
  const Mesh mesh = GetParam().make();
  SurfaceRadius radius = along_diagonal(mesh, GetParam().least, GetParam().ratio);
  radius.rule = GetParam().rule;
  Context context;
  const Points points = sample_surface(mesh, radius, {}, context);
  ASSERT_GT(points.size(), 300u);
  expect_exact(mesh, points, radius);
  const Certificate proof = certify(points, mesh, radius, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_GE(proof.closest, 1);
  EXPECT_LT(proof.closest, 1.05);
}

TEST_P(SurfaceRadii, HaveTheSameBytesInAnyOrderAndOnAnyNumberOfThreads) {
  const Mesh mesh = GetParam().make();
  SurfaceRadius radius = along_diagonal(mesh, GetParam().least, GetParam().ratio);
  radius.rule = GetParam().rule;
  radius.slope = 0.7;  // bends it, in an order of its own
  const Reordered other_mesh = in_another_order(mesh);
  SurfaceRadius other_radius = radius;
  for (std::size_t t = 0; t < other_mesh.triangle.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      other_radius.corners[t][c] =
          radius.corners[other_mesh.triangle[t]][(c + other_mesh.first[t]) % 3];
    }
  }
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, radius, {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const Points again = threads == 3 ? sample_surface(other_mesh.mesh, other_radius, {}, other)
                                      : sample_surface(mesh, radius, {}, other);
    EXPECT_EQ(points.x, again.x) << threads;
    EXPECT_EQ(points.z, again.z) << threads;
    EXPECT_EQ(points.radius, again.radius) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, SurfaceRadii, testing::ValuesIn(scenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

// One vertex with a small radius amid large ones holds down those round it, along the edges.
TEST(SurfaceRadiiSlope, SmallOnesHoldDownThoseRoundThem) {
  const Mesh mesh = square(20, 0);
  SurfaceRadius radius;
  const Vec3 middle{0.5, 0.5, 0};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = length(corner(mesh, t, c) - middle) < 0.01 ? 0.005f : 0.2f;
    }
    radius.corners.push_back(corners);
  }
  radius.slope = 0.5;
  Context context;
  const Points points = sample_surface(mesh, radius, {}, context);
  std::size_t large = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double away = length(place(points, i) - middle);
    // A walk along edges is at most 1.42 times as long.
    EXPECT_LE(static_cast<double>(points.radius[i]), 0.0051 + 0.5 * 1.42 * away);
    if (static_cast<double>(points.radius[i]) > 0.15) ++large;
  }
  EXPECT_GT(large, 5u);
  EXPECT_EQ(certify(points, mesh, radius, {}, context).holes, 0);
  radius.slope.reset();
  const Points steep = sample_surface(mesh, radius, {}, context);
  EXPECT_LT(steep.size(), points.size() / 2);
}

// Stripes on a square whose texture lies on it three times.
TEST(SurfaceTexture, IsReadAsTheFunctionItIs) {
  Mesh mesh = square(7, 0.3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vec2, 3> uv{};
    for (std::size_t c = 0; c < 3; ++c) {
      uv[c] = {3 * corner(mesh, t, c).x, 3 * corner(mesh, t, c).y};
    }
    mesh.uv.push_back(uv);
  }
  constexpr int side = 256;
  Plane<float> map(side, side);
  const auto wanted = [](double u, double v) {
    constexpr double circle = 6.283185307179586;
    return 4 + 2.5 * std::sin(circle * u) * std::cos(circle * v);
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      map(x, y) = static_cast<float>(wanted((x + 0.5) / side, 1 - (y + 0.5) / side));
    }
  }
  SurfaceRadius radius;
  radius.slope.reset();
  radius.texture = DensityField::from_radius(map, {side, side, true}, std::nullopt);
  radius.scale = 0.004;
  radius.largest = 6;
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, radius, {}, context);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double asked = std::min(6.0, wanted(3 * points.x[i], 3 * points.y[i])) * 0.004;
    ASSERT_NEAR(static_cast<double>(points.radius[i]) / asked, 1, 0.06) << i;
  }
  const Certificate proof = certify(points, mesh, radius, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  const Found found{points, radius, -0.5};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto r = static_cast<double>(points.radius[i]);
    ASSERT_GE(found.nearest(place(points, i), normal(points, i), r, i), 1);
  }
  context.threads = 7;
  EXPECT_EQ(points.x, sample_surface(mesh, radius, {}, context).x);
}

// Two triangles with a texture whose dense quarter ends where halves of triangles do, and where the
// texture repeats.
TEST(SurfaceTexture, OfPixelsThatEndWhereTrianglesDo) {
  Mesh mesh = square(1, 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vec2, 3> uv{};
    for (std::size_t c = 0; c < 3; ++c) uv[c] = {corner(mesh, t, c).x, corner(mesh, t, c).y};
    mesh.uv.push_back(uv);
  }
  constexpr int side = 64;
  Plane<float> map(side, side, 10.0f);
  for (int y = 0; y < side / 2; ++y) std::fill_n(map.row(y), side / 2, 2.0f);
  SurfaceRadius radius;
  radius.slope.reset();
  radius.texture = DensityField::from_radius(map, {side, side, true}, std::nullopt);
  radius.scale = 1.0 / (2 * side);
  radius.largest = 10;
  Context context;
  const Points points = sample_surface(mesh, radius, {}, context);
  int inside[2] = {0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Parts on a border, of half a radius at most, are of both.
    const auto deep = [](double v) { return std::abs(std::abs(v - 0.5) - 0.25) < 0.2; };
    if (!deep(points.x[i]) || !deep(points.y[i])) continue;
    const bool dense = points.x[i] < 0.5 && points.y[i] > 0.5;
    ++inside[dense ? 1 : 0];
    ASSERT_NEAR(static_cast<double>(points.radius[i]) * 2 * side, dense ? 2 : 10, 0.01) << i;
  }
  EXPECT_GT(inside[1], 200);
  EXPECT_GT(inside[0], 20);
  const Certificate proof = certify(points, mesh, radius, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
}

// Numbers of points on a small square, against darts that are thrown one by one, at a rate of 1
// over the square of the radius.
TEST(SurfaceRadiiLaw, IsThatOfDartsOneAfterTheOther) {
  const Mesh mesh = square(1, 0);
  const auto radius_of = [](double x) { return 0.15 + 0.45 * x; };
  SurfaceRadius radius;
  radius.slope.reset();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = static_cast<float>(radius_of(corner(mesh, t, c).x));
    }
    radius.corners.push_back(corners);
  }
  constexpr int sets = 1000;
  std::vector<double> ours, naive;
  for (int seed = 0; seed < sets; ++seed) {
    Context context;
    context.threads = 1;
    context.seed = static_cast<std::uint64_t>(seed);
    ours.push_back(static_cast<double>(sample_surface(mesh, radius, {}, context).size()));
    Random random(static_cast<std::uint64_t>(seed), Stream::tests);
    std::vector<Vec2> found;
    for (int miss = 0; miss < 60000; ++miss) {
      const double r = 1 / (1 / 0.15 - random.uniform() * (1 / 0.15 - 1 / 0.6));  // as 1 / r^2
      const Vec2 p{(r - 0.15) / 0.45, random.uniform()};
      const bool near = std::any_of(found.begin(), found.end(), [&](Vec2 q) {
        const double asked = 0.5 * (r + radius_of(q.x));
        return length_squared(p - q) < asked * asked;
      });
      if (near) continue;
      found.push_back(p);
      miss = 0;
    }
    naive.push_back(static_cast<double>(found.size()));
  }
  EXPECT_LT(distribution_difference(ours, naive), one_in_a_thousand);
}

TEST(SurfaceCurvature, IsThatOfATorus) {
  const Mesh mesh = torus(200, 100);
  Context context;
  const surface::Curvature found = surface::curvature_of(mesh, context);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    const double ring = std::sqrt(p.x * p.x + p.y * p.y);
    const double across_tube = 1 / 0.4;
    const double round_axis = (ring - 1) / 0.4 / ring;
    const double expected = std::sqrt(across_tube * across_tube + round_axis * round_axis);
    ASSERT_NEAR(static_cast<double>(found.of_vertex[i]) / expected, 1, 0.01);
  }
  EXPECT_NEAR(found.high, std::sqrt(2.5 * 2.5 + 1 / 0.36), 0.1);
  const Reordered other = in_another_order(mesh);
  EXPECT_EQ(surface::curvature_of(other.mesh, context).high, found.high);
}

TEST(SurfaceRadiiDoors, RefuseWhatMakesNoSense) {
  Context context;
  const Mesh mesh = torus(16, 8);
  const auto message = [&](const SurfaceRadius& radius) -> std::string {
    try {
      sample_surface(mesh, radius, {}, context);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const SurfaceRadius good = along_diagonal(mesh, 0.05, 4);
  EXPECT_EQ(message(good), "");
  SurfaceRadius radius = good;
  radius.rule = ConflictRule::candidate;
  EXPECT_NE(message(radius).find("candidate"), std::string::npos);
  radius = good;
  radius.corners.pop_back();
  EXPECT_NE(message(radius).find("255 triangles, but the number of triangles is 256"),
            std::string::npos);
  radius = good;
  radius.corners[7][1] = NAN;
  EXPECT_NE(message(radius).find("a radius on a surface"), std::string::npos);
  radius = good;
  radius.scale = 0;
  EXPECT_NE(message(radius).find("scale"), std::string::npos);
  radius = {};
  radius.texture = DensityField::constant({8, 8, true}, 1);
  radius.largest = 1;
  EXPECT_NE(message(radius).find("texture coordinates"), std::string::npos);
  Points points = sample_surface(mesh, good, {}, context);
  points.radius.pop_back();
  EXPECT_THROW(certify(points, mesh, good, {}, context), Error);
  points.radius.clear();
  EXPECT_THROW(certify(points, mesh, good, {}, context), Error);
}

// Large pieces with maps, small ones without and blocks, by each rule: sheets that do not see each
// other, too.
TEST(SurfaceLanes, AllTargetsGiveTheSameBytes) {
  const auto by_rule = [](const Mesh& mesh, ConflictRule rule) {
    SurfaceRadius radius = along_diagonal(mesh, 0.03, 10);
    radius.rule = rule;
    return radius;
  };
  SurfaceRadius classes;
  classes.classes = {{0.2, 0.12}, {0.12, 0.06}};
  for (const Mesh& mesh : {torus(40, 20), torus(200, 100), sheets(), soup()}) {
    for (const SurfaceRadius& radius :
         {SurfaceRadius(0.05), by_rule(mesh, ConflictRule::mean), by_rule(mesh, ConflictRule::min),
          by_rule(mesh, ConflictRule::max), classes}) {
      Points first;
      std::size_t targets = 0;
      for_each_simd_target([&](const char* target) {
        Context context;
        const Points points = sample_surface(mesh, radius, {}, context);
        ASSERT_GT(points.size(), 20u);
        if (targets++ == 0) first = points;
        EXPECT_EQ(points.x, first.x) << target;
        EXPECT_EQ(points.y, first.y) << target;
        EXPECT_EQ(points.z, first.z) << target;
      });
      EXPECT_GE(targets, 2u);
    }
  }
}

}  // namespace
}  // namespace dapple
