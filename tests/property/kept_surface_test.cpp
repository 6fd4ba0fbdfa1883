// Points on meshes round others that are there: exact against all pairs and maximal by probes in
// double, where the kept ones are of the same radius, of others, and a little off the surface.
#include "dapple/kept_surface.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "meshes.hpp"

namespace dapple {
namespace {

// Some of a set, moved off the surface by parts of a radius, of radii that `radius_of` says.
template <class RadiusOf>
PointSet some_of(const SurfacePoints& points, std::size_t count, double off,
                 const RadiusOf& radius_of) {
  PointSet kept;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = i * points.size() / count;
    const Vec3 at = place(points, from) + normal(points, from) * (off * points.radius);
    kept.add({at.x, at.y}, radius_of(i));
    kept.z.push_back(at.z);
  }
  return kept;
}

// By the mean of both radii, which are at `even` where a place has none of its own.
void expect_filled(const Mesh& mesh, const KeptSurface& set, double even) {
  const SurfacePoints& points = set.points;
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = set.kept; i < points.size(); ++i) {
    EXPECT_FLOAT_EQ(points.r[i], static_cast<float>(even));
    for (std::size_t j = 0; j < i; ++j) {
      if (dot(normal(points, i), normal(points, j)) <= -0.5) continue;
      const double asked = 0.5 * static_cast<double>(points.r[i] + points.r[j]);
      closest = std::min(closest, length(place(points, i) - place(points, j)) / asked);
    }
  }
  EXPECT_GE(closest, 1 - 1e-7);
  RandomPlaces places(mesh);
  int open = 0;
  for (int k = 0; k < 1000; ++k) {
    const auto [p, n] = places.next();
    bool free = true;
    for (std::size_t j = 0; j < points.size() && free; ++j) {
      const double asked = 0.5 * (even + static_cast<double>(points.r[j]));
      free = dot(n, normal(points, j)) <= -0.5 || length(place(points, j) - p) > 1.00002 * asked;
    }
    open += free ? 1 : 0;
  }
  EXPECT_EQ(open, 0);
  Context context;
  const SurfaceCertificate proof = certify(set, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_NEAR(proof.closest, closest, 1e-5);
}

TEST(KeptSurface, IsFilledExactly) {
  Context context;
  for (const Mesh& mesh : {torus(40, 20), cube(), sheets()}) {
    const SurfacePoints all = sample_surface(mesh, 0.08, {}, context);
    const auto check = [&](double off, const auto& radius_of) {
      const PointSet kept = some_of(all, 40, off, radius_of);
      const KeptSurface set = sample_surface_round(mesh, kept, 0, 0.08, {}, context);
      ASSERT_EQ(set.kept, 40u);
      EXPECT_GT(set.points.size(), 60u);
      for (std::size_t i = 0; i < set.kept; ++i) {
        ASSERT_EQ(set.points.x[i], kept.x[i]);
        ASSERT_EQ(set.points.z[i], kept.z[i]);
      }
      expect_filled(mesh, set, 0.08);
    };
    check(0, [](std::size_t) { return 0.0f; });
    check(0, [](std::size_t) { return 0.08f; });
    check(0, [](std::size_t i) { return i % 3 == 0 ? 0.12f : i % 3 == 1 ? 0.03f : 0.08f; });
    check(0.2, [](std::size_t i) { return i % 2 == 0 ? 0.1f : 0.0f; });
  }
}

TEST(KeptSurface, ProofsFindWhatIsWrong) {
  Context context;
  const Mesh mesh = torus(40, 20);
  const SurfacePoints all = sample_surface(mesh, 0.1, {}, context);
  const PointSet kept = some_of(all, 20, 0, [](std::size_t) { return 0.2f; });
  KeptSurface set = sample_surface_round(mesh, kept, 0, 0.1, {}, context);
  // Kept ones were too near each other and stay; a new one at the place of one is too near.
  set.points.x.back() = kept.x[3];
  set.points.y.back() = kept.y[3];
  set.points.z.back() = kept.z[3];
  set.points.nx.back() = set.points.nx[3];
  set.points.ny.back() = set.points.ny[3];
  set.points.nz.back() = set.points.nz[3];
  const SurfaceCertificate proof = certify(set, mesh, {}, context);
  EXPECT_GT(proof.violations, 0);
  EXPECT_GT(proof.holes, 0);
}

TEST(KeptSurface, CountsAndRadiiThatVaryGoRoundThem) {
  Context context;
  const Mesh mesh = torus(40, 20);
  const SurfacePoints all = sample_surface(mesh, 0.1, {}, context);
  const PointSet kept =
      some_of(all, 30, 0, [](std::size_t i) { return i % 2 == 0 ? 0.15f : 0.0f; });
  const KeptSurface counted = sample_surface_round(mesh, kept, 300, 0.1, {}, context);
  ASSERT_EQ(counted.points.size(), 300u);
  EXPECT_EQ(certify(counted, mesh, {}, context).violations, 0);
  SurfaceRadius radius;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<float, 3> r{};
    for (std::size_t c = 0; c < 3; ++c) {
      r[c] = static_cast<float>(0.08 + 0.03 * corner(mesh, t, c).x);
    }
    radius.corners.push_back(r);
  }
  const KeptSurface varied = sample_surface_round(mesh, kept, 0, radius, {}, context);
  const SurfaceCertificate proof = certify(varied, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  for (std::size_t i = 0; i < 30; i += 2) EXPECT_EQ(varied.points.r[i], 0.15f);
  EXPECT_NEAR(varied.points.r[1], 0.08 + 0.03 * kept.x[1], 0.002);
}

TEST(KeptSurface, HasTheSameBytesInAnyOrderAndOnAnyNumberOfThreads) {
  Context context;
  const Mesh mesh = cube();
  const SurfacePoints all = sample_surface(mesh, 0.08, {}, context);
  const PointSet kept =
      some_of(all, 30, 0, [](std::size_t i) { return i % 2 == 0 ? 0.15f : 0.0f; });
  context.threads = 1;
  const KeptSurface one = sample_surface_round(mesh, kept, 0, 0.08, {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const Mesh again = threads == 3 ? in_another_order(mesh).mesh : mesh;
    const KeptSurface set = sample_surface_round(again, kept, 0, 0.08, {}, other);
    EXPECT_EQ(set.points.x, one.points.x);
    EXPECT_EQ(set.points.z, one.points.z);
    EXPECT_EQ(set.points.nx, one.points.nx);
    EXPECT_EQ(set.points.r, one.points.r);
  }
}

TEST(KeptSurface, SaysWhatIsWrong) {
  Context context;
  const Mesh mesh = cube();
  const auto said = [&](const PointSet& kept, std::int64_t count) {
    try {
      sample_surface_round(mesh, kept, count, 0.1, {}, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  PointSet kept;
  kept.add({0.5, 0.5}, 0.1f);
  EXPECT_NE(said(kept, 0).find("column z"), std::string::npos);
  kept.z = {4};
  EXPECT_NE(said(kept, 0).find("point 1 of `keep` at 0.5 0.5 4"), std::string::npos);
  kept.z = {1};
  EXPECT_NE(said(kept, 1).find("no room"), std::string::npos);
  kept.z = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(said(kept, 0).find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace dapple
