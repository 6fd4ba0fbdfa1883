// Faces that are wound against their neighbors, edges of many faces: what is said, and what the
// gate does there.
#include "sample/surface/winding.hpp"

#include <gtest/gtest.h>
#include <string>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using surface::Winding;
using surface::winding_of;

constexpr double normal_angle = 120;  // where nothing else is said

void turn(Mesh& mesh, std::size_t triangle) {
  std::swap(mesh.triangles[triangle][1], mesh.triangles[triangle][2]);
}

std::vector<std::string> warnings(const Mesh& mesh, const SurfaceOptions& options = {}) {
  Context context;
  sample_surface(mesh, 0.3, options, context);
  return context.warnings();
}

// Squares on both sides of an edge along z, and so on round it; each walks the edge upwards.
Mesh fins(const std::vector<Vec2>& directions, bool alternately = false) {
  Builder b;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec2 d = directions[i];
    const std::int32_t low = b.vertex(0, 0, 0);
    b.vertex(0, 0, 1);
    b.vertex(d.x, d.y, 1);
    b.vertex(d.x, d.y, 0);
    if (alternately && i % 2 == 1) {
      b.quad(low, low + 3, low + 2, low + 1);
    } else {
      b.quad(low, low + 1, low + 2, low + 3);
    }
  }
  return b.mesh;
}

TEST(SurfaceWinding, FacesAreCountedAsTheFileDoes) {
  Mesh mesh = cube();
  EXPECT_EQ(winding_of(mesh, normal_angle, Context()).faces, 0);
  turn(mesh, 2);
  turn(mesh, 3);
  EXPECT_EQ(winding_of(mesh, normal_angle, Context()).faces, 2);
  mesh.face = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  EXPECT_EQ(winding_of(mesh, normal_angle, Context()).faces, 1);
  const auto said = warnings(mesh);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("1 face is wound against its neighbors")) << said[0];
  for (const char* way_out : {"normals of the mesh consistent", "`gate 180`", "`metric surface`"}) {
    EXPECT_NE(said[0].find(way_out), std::string::npos) << said[0];
  }
  // The same for soup, for any order, and with faces that are there twice or have no area.
  EXPECT_EQ(winding_of(in_another_order(mesh).mesh, normal_angle, Context()).faces, 2);
  Mesh twice = mesh;
  twice.face = {};
  for (int i = 0; i < 6; ++i) {
    const auto [a, b, c] = twice.triangles[static_cast<std::size_t>(i)];
    twice.triangles.push_back({b, c, a});
    twice.triangles.push_back({a, a, b});
  }
  EXPECT_EQ(winding_of(twice, normal_angle, Context()).faces, 2);
  // The ways out are taken, or there is nothing to say.
  SurfaceOptions options;
  options.normal_angle = 180;
  EXPECT_TRUE(warnings(mesh, options).empty());
  options = {};
  options.metric = SurfaceMetric::surface;
  EXPECT_TRUE(warnings(mesh, options).empty());
}

// Most of them turned is few of them turned.
TEST(SurfaceWinding, OfEachPartTheFewerAreTold) {
  Mesh mesh = square(8, 0.2);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t != 17 && t != 60 && t != 61) turn(mesh, t);
  }
  EXPECT_EQ(winding_of(mesh, normal_angle, Context()).faces, 3);
  // Another part that faces elsewhere is none of it.
  const Mesh other = torus(12, 8);
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (const Vec3& p : other.vertices) mesh.vertices.push_back(p + Vec3{9, 0, 0});
  for (const auto& [a, b, c] : other.triangles) {
    mesh.triangles.push_back({a + first, c + first, b + first});
  }
  EXPECT_EQ(winding_of(mesh, normal_angle, Context()).faces, 3);
}

