// Points in the solid that a closed mesh encloses: exact against brute force in double, maximal by
// probes, inside by the angles that faces take up, the same for any order of faces and threads.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "distributions.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// A ball of n rings of 2 n faces, whose front is out, or in.
Mesh ball(int n, double radius, bool front_in = false) {
  Builder b;
  const auto at = [&](int ring, int side) {
    const double t = std::numbers::pi * ring / n;
    const double s = std::numbers::pi * (side % (2 * n)) / n;
    return Vec3{std::sin(t) * std::cos(s), std::sin(t) * std::sin(s), std::cos(t)} * radius;
  };
  const auto place = [&](int ring, int side) {
    return ring == 0 ? Vec3{0, 0, radius} : ring == n ? Vec3{0, 0, -radius} : at(ring, side);
  };
  for (int ring = 0; ring < n; ++ring) {
    for (int side = 0; side < 2 * n; ++side) {
      const Vec3 p = place(ring, side), q = place(ring + 1, side);
      const Vec3 r = place(ring + 1, side + 1), s = place(ring, side + 1);
      if (ring + 1 < n) front_in ? b.alone(q, p, r) : b.alone(p, q, r);
      if (ring > 0) front_in ? b.alone(p, s, r) : b.alone(p, r, s);
    }
  }
  return b.mesh;
}

Mesh joined(const std::vector<Mesh>& meshes) {
  Mesh all;
  for (const Mesh& mesh : meshes) {
    const auto first = static_cast<std::int32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (auto t : mesh.triangles) {
      for (std::int32_t& corner : t) corner += first;
      all.triangles.push_back(t);
    }
  }
  return all;
}

Mesh moved(Mesh mesh, const Vec3& by, const Vec3& times = {1, 1, 1}) {
  for (Vec3& p : mesh.vertices) {
    p = Vec3{p.x * times.x, p.y * times.y, p.z * times.z} + by;
  }
  return mesh;
}

// A ball that is a wall, with another ball in its hollow, whatever way their faces are wound.
Mesh shells() {
  return joined({ball(12, 1), ball(12, 0.7, true), ball(9, 0.35)});
}

// Needles, as long as the cube is wide, that stand on its faces: pyramids as thin as 1e-4.
Mesh spikes() {
  std::vector<Mesh> parts{cube()};
  Random random(9, Stream::tests);
  for (int i = 0; i < 4; ++i) {
    Builder b;
    const double x = 0.2 + 0.6 * random.uniform(), y = 0.2 + 0.6 * random.uniform();
    const double w = 1e-4;
    const Vec3 top{x, y, 2.2}, p{x, y, 1.1}, q{x + w, y, 1.1}, r{x, y + w, 1.1};
    b.alone(p, r, q);
    b.alone(p, q, top);
    b.alone(q, r, top);
    b.alone(r, p, top);
    parts.push_back(b.mesh);
  }
  return joined(parts);
}

// How often the mesh winds round a place, whose faces are of one way: by the solid angles of its
// faces (van Oosterom, Strackee 1983).
double winding(const Mesh& mesh, const Vec3& at) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = corner(mesh, t, 0) - at, b = corner(mesh, t, 1) - at,
               c = corner(mesh, t, 2) - at;
    const double la = length(a), lb = length(b), lc = length(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

Vec3 random_place(const Mesh& mesh, Random& random) {
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& p : mesh.vertices) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 size = high - low;
  return low +
         Vec3{size.x * random.uniform(), size.y * random.uniform(), size.z * random.uniform()};
}

struct Kind {
  const char* name;
  Mesh mesh;
  double radius;
};
std::vector<Kind> kinds() {
  return {{"ball", ball(10, 1), 0.21},
          {"fine ball", ball(90, 1), 0.3},
          {"torus", torus(40, 16), 0.17},
          {"shells", shells(), 0.14},
          {"cube", cube(), 0.13},
          {"far", moved(torus(30, 12), {1e4, -3e4, 2e4}), 0.2},
          {"thin", moved(ball(10, 1), {}, {1, 1, 0.004}), 0.12},
          {"needle", moved(ball(8, 1), {}, {1, 1e-3, 1e-3}), 0.05},
          {"spikes", spikes(), 0.3},
          {"larger radius than mesh", ball(6, 1), 5}};
}

double closest_pair(const Points& points) {
  double least = 1e30;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, length(place(points, i) - place(points, j)));
    }
  }
  return least;
}

