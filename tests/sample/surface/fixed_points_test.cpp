// Points on meshes round others that are there: exact against all pairs and maximal by probes in
// double, where the kept ones are of the same radius, of others, and a little off the surface.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// Some of a set, moved off the surface by parts of a radius, of radii that `radius_of` says.
template <class RadiusOf>
Points some_of(const Points& points, std::size_t count, double off, const RadiusOf& radius_of) {
  Points kept;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = i * points.size() / count;
    const Vec3 at = place(points, from) + normal(points, from) * (off * test::one_radius(points));
    kept.add({at.x, at.y}, radius_of(i));
    kept.z.push_back(at.z);
  }
  return kept;
}

// By the mean of both radii, which are at `even` where a place has none of its own.
void expect_filled(const Mesh& mesh, const SurfaceWithFixedPoints& set, double even) {
  const Points& points = set.points;
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = set.kept; i < points.size(); ++i) {
    EXPECT_FLOAT_EQ(points.radius[i], static_cast<float>(even));
    for (std::size_t j = 0; j < i; ++j) {
      if (dot(normal(points, i), normal(points, j)) <= -0.5) continue;
      const double asked = 0.5 * static_cast<double>(points.radius[i] + points.radius[j]);
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
      const double asked = 0.5 * (even + static_cast<double>(points.radius[j]));
      free = dot(n, normal(points, j)) <= -0.5 || length(place(points, j) - p) > 1.00002 * asked;
    }
    open += free ? 1 : 0;
  }
  EXPECT_EQ(open, 0);
  Context context;
  const Certificate proof = certify(set, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_NEAR(proof.closest, closest, 1e-5);
}

