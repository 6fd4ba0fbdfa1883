// Points on meshes: exact against brute force in double, maximal by probes, the same bytes whatever
// the order of the mesh and the number of threads, and triangles that do not show.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/sample.hpp"
#include "distributions.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/box_space/solid.hpp"
#include "sample/geodesic/face_adjacency.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/tiles.hpp"
#include "sample/surface/winding.hpp"

namespace dapple {
namespace {

constexpr double circle = 6.283185307179586;

// Looks along x, in which the points are sorted.
struct Brute {
  const Points& points;
  double cosine;
  std::vector<std::size_t> order;

  Brute(const Points& of, double gate)
      : points(of), cosine(std::cos(gate / 360 * circle)), order(of.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return points.x[a] < points.x[b]; });
  }
  // The least distance of a point that the normal sees, other than `self`, or 2 radii.
  double nearest(const Vec3& p, const Vec3& n, std::size_t self) const {
    const double r = test::one_radius(points);
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
void expect_exact(const Mesh& mesh, const Points& points, double gate, int probes) {
  const Brute brute(points, gate);
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    closest = std::min(closest, brute.nearest(place(points, i), normal(points, i), i));
  }
  EXPECT_GE(closest, test::one_radius(points));
  RandomPlaces places(mesh);
  double farthest = 0;
  for (int k = 0; k < probes; ++k) {
    const auto [p, n] = places.next();
    farthest = std::max(farthest, brute.nearest(p, n, points.size()));
  }
  EXPECT_LE(farthest, test::one_radius(points) * 1.00001);
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
  const Points points = sample_surface(mesh, GetParam().radius, {}, context);
  ASSERT_GT(points.size(), 500u);
  expect_exact(mesh, points, 120, 20000);
  const Certificate proof = certify(points, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_GE(proof.closest, 1);
  EXPECT_LT(proof.closest, 1.01);
}

TEST_P(Surface, HasTheSameBytesInAnyOrderAndOnAnyNumberOfThreads) {
  const Mesh mesh = GetParam().make();
  const Mesh shuffled = in_another_order(mesh).mesh;
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, GetParam().radius, {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const Points again =
        sample_surface(threads == 3 ? shuffled : mesh, GetParam().radius, {}, other);
    EXPECT_EQ(points.x, again.x) << threads;
    EXPECT_EQ(points.y, again.y) << threads;
    EXPECT_EQ(points.z, again.z) << threads;
  }
  Context other;
  other.seed = 2;
  EXPECT_NE(points.x, sample_surface(mesh, GetParam().radius, {}, other).x);
}

// Whole triangles as well as those that are cut: of equal faces the first has the points.
TEST_P(Surface, FacesThatAreThereTwiceCountOnce) {
  const Mesh once = GetParam().make();
  Mesh twice = once;
  for (const auto& t : once.triangles) twice.triangles.push_back({t[1], t[2], t[0]});
  Context context;
  const Points points = sample_surface(once, GetParam().radius, {}, context);
  const Points again = sample_surface(twice, GetParam().radius, {}, context);
  EXPECT_EQ(points.x, again.x);
  EXPECT_EQ(points.triangle, again.triangle);
}

INSTANTIATE_TEST_SUITE_P(Meshes, Surface, testing::ValuesIn(scenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(SurfacePointsOf, FacesAndWeightsLeadBackToTheirPlaces) {
  const Mesh mesh = soup();
  Context context;
  const Points points = sample_surface(mesh, 0.02, {}, context);
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

// Two sheets nearer than a radius that face away from each other get as many points as two squares;
// where the gate is open, as one.
TEST(SurfaceGate, SheetsDoNotSeeEachOther) {
  Context context;
  SurfaceOptions open;
  open.normal_angle = 180;
  const double r = 0.033;
  const double square_points = 0.697 / (r * r);
  const auto squares = [&](const SurfaceOptions& options) {
    const Points points = sample_surface(sheets(), r, options, context);
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
  EXPECT_NE(context.warnings()[0].find("1 face is wound"), std::string::npos);
  EXPECT_NE(context.warnings()[0].find("`gate 180`"), std::string::npos);
  Context other;
  SurfaceOptions open;
  open.normal_angle = 180;
  sample_surface(mesh, 0.05, open, other);
  EXPECT_TRUE(other.warnings().empty());
}

// The mean number of points on a small square, against darts that are thrown one by one.
TEST(SurfaceLaw, IsThatOfDartsOneAfterTheOther) {
  const Mesh mesh = square(1, 0);
  const double r = 0.35;
  constexpr int sets = 1000;
  std::vector<double> ours, naive;
  for (int seed = 0; seed < sets; ++seed) {
    Context context;
    context.threads = 1;
    context.seed = static_cast<std::uint64_t>(seed);
    ours.push_back(static_cast<double>(sample_surface(mesh, r, {}, context).size()));
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
    naive.push_back(static_cast<double>(found.size()));
  }
  EXPECT_LT(distribution_difference(ours, naive), one_in_a_thousand);
}

// Each of these steps takes long for millions of faces, so each checks the context by itself.
TEST(SurfaceCancel, IsObeyedInEveryStep) {
  const Mesh mesh = torus(20, 10);
  Context context;
  const surface::Frame frame = surface::frame_of(mesh, 0.1);
  surface::Triangles triangles = surface::canonical_triangles(mesh, frame, context);
  SurfaceRadius radius;
  radius.even = 0.1;
  const auto pieces = surface::make_pieces(mesh, triangles.all, frame, radius, context);
  context.cancel();
  const auto expect_cancelled = [](const char* step, const auto& run) {
    try {
      run();
      ADD_FAILURE() << step << " ran to its end";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << step;
    }
  };
  expect_cancelled("winding", [&] { surface::winding_of(mesh, 60, context); });
  expect_cancelled("twins", [&] { surface::leave_out_twins(triangles, context); });
  expect_cancelled("tiles",
                   [&] { surface::make_tiles(pieces, triangles.all, 60, radius, frame, context); });
  expect_cancelled("net", [&] { geodesic::make_net(mesh, triangles, frame, context); });
  expect_cancelled("solid", [&] { box_space::Solid(mesh, context); });
}

// A triangle with a base of `width` and a tip at (at, 0, 1) that is `length` away along x.
Mesh needle(double length, double width, double at = 0) {
  Builder made;
  made.alone({0, 0, 0}, {length, 0, 0}, {at * length, width, 0});
  return made.mesh;
}

std::vector<surface::Piece> pieces_of(const Mesh& mesh, const SurfaceRadius& radius,
                                      const Limits& limits = {}) {
  Context context;
  context.limits = limits;
  const surface::Frame frame = surface::frame_of(mesh, surface::least_radius(mesh, radius));
  return surface::make_pieces(mesh, surface::canonical_triangles(mesh, frame, context).all, frame,
                              radius, context);
}

TEST(SurfaceNeedles, AreCutIntoPiecesInProportionToTheirLength) {
  for (const double at : {0.0, 1e-7, 0.3, 0.5, 1.0}) {
    for (const double width : {1e-6, 0.1, 3.0, 50.0}) {
      for (const double length : {1e4, 1e5}) {
        SCOPED_TRACE(testing::Message() << at << " " << width << " " << length);
        SurfaceRadius radius;
        radius.even = 1;
        const auto pieces = pieces_of(needle(length, width, at), radius);
        EXPECT_LT(static_cast<double>(pieces.size()), length * (1 + width));
        double area = 0;
        std::set<std::uint64_t> keys;
        for (const surface::Piece& piece : pieces) {
          EXPECT_LE(piece.longest, surface::piece_edge);
          area += piece.area;
          keys.insert(piece.key);
        }
        EXPECT_NEAR(area, 0.5 * length * width, 1e-6 * length * width);
        EXPECT_EQ(keys.size(), pieces.size());
      }
    }
  }
}

TEST(SurfaceNeedles, HaveRadiiThatRiseAlongThem) {
  SurfaceRadius radius;
  radius.corners = {{1, 1000, 1}};
  const auto pieces = pieces_of(needle(1e5, 0.01), radius);
  EXPECT_LT(pieces.size(), 5000u);
  for (const surface::Piece& piece : pieces) {
    const std::array<Vec3, 3> corners{piece.a, piece.a + piece.e1, piece.a + piece.e2};
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(piece.r[c], 1 + 999 * corners[c].x / 1e5, 0.01);
    }
  }
}

TEST(SurfaceNeedles, CountAsMemory) {
  Limits limits;
  limits.max_memory = 20 << 20;
  Context context;
  context.limits = limits;
  SurfaceRadius radius;
  radius.even = 1;
  try {
    sample_surface(needle(6e4, 0.01), radius, {}, context);
    ADD_FAILURE() << "was sampled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit) << error.what();
  }
}

TEST(SurfacePreconditions, PathsCrossEdgesOfFewFaces) {
  const auto around_an_edge = [](int faces) {
    Builder made;
    made.vertex(0, 0, 0);
    made.vertex(0, 0, 1);
    for (int i = 0; i < faces; ++i) {
      made.triangle(0, 1, made.vertex(std::cos(0.01 * i), std::sin(0.01 * i), 0.5));
    }
    return made.mesh;
  };
  SurfaceRadius radius;
  radius.even = 0.5;
  SurfaceOptions options;
  options.metric = SurfaceMetric::surface;
  Context context;
  EXPECT_GT(sample_surface(around_an_edge(256), radius, options, context).size(), 256u);
  try {
    sample_surface(around_an_edge(257), radius, options, context);
    ADD_FAILURE() << "was sampled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    const std::string text = error.what();
    EXPECT_NE(text.find("257 faces of the mesh share one edge"), std::string::npos) << text;
    EXPECT_NE(text.find("at most 256"), std::string::npos) << text;
  }
}

TEST(SurfacePreconditions, RefuseWhatMakesNoSense) {
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
  EXPECT_NE(message(mesh, 1e-6).find("memory"), std::string::npos) << message(mesh, 1e-6);
  EXPECT_NE(message(mesh, 1e-9).find("1e+09 radii wide"), std::string::npos);
  mesh.vertices[3].y = NAN;
  EXPECT_NE(message(mesh, 0.1).find("vertex 4"), std::string::npos);
  mesh = cube();
  mesh.triangles[5][1] = 8;
  EXPECT_NE(message(mesh, 0.1).find("triangle 6 names vertex 9, but the number of vertices is 8"),
            std::string::npos);
  mesh = {};
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_NE(message(mesh, 0.1).find("no face with an area"), std::string::npos);
  EXPECT_THROW(sample_surface_count(cube(), 0, {}, context), Error);
  SurfaceOptions options;
  options.normal_angle = 500;
  EXPECT_THROW(sample_surface(cube(), 0.1, options, context), Error);
  Points points = sample_surface(cube(), 0.3, {}, context);
  points.x[0] = NAN;
  EXPECT_THROW(certify(points, cube(), {}, context), Error);
  points.x.pop_back();
  EXPECT_THROW(certify(points, cube(), {}, context), Error);
}

// A sliver 10^6 radii long, a set too wide to be told apart: an answer, in little memory.
TEST(SurfacePreconditions, MeshesOfAnySizeEnd) {
  Context context;
  context.limits.max_memory = std::int64_t{400} << 20;
  Builder b;
  b.alone({0, 0, 0}, {1000, 0, 0}, {1000, 1e-3, 0});
  EXPECT_GT(sample_surface(b.mesh, 0.1, {}, context).size(), 5000u);
  Builder hair;  // 50 million times as long as it is wide, of 50 radii
  hair.alone({0, 0, 0}, {1e6, 0, 0}, {1e6, 1e-3, 0});
  const Points along = sample_surface(hair.mesh, 2e4, {}, context);
  EXPECT_GT(along.size(), 30u);
  const Certificate proof = certify(along, hair.mesh, {}, context);
  EXPECT_EQ(proof.violations + proof.holes, 0);
  Builder far;
  far.alone({0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0});
  far.alone({1e6, 0, 0}, {1e6 + 1e-6, 0, 0}, {1e6, 1e-6, 0});
  EXPECT_THROW(sample_surface(far.mesh, 1e-7, {}, context), Error);
  EXPECT_EQ(sample_surface(far.mesh, 1, {}, context).size(), 2u);
  // Doubles are an eighth apart there.
  Builder out;
  out.alone({1e15, 0, 0}, {1e15 + 1, 0, 0}, {1e15, 1, 0});
  EXPECT_THROW(sample_surface(out.mesh, 0.1, {}, context), Error);
  EXPECT_GT(sample_surface(out.mesh, 1e5, {}, context).size(), 0u);
}

}  // namespace
}  // namespace dapple
