// Points on meshes whose distances are those along the surface.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

SurfaceOptions along() {
  SurfaceOptions options;
  options.metric = SurfaceMetric::surface;
  return options;
}

// A strip of length 2 and width 1 that runs there, back and there again, its layers so far apart.
// `flat`: unfolded.
Vec3 on_strip(double s, double t, double apart, bool flat) {
  const double bend = 3.141592653589793 * apart / 2;
  const double layer = (2 - 2 * bend) / 3;
  if (flat) return {s, t, 0};
  if (s <= layer) return {s, t, 0};
  if (s <= layer + bend) {
    const double a = (s - layer) / (apart / 2);
    return {layer + apart / 2 * std::sin(a), t, apart / 2 * (1 - std::cos(a))};
  }
  if (s <= 2 * layer + bend) return {2 * layer + bend - s, t, apart};
  if (s <= 2 * layer + 2 * bend) {
    const double a = (s - 2 * layer - bend) / (apart / 2);
    return {-apart / 2 * std::sin(a), t, apart + apart / 2 * (1 - std::cos(a))};
  }
  return {s - 2 * layer - 2 * bend, t, 2 * apart};
}
Mesh strip(int n, double apart, bool flat = false) {
  Builder b;
  for (int i = 0; i <= 2 * n; ++i) {
    for (int j = 0; j <= 4; ++j) {
      const Vec3 p = on_strip(1.0 * i / n, 0.25 * j, apart, flat);
      b.vertex(p.x, p.y, p.z);
    }
  }
  for (int i = 0; i < 2 * n; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int at = 5 * i + j;
      b.quad(at, at + 5, at + 6, at + 1);
    }
  }
  return b.mesh;
}

std::size_t count_on(const Mesh& mesh, double r, const SurfaceOptions& options) {
  Context context;
  return sample_surface(mesh, r, options, context).size();
}

void expect_proved(const Mesh& mesh, const Points& points) {
  Context context;
  const Certificate proof = certify(points, mesh, along(), context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_GE(proof.closest, 1);
  EXPECT_LT(proof.closest, 1.05);
}

// However a square is cut, distances along it are straight.
TEST(SurfaceMetric, OnASquareIsThatOfThePlane) {
  constexpr double r = 0.045;
  for (const auto& [n, shake] : {std::pair{1, 0.0}, {6, 0.2}, {40, 0.2}}) {
    const Mesh mesh = square(n, shake);
    Context context;
    const Points points = sample_surface(mesh, r, along(), context);
    double closest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        closest = std::min(closest, length(place(points, i) - place(points, j)));
      }
    }
    EXPECT_GE(closest, r);
    RandomPlaces places(mesh);
    for (int k = 0; k < 5000; ++k) {
      const Vec3 p = places.next().at;
      double nearest = 2 * r;
      for (std::size_t i = 0; i < points.size(); ++i) {
        nearest = std::min(nearest, length(place(points, i) - p));
      }
      EXPECT_LE(nearest, r * 1.00001);
    }
    expect_proved(mesh, points);
  }
}

// Layers that lie 0.3 r apart and look the same way, joined far away: as full as the strip
// unfolded.
TEST(SurfaceMetric, LayersOfAFoldedStripAreEachAsFullAsAlone) {
  constexpr double r = 0.05;
  const Mesh folded = strip(100, 0.3 * r);
  const auto alone = static_cast<double>(count_on(strip(100, 0.3 * r, true), r, along()));
  EXPECT_NEAR(static_cast<double>(count_on(folded, r, along())) / alone, 1, 0.06);
  EXPECT_LT(static_cast<double>(count_on(folded, r, {})) / alone, 0.8);
  Context context;
  expect_proved(folded, sample_surface(folded, r, along(), context));
}

TEST(SurfaceMetric, HoldsOnAnyMesh) {
  Mesh rough = square(12, 0.3);
  Random random(9, Stream::tests);
  for (Vec3& p : rough.vertices) p.z = 0.1 * random.uniform();
  const std::pair<Mesh, double> meshes[] = {
      {torus(30, 15), 0.15}, {cube(), 0.2}, {sheets(), 0.1}, {soup(), 0.05}, {rough, 0.1}};
  for (const auto& [mesh, r] : meshes) {
    Context context;
    const Points points = sample_surface(mesh, r, along(), context);
    EXPECT_GT(points.size(), 50u);
    expect_proved(mesh, points);
    for (const int threads : {2, 3, 7}) {
      Context other;
      other.threads = threads;
      const Points again =
          sample_surface(threads == 3 ? in_another_order(mesh).mesh : mesh, r, along(), other);
      EXPECT_EQ(points.x, again.x) << threads;
      EXPECT_EQ(points.y, again.y) << threads;
      EXPECT_EQ(points.z, again.z) << threads;
    }
  }
}