TEST(Inside, IsExactAndMaximalInSolidsOfAllKinds) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    Context context;
    const Points points = sample_inside(kind.mesh, 0, kind.radius, context);
    ASSERT_GT(points.size(), 0u);
    EXPECT_TRUE(points.nx.empty());
    EXPECT_GE(closest_pair(points), kind.radius);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double turns = winding(kind.mesh, place(points, i));
      ASSERT_NEAR(std::abs(std::remainder(turns, 2)), 1, 0.01) << i;
    }
    Random random(4, Stream::tests);
    int probes = 0;
    // As many as take a second.
    const auto faces = static_cast<int>(kind.mesh.triangles.size());
    for (int i = 0; i < std::min(20000, 10000000 / faces); ++i) {
      const Vec3 at = random_place(kind.mesh, random);
      if (std::abs(std::remainder(winding(kind.mesh, at), 2)) < 0.5) continue;
      ++probes;
      bool free = true;
      for (std::size_t p = 0; p < points.size() && free; ++p) {
        free = length(at - place(points, p)) > 1.00001 * kind.radius;
      }
      ASSERT_FALSE(free) << at.x << " " << at.y << " " << at.z;
    }
    EXPECT_GT(probes, 5);
    const Certificate proof = certify_inside(points, kind.mesh, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_EQ(proof.holes, 0);
    EXPECT_EQ(proof.outside, 0);
    if (points.size() > 1) {
      EXPECT_NEAR(proof.closest, closest_pair(points) / kind.radius, 1e-9);
    }
  }
}

TEST(Inside, ProofsFindWhatIsWrong) {
  Context context;
  const Mesh mesh = torus(40, 16);
  Points points = sample_inside(mesh, 0, 0.17, context);
  const auto without = [&](std::size_t i) {
    Points fewer = points;
    for (auto* column : {&fewer.x, &fewer.y, &fewer.z}) {
      column->erase(column->begin() + static_cast<std::ptrdiff_t>(i));
    }
    fewer.radius.pop_back();
    return fewer;
  };
  for (const std::size_t i : {0u, 50u, 111u}) {
    const Certificate proof = certify_inside(without(i), mesh, context);
    EXPECT_GT(proof.holes, 0) << i;
    const Vec3 hole{proof.hole_place.x, proof.hole_place.y, proof.hole_place.z};
    EXPECT_LT(length(hole - place(points, i)), 0.17 * 1.00001);
    EXPECT_THROW(verify_inside(without(i), mesh, context), Error);
    verify_inside(without(i), mesh, context, true);
  }
  EXPECT_FALSE(context.warnings().empty());
  Points outside = points;
  outside.z[3] = 0.41;
  EXPECT_EQ(certify_inside(outside, mesh, context).outside, 1);
  Points near = points;
  near.x[7] = near.x[8] + 0.1;
  near.y[7] = near.y[8];
  near.z[7] = near.z[8];
  EXPECT_GT(certify_inside(near, mesh, context).violations, 0);
  points.x[0] = std::nan("");
  EXPECT_THROW(certify_inside(points, mesh, context), Error);
  near.z.pop_back();
  EXPECT_THROW(certify_inside(near, mesh, context), Error);
}

TEST(Inside, NeitherOrderNorThreadsNorWindingChangeAByte) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    Context one;
    one.threads = 1;
    const Points points = sample_inside(kind.mesh, 0, kind.radius, one);
    Mesh other = in_another_order(kind.mesh).mesh;
    for (std::size_t t = 0; t < other.triangles.size(); t += 3) {
      std::swap(other.triangles[t][0], other.triangles[t][1]);
    }
    for (const int threads : {1, 2, 3, 7}) {
      Context context;
      context.threads = threads;
      const Points again = sample_inside(other, 0, kind.radius, context);
      EXPECT_EQ(points.x, again.x);
      EXPECT_EQ(points.y, again.y);
      EXPECT_EQ(points.z, again.z);
    }
  }
}

TEST(Inside, FollowsTheSeedAndFillsAsAVolume) {
  Context a, b;
  b.seed = 2;
  const Mesh mesh = moved(cube(), {}, {10, 10, 10});
  const Points points = sample_inside(mesh, 0, 0.5, a);
  EXPECT_NE(points.x, sample_inside(mesh, 0, 0.5, b).x);
  // As many as in the box that it is.
  const double box = static_cast<double>(sample_volume({10, 10, false}, 10, 0, 0.5, a).size());
  EXPECT_NEAR(static_cast<double>(points.size()) / box, 1, 0.01);
  const QualityReport report = analyze_inside(points, mesh, a);
  EXPECT_NEAR(report.find("volume")->value, 1000, 1e-6);
  EXPECT_EQ(report.find("holes")->value, 0);
  EXPECT_EQ(report.find("outside")->value, 0);
}