TEST(SurfaceWinding, EdgesOfManyFacesAreToldAsSuch) {
  const Mesh four = fins({{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
  const Winding found = winding_of(four, normal_angle, Context());
  EXPECT_EQ(found.faces, 0);
  EXPECT_EQ(found.of_many, 1);
  const auto said = warnings(four);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("1 edge belongs to more than two faces")) << said[0];
  // A wall on a floor is no fault, nor are two blocks that touch along an edge.
  EXPECT_EQ(winding_of(fins({{1, 0}, {-1, 0}}, true), normal_angle, Context()).faces, 0);
  Mesh floor = fins({{1, 0}, {-1, 0}, {0, 1}}, true);
  EXPECT_EQ(winding_of(floor, normal_angle, Context()).of_many, 0);
  EXPECT_EQ(
      winding_of(fins({{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, true), normal_angle, Context()).of_many,
      0);
  // With the floor turned it is one.
  floor = fins({{1, 0}, {0, 1}, {-1, 0}}, true);
  EXPECT_EQ(winding_of(floor, normal_angle, Context()).of_many, 1);
  EXPECT_EQ(winding_of(floor, 180, Context()).of_many, 0);
  // Both sides of a sheet, for drawing.
  Mesh both = square(4, 0.1);
  const std::size_t count = both.triangles.size();
  for (std::size_t t = 0; t < count; ++t) {
    both.triangles.push_back(both.triangles[t]);
    turn(both, count + t);
  }
  EXPECT_TRUE(warnings(both).empty());
}

TEST(SurfaceWinding, AStripWithOneSideIsToldAsSuch) {
  Builder b;
  constexpr int n = 24;
  for (int i = 0; i < n; ++i) {
    const double turned = 3.141592653589793 * i / n;
    for (const double s : {-0.3, 0.3}) {
      const double r = 1 + s * std::cos(turned);
      b.vertex(r * std::cos(2 * turned), r * std::sin(2 * turned), s * std::sin(turned));
    }
  }
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i;
    const int c = i + 1 < n ? 2 * i + 2 : 1;
    const int d = i + 1 < n ? 2 * i + 3 : 0;
    b.quad(a, c, d, a + 1);
  }
  const Winding found = winding_of(b.mesh, normal_angle, Context());
  EXPECT_EQ(found.faces, 0);
  EXPECT_EQ(found.one_sided, 1);
  const auto said = warnings(b.mesh);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("1 part of the surface has only one side")) << said[0];
}

// Shares of classes are tried on the same mesh, many times.
TEST(SurfaceWinding, TrialsSayItOnce) {
  Mesh mesh = cube();
  turn(mesh, 2);
  mesh.triangles.push_back({0, 0, 1});
  Context context;
  for (int i = 0; i < 3; ++i) sample_surface(mesh, 0.3, {}, context);
  EXPECT_EQ(context.warnings().size(), 2u);
}

// What is said is so: across an edge at which faces do not agree points come near each other, and
// each of the ways out keeps them apart.
TEST(SurfaceWinding, TheGateDoesWhatIsSaid) {
  const auto nearest = [](const Points& points) {
    double least = 1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        least = std::min(least, length(place(points, i) - place(points, j)));
      }
    }
    return least;
  };
  constexpr double r = 0.04;
  for (const Mesh& mesh : {fins({{1, 0}, {-1, 0}}), fins({{1, 0}, {0, 1}, {-1, 0}, {0, -1}})}) {
    Context context;
    EXPECT_LT(nearest(sample_surface(mesh, r, {}, context)), 0.9 * r);
    EXPECT_EQ(context.warnings().size(), 1u);
    SurfaceOptions alone;
    alone.normal_angle = 180;
    EXPECT_GE(nearest(sample_surface(mesh, r, alone, context)), r);
    SurfaceOptions along;
    along.metric = SurfaceMetric::surface;
    const Points apart = sample_surface(mesh, r, along, context);
    const Certificate proof = certify(apart, mesh, along, context);
    EXPECT_EQ(proof.violations + proof.holes, 0);
    EXPECT_EQ(context.warnings().size(), 1u);
  }
}

}  // namespace
}  // namespace dapple