// Every face once more, wound the other way, as for drawing of both sides: one sheet.
TEST(SurfaceMetric, FacesThatLieOnEachOtherAreOne) {
  const Mesh once = square(12, 0.2);
  Mesh twice = once;
  for (const auto& t : once.triangles) twice.triangles.push_back({t[0], t[2], t[1]});
  Context context;
  const Points points = sample_surface(twice, 0.1, along(), context);
  EXPECT_NEAR(static_cast<double>(points.size()), static_cast<double>(count_on(once, 0.1, along())),
              8);
  expect_proved(twice, points);
}

TEST(SurfaceMetric, MakesExactlyTheNumber) {
  Context context;
  const Points points = sample_surface_count(torus(20, 10), 300, along(), context);
  EXPECT_EQ(points.size(), 300u);
  EXPECT_EQ(certify(points, torus(20, 10), along(), context).violations, 0);
}

TEST(SurfaceMetric, ProofsFindAPointThatIsMissingAndOneTooMany) {
  const Mesh mesh = strip(60, 0.02);
  Context context;
  Points points = sample_surface(mesh, 0.1, along(), context);
  Points fewer = points;
  const auto for_columns = [](Points& of, const auto& body) {
    for (auto* column : {&of.x, &of.y, &of.z}) body(*column);
    for (auto* column : {&of.nx, &of.ny, &of.nz}) body(*column);
    body(of.triangle);
  };
  for_columns(fewer, [](auto& column) { column.erase(column.begin() + 20); });
  const Certificate open = certify(fewer, mesh, along(), context);
  EXPECT_GT(open.holes, 0);
  EXPECT_LT(length(open.hole_place.xyz() - place(points, 20)), 0.11);
  for_columns(points, [](auto& column) { column.push_back(column[20]); });
  const Certificate crowded = certify(points, mesh, along(), context);
  EXPECT_EQ(crowded.holes, 0);
  EXPECT_EQ(crowded.violations, 1);
  points.triangle.clear();
  EXPECT_THROW(certify(points, mesh, along(), context), Error);
}

// A T-junction and a corner that is off by what a float holds; borders are not said.
TEST(SurfaceMetric, FacesThatNearlyMeetAreSaid) {
  const auto said = [](const Mesh& mesh) -> std::string {
    Context context;
    sample_surface(mesh, 0.2, along(), context);
    return context.warnings().empty() ? "" : context.warnings()[0];
  };
  EXPECT_EQ(said(square(4, 0.2)), "");
  Builder b;
  b.alone({0, 0, 0}, {1, 0, 0}, {1, 1, 0});
  b.alone({0, 0, 0}, {0.5, 0.5, 0}, {0, 1, 0});
  b.alone({0.5, 0.5, 0}, {1, 1, 0}, {0, 1, 0});
  EXPECT_NE(said(b.mesh).find("nearly meet at 1 edge "), std::string::npos) << said(b.mesh);
  Mesh apart = square(4, 0);
  for (Vec3& p : apart.vertices) p = p + Vec3{3, 3, 3};
  const auto& t = apart.triangles[9];
  apart.vertices.push_back(corner(apart, 9, 0) + Vec3{2e-7, 0, 0});
  apart.triangles[9] = {static_cast<std::int32_t>(apart.vertices.size()) - 1, t[1], t[2]};
  EXPECT_NE(said(apart).find("nearly meet at"), std::string::npos);
}

TEST(SurfaceMetric, WhatItDoesNotKnowIsRefused) {
  Context context;
  const Mesh mesh = cube();
  const auto refuses = [&](const auto& work, const char* word) {
    try {
      work();
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  SurfaceRadius varying;
  varying.corners.assign(12, {0.1f, 0.2f, 0.3f});
  refuses([&] { sample_surface(mesh, varying, along(), context); }, "different radii");
  Points points = sample_surface(mesh, 0.4, along(), context);
  refuses([&] { order_progressively(points, 0.4, along(), context); }, "progressive");
  // Fine faces, and paths across hundreds of them.
  refuses([&] { sample_surface(torus(300, 150), 1, along(), context); }, "larger faces");
}

}  // namespace
}  // namespace dapple
