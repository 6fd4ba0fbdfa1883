// Points on a sphere: exact against brute force in double, maximal by probes, as dense at the poles
// as elsewhere, the same for any number of threads.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

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

double closest_pair(const Points& points, std::size_t count) {
  double least = 1e30;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, length(place(points, i) - place(points, j)));
    }
  }
  return least;
}

TEST(Sphere, IsExactAndMaximalForSmallAndLargeRadii) {
  for (const double radius : {3.0, 2.0, 1.9, 1.5, 1.3, 0.9, 0.4, 0.11, 0.05}) {
    SCOPED_TRACE(radius);
    Context context;
    constexpr double sphere = 7;
    const Points points = sample_sphere(sphere, 0, radius * sphere, context);
    ASSERT_GT(points.size(), 0u);
    if (points.size() > 1) {
      EXPECT_GE(closest_pair(points, points.size()), radius * sphere);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_NEAR(length(place(points, i)), sphere, 1e-14 * sphere);
      ASSERT_NEAR(length(place(points, i) - normal(points, i) * sphere), 0, 1e-6);
    }
    Random random(4, Stream::tests);
    for (int probe = 0; probe < 20000; ++probe) {
      const Vec3 at = random_direction(random, probe) * sphere;
      bool free = true;
      for (std::size_t i = 0; i < points.size() && free; ++i) {
        free = length(at - place(points, i)) > 1.00001 * radius * sphere;
      }
      ASSERT_FALSE(free) << at.x << " " << at.y << " " << at.z;
    }
    const Certificate proof = certify_sphere(points, sphere, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_EQ(proof.holes, 0);
    if (points.size() > 1) {
      EXPECT_NEAR(proof.closest * radius * sphere, closest_pair(points, points.size()),
                  radius < 1 ? 1e-12 : 100);
    }
  }
}

// Of 60 sets of some 1,750: caps and belts of equal area, of which one holds 35 points.
TEST(Sphere, PolesAreAsDenseAsTheRest) {
  constexpr int slices = 50;
  constexpr int runs = 60;
  std::array<double, slices> counts{};
  for (int run = 1; run <= runs; ++run) {
    Context context;
    context.seed = static_cast<std::uint64_t>(run);
    const Points points = sample_sphere(1, 0, 0.0708, context);
    for (const double z : points.z) {
      ++counts[static_cast<std::size_t>(std::clamp((z + 1) / 2 * slices, 0.0, slices - 1.0))];
    }
  }
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / slices;
  EXPECT_NEAR(mean / runs * slices * 0.0708 * 0.0708 / (4 * std::numbers::pi), 0.6975, 0.005);
  // Sets of blue noise vary by a third of what chance would: 2,100 points by some 20.
  for (int slice = 0; slice < slices; ++slice) {
    EXPECT_NEAR(counts[static_cast<std::size_t>(slice)] / mean, 1, 0.035) << slice;
  }
}

// Against darts at the whole sphere, as many as fill it but for next to nothing.
TEST(Sphere, IsSpreadAsDartsOneAfterTheOther) {
  constexpr int runs = 300;
  constexpr double radius = 0.8;
  std::vector<double> more_points, more_pairs;
  const auto near_pairs = [&](const std::vector<Vec3>& points) {
    double pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) pairs += length(points[i] - points[j]) < 1.1 * radius;
    }
    return pairs;
  };
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Context context;
    context.seed = seed;
    const Points points = sample_sphere(1, 0, radius, context);
    std::vector<Vec3> own, other;
    for (std::size_t i = 0; i < points.size(); ++i) own.push_back(place(points, i));
    Random random(seed, Stream::tests);
    for (int dart = 0; dart < 60000; ++dart) {
      const Vec3 at = random_direction(random, 0);
      if (std::none_of(other.begin(), other.end(),
                       [&](const Vec3& p) { return length(p - at) < radius; })) {
        other.push_back(at);
      }
    }
    more_points.push_back(static_cast<double>(own.size()) - static_cast<double>(other.size()));
    more_pairs.push_back(near_pairs(own) - near_pairs(other));
  }
  for (const auto& differences : {more_points, more_pairs}) {
    EXPECT_LT(mean_in_errors(differences), 3);
  }
}

// Columns and files hold the radius as a float, here 2: so far apart are the poles alone, but
// places near them would do for the radius asked for.
TEST(Sphere, PointsAreAsFarApartAsTheRadiusThatIsWritten) {
  Context context;
  const Points points = sample_sphere(1, 0, 1.99999999, context);
  ASSERT_EQ(points.radius.front(), 2.0f);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GE(length(place(points, i) - place(points, 0)), static_cast<double>(points.radius[i]));
  }
  EXPECT_TRUE(certify_sphere(points, 1, context).maximal());
}

TEST(Sphere, IsExactAtTheSizesThatItMayHave) {
  for (const double sphere : {1e-20, 1e17}) {
    Context context;
    const Points points = sample_sphere(sphere, 0, 0.1 * sphere, context);
    EXPECT_GT(points.radius.front(), 0.0f);
    EXPECT_GE(closest_pair(points, points.size()), 0.1 * sphere);
    const Certificate proof = certify_sphere(points, sphere, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_TRUE(proof.maximal());
    EXPECT_THROW(sample_sphere(sphere < 1 ? 1e-21 : 1e18, 9, 0, context), Error);
  }
}

TEST(Sphere, RefusesWhatIsNone) {
  Context context;
  EXPECT_THROW(sample_sphere(0, 9, 0, context), Error);
  EXPECT_THROW(sample_sphere(std::nan(""), 9, 0, context), Error);
  EXPECT_THROW(sample_sphere(1, -1, 0, context), Error);
  EXPECT_THROW(sample_sphere(1, 0, 0, context), Error);
  EXPECT_THROW(sample_sphere(1, 0, 1e-7, context), Error);
}

}  // namespace
}  // namespace dapple