Mesh octahedron() {
  Builder b;
  for (int i = 0; i < 8; ++i) {
    const auto sign = [&](int bit) { return (i >> bit & 1) != 0 ? -1.0 : 1.0; };
    b.alone({sign(0), 0, 0}, {0, sign(1), 0}, {0, 0, sign(2)});
  }
  return b.mesh;
}

// Darts one after the other: at cubes that are neither outside nor covered by one point, which are
// cut into eight whenever many darts have missed, until they are too small to matter.
std::vector<Vec3> thrown_one_by_one(double radius, std::uint64_t seed) {
  Random random(seed, Stream::tests);
  std::vector<Vec3> points;
  double edge = 0.25;
  std::vector<Vec3> cubes;
  for (int i = 0; i < 512; ++i) {
    cubes.push_back(Vec3{edge * (i & 7), edge * (i >> 3 & 7), edge * (i >> 6)} - Vec3{1, 1, 1});
  }
  const auto matters = [&](const Vec3& cube) {
    const Vec3 middle = cube + Vec3{edge, edge, edge} * 0.5;
    const Vec3 near{std::max(0.0, std::abs(middle.x) - edge / 2),
                    std::max(0.0, std::abs(middle.y) - edge / 2),
                    std::max(0.0, std::abs(middle.z) - edge / 2)};
    if (near.x + near.y + near.z > 1) return false;
    return std::none_of(points.begin(), points.end(), [&](const Vec3& p) {
      const Vec3 d = p - middle;
      return length(Vec3{std::abs(d.x), std::abs(d.y), std::abs(d.z)} +
                    Vec3{edge, edge, edge} * 0.5) < radius;
    });
  };
  while (edge > 1e-4 && !cubes.empty()) {
    for (std::size_t misses = 0; misses < 4 * cubes.size(); ++misses) {
      Vec3 at = cubes[random.below(static_cast<std::uint32_t>(cubes.size()))];
      at = at + Vec3{random.uniform(), random.uniform(), random.uniform()} * edge;
      if (std::abs(at.x) + std::abs(at.y) + std::abs(at.z) > 1) continue;
      const bool free = std::all_of(points.begin(), points.end(),
                                    [&](const Vec3& p) { return length(p - at) >= radius; });
      if (free) points.push_back(at);
    }
    edge /= 2;
    std::vector<Vec3> parts;
    for (const Vec3& cube : cubes) {
      for (int i = 0; i < 8; ++i) {
        const Vec3 part = cube + Vec3{1.0 * (i & 1), 1.0 * (i >> 1 & 1), 1.0 * (i >> 2)} * edge;
        if (matters(part)) parts.push_back(part);
      }
    }
    cubes = parts;
  }
  return points;
}

TEST(Inside, GoesRoundPointsThatAreThere) {
  const Vec3 middle{5, -3, 2};
  const Mesh mesh = moved(ball(10, 1), middle);
  Points there;
  Random random(3, Stream::tests);
  for (std::size_t i = 0; i < 60; ++i) {
    // Outside of the solid too.
    Vec3 at = middle;
    at.x += 3 * random.uniform() - 1.5;
    at.y += 3 * random.uniform() - 1.5;
    at.z += 3 * random.uniform() - 1.5;
    there.add({at.x, at.y}, i % 3 == 0 ? 0.0f : i % 3 == 1 ? 0.5f : 0.06f);
    there.height.push_back(at.z);
  }
  constexpr double radius = 0.15;
  const FixedPoints kept{&there, ConflictRule::mean};
  Context context;
  const Points points = sample_inside(mesh, 0, radius, context, false, kept);
  ASSERT_GT(points.size(), 100u);
  const auto place_there = [&](std::size_t j) {
    return Vec3{there.x[j], there.y[j], there.height[j]};
  };
  const auto exclusion_distance = [&](std::size_t j) {
    const auto r = static_cast<double>(there.radius[j]);
    return r > 0 ? 0.5 * (r + radius) : radius;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_GE(length(place(points, i) - place(points, j)), radius * (1 - 1e-12));
    }
    for (std::size_t j = 0; j < there.size(); ++j) {
      ASSERT_GE(length(place(points, i) - place_there(j)), exclusion_distance(j) * (1 - 1e-12));
    }
  }
  for (int probe = 0; probe < 3000; ++probe) {
    const Vec3 at = random_place(mesh, random);
    if (std::abs(winding(mesh, at)) < 0.5) continue;
    bool free = true;
    for (std::size_t i = 0; i < points.size() && free; ++i) {
      free = length(at - place(points, i)) > 1.00001 * radius;
    }
    for (std::size_t j = 0; j < there.size() && free; ++j) {
      free = length(at - place_there(j)) > 1.00001 * exclusion_distance(j);
    }
    ASSERT_FALSE(free);
  }
  const Certificate proof = certify_inside(points, mesh, context, 1e-5, kept);
  EXPECT_EQ(proof.violations + proof.holes + proof.outside, 0);
  EXPECT_GT(certify_inside(points, mesh, context).holes, 0);
  PointsOptions options;
  options.in.mesh = std::make_shared<const Mesh>(mesh);
  options.sample.keep.points = std::make_shared<const Points>(there);
  options.sample.progressive = true;
  options.field.count = 400;
  const Points all = make_inside_points(options, context);
  ASSERT_EQ(all.size(), 400u);
  for (std::size_t j = 0; j < there.size(); ++j) EXPECT_EQ(all.z[j], there.height[j]);
  EXPECT_EQ(all.rank[399], 399);
}

