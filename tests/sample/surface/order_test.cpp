// Points on meshes in an order: each beginning is well spaced, whatever its number.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using Place = std::tuple<double, double, double>;
std::vector<Place> places_of(const Points& points) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    places.emplace_back(points.x[i], points.y[i], points.z[i]);
  }
  return places;
}

// The least distance of two of the first `count`, each by the mean of their radii, in parts of that
// of a hexagonal lattice of as many; of one sheet by a gate of 120 degrees.
double spacing_of(const Points& points, std::size_t count) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (dot(normal(points, i), normal(points, j)) <= -0.5) continue;
      const double r = 0.5 * static_cast<double>(points.radius[i] + points.radius[j]);
      least = std::min(least, length(place(points, i) - place(points, j)) / r);
    }
  }
  // A maximal set has .6964 points for each square of r.
  const double squares = static_cast<double>(points.size()) / 0.6964;
  return least / std::sqrt(2 / std::sqrt(3.0) * squares / static_cast<double>(count));
}

struct Case {
  const char* name;
  Mesh (*mesh)();
  double radius;
  double ratio;  // of the largest radius to that, from left to right
};
const Case cases[] = {
    {"torus", [] { return torus(60, 30); }, 0.07, 1},
    {"cube", cube, 0.045, 1},
    {"sheets", sheets, 0.03, 1},
    {"torus_of_radii", [] { return torus(120, 60); }, 0.03, 8},
};
class SurfaceOrder : public ::testing::TestWithParam<Case> {
 protected:
  static SurfaceRadius radius_on(const Mesh& mesh) {
    const Case& of = GetParam();
    if (of.ratio == 1) return of.radius;
    SurfaceRadius radius;
    radius.slope.reset();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      std::array<float, 3> corners{};
      for (std::size_t c = 0; c < 3; ++c) {
        const double along = (corner(mesh, t, c).x + 1.4) / 2.8;
        corners[c] = static_cast<float>(of.radius * (1 + (of.ratio - 1) * along));
      }
      radius.corners.push_back(corners);
    }
    return radius;
  }
};

TEST_P(SurfaceOrder, EachBeginningIsWellSpacedAndAllAreThere) {
  const Mesh mesh = GetParam().mesh();
  const SurfaceRadius radius = radius_on(mesh);
  Context context;
  const Points finished = sample_surface(mesh, radius, {}, context);
  ASSERT_GT(finished.size(), 1000u);
  Points ordered = finished;
  order_progressively(ordered, radius, {}, context);
  std::vector<Place> before = places_of(finished);
  std::vector<Place> after = places_of(ordered);
  EXPECT_NE(before, after);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    ASSERT_EQ(ordered.rank[i], static_cast<std::int32_t>(i));
  }
  for (std::size_t count = ordered.size(); count >= 16; count = count * 3 / 4) {
    EXPECT_GT(spacing_of(ordered, count), 0.55) << count << " of " << ordered.size();
  }
  EXPECT_LT(spacing_of(finished, finished.size() / 4), 0.5);
  const Certificate proof = certify(ordered, mesh, radius, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
}

TEST_P(SurfaceOrder, IsTheSameInAnyOrderOfTheMeshAndOnAnyNumberOfThreads) {
  const Mesh mesh = GetParam().mesh();
  const Mesh shuffled = in_another_order(mesh).mesh;
  const auto ordered = [](const Mesh& of, int threads) {
    Context context;
    context.threads = threads;
    const SurfaceRadius radius = radius_on(of);
    Points points = sample_surface(of, radius, {}, context);
    order_progressively(points, radius, {}, context);
    return places_of(points);
  };
  const std::vector<Place> first = ordered(mesh, 1);
  EXPECT_EQ(first, ordered(mesh, 2));
  EXPECT_EQ(first, ordered(shuffled, 3));
  EXPECT_EQ(first, ordered(mesh, 7));
}

INSTANTIATE_TEST_SUITE_P(Meshes, SurfaceOrder, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(SurfaceOrder, RefusesPointsThatAreNone) {
  Context context;
  Points points = sample_surface(cube(), 0.2, {}, context);
  points.z.pop_back();
  EXPECT_THROW(order_progressively(points, 0.2, {}, context), Error);
  Points none;
  order_progressively(none, 1.0, {}, context);
  EXPECT_EQ(none.size(), 0u);
}

}  // namespace
}  // namespace dapple