TEST(SurfaceWithFixedPoints, IsFilledExactly) {
  Context context;
  for (const Mesh& mesh : {torus(40, 20), cube(), sheets()}) {
    const Points all = sample_surface(mesh, 0.08, {}, context);
    const auto check = [&](double off, const auto& radius_of) {
      const Points kept = some_of(all, 40, off, radius_of);
      const SurfaceWithFixedPoints set = sample_surface_around(mesh, kept, 0, 0.08, {}, context);
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

// On its sheet, too.
void move_last_to(Points& points, std::size_t row) {
  for (const auto column : {&Points::x, &Points::y, &Points::z}) {
    (points.*column).back() = (points.*column)[row];
  }
  for (const auto column : {&Points::nx, &Points::ny, &Points::nz}) {
    (points.*column).back() = (points.*column)[row];
  }
}

TEST(SurfaceWithFixedPoints, CountsAndRadiiThatVaryGoRoundThem) {
  Context context;
  const Mesh mesh = torus(40, 20);
  const Points all = sample_surface(mesh, 0.1, {}, context);
  const Points kept = some_of(all, 30, 0, [](std::size_t i) { return i % 2 == 0 ? 0.15f : 0.0f; });
  const SurfaceWithFixedPoints counted = sample_surface_around(mesh, kept, 300, 0.1, {}, context);
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
  const SurfaceWithFixedPoints varied = sample_surface_around(mesh, kept, 0, radius, {}, context);
  const Certificate proof = certify(varied, mesh, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  for (std::size_t i = 0; i < 30; i += 2) EXPECT_EQ(varied.points.radius[i], 0.15f);
  EXPECT_NEAR(varied.points.radius[1], 0.08 + 0.03 * kept.x[1], 0.002);
}

// Classes of radii 0.16 and 0.08 whose mean is between two of them.
TEST(SurfaceWithFixedPoints, ClassesGoRoundPointsOfClassesAndOfRadii) {
  const std::vector<double> radii{0.16, 0.08};
  for (const Mesh& mesh : {torus(40, 20), cube(), sheets()}) {
    for (const bool by_class : {true, false}) {
      Context context;
      const Points all = sample_surface(mesh, 0.1, {}, context);
      Points kept = some_of(all, 30, 0, [](std::size_t i) {
        return i % 3 == 0 ? 0.0f : i % 3 == 1 ? 0.3f : 0.06f;
      });
      if (by_class) {
        for (std::size_t i = 0; i < kept.size(); ++i) {
          kept.class_id.push_back(static_cast<std::int32_t>(i % 2));
        }
      }
      ClassOptions options;
      options.radii = radii;
      options.shares = {0.25, 0.75};
      options.distance = ClassDistance::mean;
      const SurfaceWithFixedPoints set =
          sample_classes_around(mesh, kept, options, 0, ConflictRule::mean, {}, context);
      ASSERT_EQ(set.kept, 30u);
      ASSERT_EQ(set.classes, 2u);
      const Points& points = set.points;
      // How far a point of radius `own` is from each, which is the mean of both.
      const auto asked = [&](double own, std::size_t j) {
        if (j >= set.kept || by_class) {
          return 0.5 * (own + radii[static_cast<std::size_t>(points.class_id[j])]);
        }
        const auto r = static_cast<double>(kept.radius[j]);
        return r > 0 ? 0.5 * (own + r) : own;
      };
      const auto own = [&](std::size_t i) {
        return radii[static_cast<std::size_t>(points.class_id[i])];
      };
      double closest = std::numeric_limits<double>::infinity();
      for (std::size_t i = set.kept; i < points.size(); ++i) {
        ASSERT_LT(points.class_id[i], 2);
        for (std::size_t j = 0; j < i; ++j) {
          if (dot(normal(points, i), normal(points, j)) <= -0.5) continue;
          closest =
              std::min(closest, length(place(points, i) - place(points, j)) / asked(own(i), j));
        }
      }
      EXPECT_GE(closest, 1 - 1e-7);
      RandomPlaces places(mesh);
      int open = 0;
      for (int k = 0; k < 600; ++k) {
        const auto [p, n] = places.next();
        for (const double r : radii) {
          bool free = true;
          for (std::size_t j = 0; j < points.size() && free; ++j) {
            free = dot(n, normal(points, j)) <= -0.5 ||
                   length(place(points, j) - p) > 1.00002 * asked(r, j);
          }
          open += free ? 1 : 0;
        }
      }
      EXPECT_EQ(open, 0);
      const Certificate proof = certify(set, mesh, {}, context);
      EXPECT_EQ(proof.violations, 0);
      EXPECT_EQ(proof.holes, 0);
      EXPECT_NEAR(proof.closest, closest, 1e-5);
      SurfaceWithFixedPoints wrong = set;
      move_last_to(wrong.points, 1);
      EXPECT_GT(certify(wrong, mesh, {}, context).violations, 0);
    }
  }
}

TEST(SurfaceWithFixedPoints, OrdersGoOnBehindTheKeptOnes) {
  Context context;
  const Mesh mesh = torus(40, 20);
  const Points all = sample_surface(mesh, 0.1, {}, context);
  const Points kept = some_of(all, 60, 0, [](std::size_t) { return 0.0f; });
  SurfaceWithFixedPoints set = sample_surface_around(mesh, kept, 0, 0.05, {}, context);
  std::vector<double> before = set.points.x;
  order_progressively(set.points, set.radius, {}, context, set.kept);
  for (std::size_t i = 0; i < set.kept; ++i) EXPECT_EQ(set.points.x[i], kept.x[i]);
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    EXPECT_EQ(set.points.rank[i], static_cast<std::int32_t>(i));
  }
  const double area = 0.05 * 0.05 * static_cast<double>(set.points.size()) / 0.6965;
  // The new ones of each beginning, from all before them.
  for (const std::size_t count : {120u, 250u, 600u, 1200u}) {
    ASSERT_LT(count, set.points.size());
    const double hexagonal = std::sqrt(1.1547 * area / static_cast<double>(count));
    double closest = std::numeric_limits<double>::infinity();
    for (std::size_t i = set.kept; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (dot(normal(set.points, i), normal(set.points, j)) <= -0.5) continue;
        closest = std::min(closest, length(place(set.points, i) - place(set.points, j)));
      }
    }
    EXPECT_GT(closest, 0.5 * hexagonal) << count;
  }
  std::sort(before.begin(), before.end());
  std::vector<double> after = set.points.x;
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
}

TEST(SurfaceWithFixedPoints, HasTheSameBytesInAnyOrderAndOnAnyNumberOfThreads) {
  Context context;
  const Mesh mesh = cube();
  const Points all = sample_surface(mesh, 0.08, {}, context);
  const Points kept = some_of(all, 30, 0, [](std::size_t i) { return i % 2 == 0 ? 0.15f : 0.0f; });
  context.threads = 1;
  const SurfaceWithFixedPoints one = sample_surface_around(mesh, kept, 0, 0.08, {}, context);
  for (const int threads : {2, 3, 7}) {
    Context other;
    other.threads = threads;
    const Mesh again = threads == 3 ? in_another_order(mesh).mesh : mesh;
    const SurfaceWithFixedPoints set = sample_surface_around(again, kept, 0, 0.08, {}, other);
    EXPECT_EQ(set.points.x, one.points.x);
    EXPECT_EQ(set.points.z, one.points.z);
    EXPECT_EQ(set.points.nx, one.points.nx);
    EXPECT_EQ(set.points.radius, one.points.radius);
  }
}

TEST(SurfaceWithFixedPoints, SaysWhatIsWrong) {
  Context context;
  const Mesh mesh = cube();
  const auto said = [&](const Points& kept, std::int64_t count) {
    try {
      sample_surface_around(mesh, kept, count, 0.1, {}, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Points kept;
  kept.add({0.5, 0.5}, 0.1f);
  EXPECT_NE(said(kept, 0).find("column z"), std::string::npos);
  kept.z = {4};
  EXPECT_NE(said(kept, 0).find("point 1 of `keep` at 0.5 0.5 4"), std::string::npos);
  kept.z = {1};
  const auto said_of_classes = [&](const Points& there) {
    ClassOptions options;
    options.radii = {0.2, 0.1};
    try {
      sample_classes_around(mesh, there, options, 0, ConflictRule::mean, {}, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  kept.class_id = {2};
  EXPECT_NE(said_of_classes(kept).find("point 1 has class 2"), std::string::npos);
  kept.class_id.clear();
  Points many;
  for (int i = 0; i < 300; ++i) {
    many.add({0.5, 0.5}, 0.1f + 0.001f * static_cast<float>(i));
    many.z.push_back(1);
  }
  EXPECT_NE(said_of_classes(many).find("300 radii"), std::string::npos);
  EXPECT_NE(said(kept, 1).find("not more than the"), std::string::npos);
  kept.z = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(said(kept, 0).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace dapple