TEST(Inside, IsSpreadAsDartsOneAfterTheOther) {
  const Mesh mesh = octahedron();
  constexpr double radius = 0.45;
  constexpr int runs = 200;
  std::vector<double> more_points, farther_out;
  const auto out = [](double x, double y, double z) {
    return std::abs(x) + std::abs(y) + std::abs(z);
  };
  for (int run = 1; run <= runs; ++run) {
    Context context;
    context.seed = static_cast<std::uint64_t>(run);
    const Points own = sample_inside(mesh, 0, radius, context);
    const std::vector<Vec3> other = thrown_one_by_one(radius, context.seed);
    more_points.push_back(static_cast<double>(own.size()) - static_cast<double>(other.size()));
    double own_out = 0, other_out = 0;
    for (std::size_t i = 0; i < own.size(); ++i) own_out += out(own.x[i], own.y[i], own.z[i]);
    for (const Vec3& p : other) other_out += out(p.x, p.y, p.z);
    farther_out.push_back(own_out / static_cast<double>(own.size()) -
                          other_out / static_cast<double>(other.size()));
  }
  for (const auto& differences : {more_points, farther_out}) {
    EXPECT_LT(mean_in_errors(differences), 3);
  }
}

TEST(Inside, RepeatedFacesCountOnceAndThoseBackToBackEncloseNothing) {
  Context context;
  const Points points = sample_inside(cube(), 0, 0.2, context);
  Mesh twice = cube();
  twice.triangles.push_back(twice.triangles[2]);
  twice.triangles.push_back({twice.triangles[4][1], twice.triangles[4][2], twice.triangles[4][0]});
  EXPECT_EQ(points.x, sample_inside(twice, 0, 0.2, context).x);
  // Two cubes that share a wall are one solid, and a fin of no thickness is none.
  const Points wide = sample_inside(joined({cube(), moved(cube(), {1, 0, 0})}), 0, 0.2, context);
  const Mesh one = moved(cube(), {}, {2, 1, 1});
  EXPECT_EQ(certify_inside(wide, one, context).holes, 0);
  EXPECT_EQ(certify_inside(wide, one, context).outside, 0);
  Builder fin;
  fin.alone({0.5, 0.5, 1.2}, {0.9, 0.5, 1.2}, {0.5, 0.5, 3});
  fin.alone({0.5, 0.5, 1.2}, {0.5, 0.5, 3}, {0.9, 0.5, 1.2});
  const Points with_fin = sample_inside(joined({cube(), fin.mesh}), 0, 0.2, context);
  EXPECT_EQ(points.x, with_fin.x);
}

TEST(Inside, SaysWhatIsWrong) {
  const auto says = [](const Mesh& mesh, double radius, const std::vector<std::string>& texts) {
    Context context;
    try {
      sample_inside(mesh, 0, radius, context);
      FAIL() << texts[0];
    } catch (const Error& e) {
      for (const std::string& text : texts) {
        EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
      }
    }
  };
  Mesh open = cube();
  open.triangles.pop_back();
  says(open, 0.1, {"not closed", "3 edges are open", "fill its holes", "`on`"});
  says(square(3, 0), 0.1, {"12 edges are open"});
  Mesh flat = moved(cube(), {}, {1, 1, 0});
  says(flat, 0.1, {"encloses nothing"});
  says(moved(cube(), {1e12, 0, 0}), 0.1, {"too far from the origin", "move it"});
  says(cube(), 1e-4, {"memory"});
  says(cube(), 0, {"radius"});
  says(cube(), std::nan(""), {"radius"});
  says({}, 1, {"no triangles"});
}

}  // namespace
}  // namespace dapple
