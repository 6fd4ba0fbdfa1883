// Points along a surface round others that are there: exact and maximal by the straight distances
// of a folded strip that is laid flat again, whatever radii the kept ones have.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

constexpr double r = 0.1;
constexpr double gap = 0.3 * r;  // of layers
constexpr int steps = 90;        // of the strip's long side

SurfaceOptions along() {
  SurfaceOptions options;
  options.metric = SurfaceMetric::surface;
  return options;
}

// Back and forth in three layers, as straight pieces; x and z of each of their ends.
std::vector<Vec2> chain() {
  std::vector<Vec2> ends;
  constexpr double pi = 3.141592653589793;
  for (int i = 0; i <= steps; ++i) {
    const double part = 3.0 * i / steps;
    const int layer = std::min(2, static_cast<int>(part));
    const double x = part - layer;
    // Turns are a fifth of each layer.
    const bool turns = x > 0.8 && layer < 2;
    const double a = turns ? (x - 0.8) / 0.2 * pi : 0;
    const double across = turns ? 0.8 + gap / 2 * std::sin(a) : layer == 2 ? 0.8 * x : x;
    const double up = turns ? gap / 2 * (1 - std::cos(a)) : 0;
    ends.push_back({layer % 2 == 0 ? across : 0.8 - across, gap * layer + up});
  }
  return ends;
}

// Laid flat: how far along the strip its pieces begin.
std::vector<double> starts() {
  const std::vector<Vec2> ends = chain();
  std::vector<double> at{0};
  for (std::size_t i = 1; i < ends.size(); ++i)
    at.push_back(at.back() + length(ends[i] - ends[i - 1]));
  return at;
}

Mesh folded() {
  Builder b;
  for (const Vec2& end : chain()) {
    for (int j = 0; j <= 4; ++j) b.vertex(end.x, 0.25 * j, end.y);
  }
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < 4; ++j) b.quad(5 * i + j, 5 * i + j + 5, 5 * i + j + 6, 5 * i + j + 1);
  }
  return b.mesh;
}

Vec2 laid_flat(const Points& points, std::size_t i) {
  static const std::vector<Vec2> ends = chain();
  static const std::vector<double> at = starts();
  const auto piece = static_cast<std::size_t>(points.triangle[i] / 8);
  const Vec2 way = (ends[piece + 1] - ends[piece]) * (1 / (at[piece + 1] - at[piece]));
  const Vec2 from = Vec2{points.x[i], points.z[i]} - ends[piece];
  return {at[piece] + dot(from, way), points.y[i]};
}

struct Case {
  const char* name;
  std::vector<float> radii;  // 0: none
  ConflictRule rule;
};
const Case cases[] = {
    {"like_the_others", {0}, ConflictRule::mean},
    {"of_their_own", {0.02f, 0.3f, 0, 0.15f}, ConflictRule::mean},
    {"the_larger", {0.02f, 0.15f}, ConflictRule::max},
    {"the_lesser", {0.02f, 0.5f}, ConflictRule::min},
};

// By chance, some of them a little off the strip, on either side.
Points some_points(const std::vector<float>& radii, std::size_t count) {
  const std::vector<Vec2> ends = chain();
  Points kept;
  Random random(5, Stream::tests);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t piece = random.below(steps);
    const Vec2 edge = ends[piece + 1] - ends[piece];
    const double off = 0.05 * gap * static_cast<double>(i % 3) / length(edge);
    const Vec2 at =
        ends[piece] + edge * (0.2 + 0.6 * random.uniform()) + Vec2{-edge.y, edge.x} * off;
    kept.x.push_back(at.x);
    kept.y.push_back(random.uniform());
    kept.height.push_back(at.y);
    kept.radius.push_back(radii[i % radii.size()]);
  }
  return kept;
}

class KeptAlong : public ::testing::TestWithParam<Case> {
 protected:
  SurfaceRadius radius() const {
    SurfaceRadius one = r;
    one.rule = GetParam().rule;
    return one;
  }
  double limit(float own) const {
    return own > 0 ? rule_distance(GetParam().rule, static_cast<double>(own), r) : r;
  }
};

TEST_P(KeptAlong, IsExactAndMaximalRoundThem) {
  const Mesh mesh = folded();
  const Points kept = some_points(GetParam().radii, 30);
  Context context;
  const SurfaceWithFixedPoints set =
      sample_surface_around(mesh, kept, 0, radius(), along(), context);
  ASSERT_EQ(set.kept, kept.size());
  ASSERT_GT(set.points.size(), 100u);
  std::vector<Vec2> flat;
  for (std::size_t i = 0; i < set.points.size(); ++i) flat.push_back(laid_flat(set.points, i));
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = set.kept; i < flat.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double asked = j < set.kept ? limit(kept.radius[j]) : r;
      closest = std::min(closest, length(flat[i] - flat[j]) / asked);
    }
  }
  EXPECT_GE(closest, 1);
  EXPECT_LT(closest, 1.02);
  Random random(4, Stream::tests);
  int open = 0;
  for (int probe = 0; probe < 20000; ++probe) {
    const Vec2 at{random.uniform() * starts().back(), random.uniform()};
    bool free = true;
    for (std::size_t j = 0; j < flat.size() && free; ++j) {
      const double asked = j < set.kept ? limit(kept.radius[j]) : r;
      free = length(at - flat[j]) > asked * 1.0001;
    }
    open += free ? 1 : 0;
  }
  EXPECT_EQ(open, 0);
  const Certificate proof = certify(set, mesh, along(), context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_NEAR(proof.closest, closest, 1e-6);
}

TEST_P(KeptAlong, IsTheSameForAnyThreadsAndAnyOrderOfTheMesh) {
  const Mesh mesh = folded();
  const Mesh shuffled = in_another_order(mesh).mesh;
  const Points kept = some_points(GetParam().radii, 30);
  const auto made = [&](const Mesh& of, int threads) {
    Context context;
    context.threads = threads;
    const Points points = sample_surface_around(of, kept, 0, radius(), along(), context).points;
    return std::tuple(points.x, points.y, points.z);
  };
  const auto first = made(mesh, 1);
  EXPECT_EQ(first, made(mesh, 2));
  EXPECT_EQ(first, made(shuffled, 3));
  EXPECT_EQ(first, made(mesh, 7));
}

INSTANTIATE_TEST_SUITE_P(Strips, KeptAlong, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace dapple
