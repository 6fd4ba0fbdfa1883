// Points on meshes: exact against brute force in double, maximal by probes, the same bytes whatever
// the order of the mesh and the number of threads, and triangles that do not show.
#include "dapple/surface.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "meshes.hpp"

namespace dapple {
namespace {

constexpr double circle = 6.283185307179586;

struct Builder {
  Mesh mesh;
  std::int32_t vertex(double x, double y, double z) {
    mesh.vertices.push_back({x, y, z});
    return static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  }
  void triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    mesh.triangles.push_back({a, b, c});
  }
  void quad(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  void alone(const Vec3& a, const Vec3& b, const Vec3& c) {
    const std::int32_t first = vertex(a.x, a.y, a.z);
    vertex(b.x, b.y, b.z);
    vertex(c.x, c.y, c.z);
    triangle(first, first + 1, first + 2);
  }
};

// The unit square as n x n pairs of triangles whose inner corners are shaken.
Mesh square(int n, double shake) {
  Builder b;
  Random random(7, Stream::tests);
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const bool inner = i > 0 && i < n && j > 0 && j < n;
      const double dx = inner ? shake * (2 * random.uniform() - 1) : 0;
      const double dy = inner ? shake * (2 * random.uniform() - 1) : 0;
      b.vertex((i + dx) / n, (j + dy) / n, 0);
    }
  }
  const auto id = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) b.quad(id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
  }
  return b.mesh;
}

Mesh cube() {
  Builder b;
  for (int i = 0; i < 8; ++i) b.vertex(i & 1, i >> 1 & 1, i >> 2 & 1);
  b.quad(0, 2, 3, 1);
  b.quad(4, 5, 7, 6);
  b.quad(0, 1, 5, 4);
  b.quad(2, 6, 7, 3);
  b.quad(0, 4, 6, 2);
  b.quad(1, 3, 7, 5);
  return b.mesh;
}

// Two squares that face away from each other, nearer than the radius.
Mesh sheets() {
  Builder b;
  for (const double z : {0.0, 0.01}) {
    const std::int32_t first = b.vertex(0, 0, z);
    b.vertex(1, 0, z);
    b.vertex(1, 1, z);
    b.vertex(0, 1, z);
    if (z > 0) b.quad(first, first + 1, first + 2, first + 3);
    if (z == 0) b.quad(first, first + 3, first + 2, first + 1);
  }
  return b.mesh;
}

// Triangles anywhere, of any size, among them needles, repeated ones and some without area.
Mesh soup() {
  Builder b;
  Random random(11, Stream::tests);
  const auto place = [&] { return Vec3{random.uniform(), random.uniform(), random.uniform()}; };
  for (int i = 0; i < 60; ++i) {
    const Vec3 a = place();
    const double size = std::pow(10.0, -3 * random.uniform());
    b.alone(a, a + (place() - Vec3{0.5, 0.5, 0.5}) * size,
            a + (place() - Vec3{0.5, 0.5, 0.5}) * size);
  }
  for (int i = 0; i < 10; ++i) {  // needles, 10^4 : 1
    const Vec3 a = place();
    b.alone(a, a + Vec3{0.8, 0, 0}, a + Vec3{0.8, 8e-5, 0});
  }
  const Mesh once = b.mesh;
  for (int i = 0; i < 5; ++i) {
    const auto& t = once.triangles[static_cast<std::size_t>(i)];
    b.triangle(t[1], t[2], t[0]);
    b.triangle(t[0], t[0], t[1]);
  }
  return b.mesh;
}

Vec3 corner(const Mesh& mesh, std::size_t triangle, std::size_t i) {
  return mesh.vertices[static_cast<std::size_t>(mesh.triangles[triangle][i])];
}
Vec3 across(const Mesh& mesh, std::size_t t) {
  return cross(corner(mesh, t, 1) - corner(mesh, t, 0), corner(mesh, t, 2) - corner(mesh, t, 0));
}
Vec3 place(const SurfacePoints& points, std::size_t i) {
  return {points.x[i], points.y[i], points.z[i]};
}
Vec3 normal(const SurfacePoints& points, std::size_t i) {
  return {points.nx[i], points.ny[i], points.nz[i]};
}

// Looks along x, in which the points are sorted.
struct Brute {
  const SurfacePoints& points;
  double cosine;
  std::vector<std::size_t> order;

  Brute(const SurfacePoints& of, double gate)
      : points(of), cosine(std::cos(gate / 360 * circle)), order(of.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return points.x[a] < points.x[b]; });
  }
  // The least distance of a point that the normal sees, other than `self`, or 2 radii.
  double nearest(const Vec3& p, const Vec3& n, std::size_t self) const {
    const double r = points.radius;
    auto at = std::lower_bound(order.begin(), order.end(), p.x - 2 * r,
                               [&](std::size_t i, double x) { return points.x[i] < x; });
    double least = 2 * r;
    for (; at != order.end() && points.x[*at] < p.x + 2 * r; ++at) {
      if (*at == self || dot(n, normal(points, *at)) <= cosine) continue;
      least = std::min(least, length(place(points, *at) - p));
    }
    return least;
  }
};

// No two too near, and `probes` random places each within a radius of a point.
void expect_exact(const Mesh& mesh, const SurfacePoints& points, double gate, int probes) {
  const Brute brute(points, gate);
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    closest = std::min(closest, brute.nearest(place(points, i), normal(points, i), i));
  }
  EXPECT_GE(closest, points.radius);
  std::vector<double> sums(1, 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double area = 0.5 * length(across(mesh, t));
    // What has no area to speak of gets no points.
    const double longest = std::max({length(corner(mesh, t, 1) - corner(mesh, t, 0)),
                                     length(corner(mesh, t, 2) - corner(mesh, t, 0)),
                                     length(corner(mesh, t, 2) - corner(mesh, t, 1))});
    sums.push_back(sums.back() + (area > 1e-12 * longest * longest ? area : 0));
  }
  Random random(3, Stream::tests);
  double farthest = 0;
  for (int k = 0; k < probes; ++k) {
    const double at = random.uniform() * sums.back();
    const auto t = static_cast<std::size_t>(std::upper_bound(sums.begin() + 1, sums.end() - 1, at) -
                                            sums.begin() - 1);
    double s = random.uniform();
    double w = random.uniform();
    if (s + w > 1) {
      s = 1 - s;
      w = 1 - w;
    }
    const Vec3 a = corner(mesh, t, 0);
    const Vec3 p = a + (corner(mesh, t, 1) - a) * s + (corner(mesh, t, 2) - a) * w;
    const Vec3 n = across(mesh, t);
    farthest = std::max(farthest, brute.nearest(p, n * (1 / length(n)), points.size()));
  }
  EXPECT_LE(farthest, points.radius * 1.00001);
}

struct Scene {
  const char* name;
  Mesh (*make)();
  double radius;
};
const Scene scenes[] = {
    {"fine_torus", [] { return torus(120, 60); }, 0.03},
    {"coarse_torus", [] { return torus(16, 8); }, 0.03},
    {"cube", cube, 0.04},
    {"sheets", sheets, 0.033},
    {"soup", soup, 0.02},
    {"square", [] { return square(30, 0.4); }, 0.02},
};
class Surface : public ::testing::TestWithParam<Scene> {};

TEST_P(Surface, IsExactMaximalAndProved) {
  const Mesh mesh = GetParam().make();
  Context context;
  const SurfacePoints points = sample_surface(mesh, GetParam().radius, {}, context);
  ASSERT_GT(points.size(), 500u);
  expect_exact(mesh, points, 120, 20000);
  const SurfaceCertificate proof = certify(points, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_GE(proof.closest, 1);
  EXPECT_LT(proof.closest, 1.01);
}

TEST_P(Surface, HasTheSameBytesInAnyOrderAndOnAnyNumberOfThreads) {
  const Mesh mesh = GetParam().make();
  Mesh shuffled;
  std::vector<std::size_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(5, Stream::tests);
  const auto shuffle = [&](auto& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
    }
  };
  shuffle(order);
  std::vector<std::int32_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    now[order[i]] = static_cast<std::int32_t>(i);
    shuffled.vertices.push_back(mesh.vertices[order[i]]);
  }
  for (auto triangle : mesh.triangles) {
    for (std::int32_t& c : triangle) c = now[static_cast<std::size_t>(c)];
    std::rotate(triangle.begin(), triangle.begin() + random.below(3), triangle.end());
    shuffled.triangles.push_back(triangle);
  }
  shuffle(shuffled.triangles);
  Context context;
  context.threads = 1;
  const SurfacePoints points = sample_surface(mesh, GetParam().radius, {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const SurfacePoints again =
        sample_surface(threads == 3 ? shuffled : mesh, GetParam().radius, {}, other);
    EXPECT_EQ(points.x, again.x) << threads;
    EXPECT_EQ(points.y, again.y) << threads;
    EXPECT_EQ(points.z, again.z) << threads;
  }
  Context other;
  other.seed = 2;
  EXPECT_NE(points.x, sample_surface(mesh, GetParam().radius, {}, other).x);
}

TEST_P(Surface, MakesExactlyTheNumber) {
  const Mesh mesh = GetParam().make();
  for (const int count : {1, 10, 1000}) {
    Context context;
    const SurfacePoints points = sample_surface_count(mesh, count, {}, context);
    EXPECT_EQ(points.size(), static_cast<std::size_t>(count));
    expect_exact(mesh, points, 120, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Surface, testing::ValuesIn(scenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(SurfacePointsOf, FacesAndWeightsLeadBackToTheirPlaces) {
  const Mesh mesh = soup();
  Context context;
  const SurfacePoints points = sample_surface(mesh, 0.02, {}, context);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto t = static_cast<std::size_t>(points.triangle[i]);
    const double u = points.u[i];
    const double v = points.v[i];
    const Vec3 p =
        corner(mesh, t, 0) * (1 - u - v) + corner(mesh, t, 1) * u + corner(mesh, t, 2) * v;
    EXPECT_LT(length(p - place(points, i)), 1e-6);
    const Vec3 n = across(mesh, t);
    EXPECT_GT(dot(n, normal(points, i)), 0.999 * length(n));
  }
}

TEST(SurfaceProof, FindsAPointThatIsMissingAndOneTooMany) {
  const Mesh mesh = torus(60, 30);
  Context context;
  SurfacePoints points = sample_surface(mesh, 0.05, {}, context);
  SurfacePoints fewer = points;
  for (auto* column : {&fewer.x, &fewer.y, &fewer.z}) column->erase(column->begin() + 20);
  for (auto* column : {&fewer.nx, &fewer.ny, &fewer.nz}) column->erase(column->begin() + 20);
  const SurfaceCertificate open = certify(fewer, mesh, {}, context);
  EXPECT_GT(open.holes, 0);
  EXPECT_LT(length(open.hole_place - place(points, 20)), 0.06);
  for (auto* column : {&points.x, &points.y, &points.z}) column->push_back((*column)[20] + 0.001);
  for (auto* column : {&points.nx, &points.ny, &points.nz}) column->push_back((*column)[20]);
  const SurfaceCertificate crowded = certify(points, mesh, {}, context);
  EXPECT_EQ(crowded.holes, 0);
  EXPECT_GE(crowded.violations, 1);
  EXPECT_LT(crowded.closest, 0.05);
}

// Two sheets nearer than a radius that face away from each other get as many points as two squares;
// where the gate is open, as one.
TEST(SurfaceGate, SheetsDoNotSeeEachOther) {
  Context context;
  SurfaceOptions open;
  open.gate = 180;
  const double r = 0.033;
  const double square_points = 0.697 / (r * r);
  const auto squares = [&](const SurfaceOptions& options) {
    const SurfacePoints points = sample_surface(sheets(), r, options, context);
    return static_cast<double>(points.size()) / square_points;
  };
  EXPECT_NEAR(squares({}), 2.07, 0.07);
  EXPECT_NEAR(squares(open), 1.1, 0.12);
}

TEST(SurfaceGate, FacesThatAreWoundAgainstTheirNeighborsAreSaid) {
  Mesh mesh = square(10, 0);
  Context context;
  sample_surface(mesh, 0.05, {}, context);
  EXPECT_TRUE(context.warnings().empty());
  std::swap(mesh.triangles[60][0], mesh.triangles[60][1]);
  sample_surface(mesh, 0.05, {}, context);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_NE(context.warnings()[0].find("faces at 2 edges"), std::string::npos);
  EXPECT_NE(context.warnings()[0].find("`gate` 180"), std::string::npos);
  Context other;
  SurfaceOptions open;
  open.gate = 180;
  sample_surface(mesh, 0.05, open, other);
  EXPECT_TRUE(other.warnings().empty());
}

// Packing of a maximal set, and columns as even whatever the triangles are: their number varies as
// that of a square of two triangles does.
TEST(SurfaceLaw, TrianglesDoNotShow) {
  const double r = 0.01;
  const auto figures = [&](const Mesh& mesh) {
    constexpr std::size_t columns = 50;
    double packing = 0;
    double spread = 0;
    constexpr int seeds = 24;
    for (int seed = 1; seed <= seeds; ++seed) {
      Context context;
      context.seed = static_cast<std::uint64_t>(seed);
      const SurfacePoints points = sample_surface(mesh, r, {}, context);
      std::vector<double> count(columns);
      for (const double x : points.x) {
        ++count[std::min(columns - 1, static_cast<std::size_t>(x * columns))];
      }
      const double mean = static_cast<double>(points.size()) / columns;
      for (const double c : count) spread += (c - mean) * (c - mean) / (columns * seeds);
      packing += static_cast<double>(points.size()) * r * r / seeds;
    }
    return std::pair(packing, std::sqrt(spread));
  };
  const auto [plain, plain_spread] = figures(square(1, 0));
  EXPECT_NEAR(plain, 0.7035, 0.003);  // .697, and what the border adds
  for (const int n : {20, 100}) {     // shaken by less than what folds some over
    const auto [packing, spread] = figures(square(n, 0.2));
    EXPECT_NEAR(packing, plain, 0.0015) << n;
    EXPECT_NEAR(spread / plain_spread, 1, 0.2) << n;
  }
}

// The mean number of points on a small square, against darts that are thrown one by one.
TEST(SurfaceLaw, IsThatOfDartsOneAfterTheOther) {
  const Mesh mesh = square(1, 0);
  const double r = 0.35;
  constexpr int sets = 1000;
  std::vector<int> ours(12), naive(12);
  for (int seed = 0; seed < sets; ++seed) {
    Context context;
    context.threads = 1;
    context.seed = static_cast<std::uint64_t>(seed);
    ++ours[std::min<std::size_t>(11, sample_surface(mesh, r, {}, context).size())];
    Random random(static_cast<std::uint64_t>(seed), Stream::tests);
    std::vector<Vec2> found;
    for (int miss = 0; miss < 40000; ++miss) {
      const Vec2 p{random.uniform(), random.uniform()};
      const bool near = std::any_of(found.begin(), found.end(),
                                    [&](Vec2 q) { return length_squared(p - q) < r * r; });
      if (near) continue;
      found.push_back(p);
      miss = 0;
    }
    ++naive[std::min<std::size_t>(11, found.size())];
  }
  // Kolmogorov and Smirnov: the most that the shares up to any number differ, at 1 in 1000.
  int difference = 0;
  int a = 0;
  int b = 0;
  for (std::size_t n = 0; n < ours.size(); ++n) {
    a += ours[n];
    b += naive[n];
    difference = std::max(difference, std::abs(a - b));
  }
  EXPECT_LT(static_cast<double>(difference) / sets, 1.95 * std::sqrt(2.0 / sets));
}

TEST(SurfaceDoors, RefuseWhatMakesNoSense) {
  Context context;
  const auto message = [&](const Mesh& mesh, double radius) -> std::string {
    try {
      sample_surface(mesh, radius, {}, context);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({}, 1).find("no triangles"), std::string::npos);
  Mesh mesh = cube();
  EXPECT_NE(message(mesh, 0).find("radius"), std::string::npos);
  EXPECT_NE(message(mesh, NAN).find("radius"), std::string::npos);
  EXPECT_NE(message(mesh, 1e-9).find("memory"), std::string::npos) << message(mesh, 1e-9);
  mesh.vertices[3].y = NAN;
  EXPECT_NE(message(mesh, 0.1).find("vertex 4"), std::string::npos);
  mesh = cube();
  mesh.triangles[5][1] = 8;
  EXPECT_NE(message(mesh, 0.1).find("triangle 6 has vertex 9 of 8"), std::string::npos);
  mesh = {};
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_NE(message(mesh, 0.1).find("no face with an area"), std::string::npos);
  EXPECT_THROW(sample_surface_count(cube(), 0, {}, context), Error);
  SurfaceOptions options;
  options.gate = 500;
  EXPECT_THROW(sample_surface(cube(), 0.1, options, context), Error);
  SurfacePoints points = sample_surface(cube(), 0.3, {}, context);
  points.x[0] = NAN;
  EXPECT_THROW(certify(points, cube(), {}, context), Error);
  points.x.pop_back();
  EXPECT_THROW(certify(points, cube(), {}, context), Error);
}

// A sliver 10^6 radii long, a set too wide to be told apart: an answer, in little memory.
TEST(SurfaceDoors, MeshesOfAnySizeEnd) {
  Context context;
  context.limits.max_memory = std::int64_t{400} << 20;
  Builder b;
  b.alone({0, 0, 0}, {1000, 0, 0}, {1000, 1e-3, 0});
  EXPECT_GT(sample_surface(b.mesh, 0.1, {}, context).size(), 5000u);
  Builder far;
  far.alone({0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0});
  far.alone({1e6, 0, 0}, {1e6 + 1e-6, 0, 0}, {1e6, 1e-6, 0});
  EXPECT_THROW(sample_surface(far.mesh, 1e-7, {}, context), Error);
  EXPECT_EQ(sample_surface(far.mesh, 1, {}, context).size(), 2u);
}

}  // namespace
}  // namespace dapple
