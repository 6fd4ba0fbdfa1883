// Volumes whose radius varies: bounds and slopes against brute force, sets exact against all pairs
// and maximal by probes in double, spread as darts thrown one after the other.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/limits.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// body(x, y, z) for each voxel, from 0 to 1 along each side.
template <class Body>
Voxels voxels(int width, int height, int depth, const Body& body) {
  Voxels made{width, height, depth, {}};
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        made.values.push_back(
            static_cast<float>(body((x + 0.5) / width, (y + 0.5) / height, (z + 0.5) / depth)));
      }
    }
  }
  return made;
}

VolumeRules rules(bool wrap, std::optional<double> slope = 1.0,
                  Interpolation interpolation = Interpolation::smooth) {
  VolumeRules made;
  made.wrap = wrap;
  made.slope = slope;
  made.interpolation = interpolation;
  return made;
}

double hill(double x, double y, double z) {
  return 1 + 3 * std::sin(3.1415927 * x) * std::sin(3.1415927 * y) * std::sin(3.1415927 * z);
}
// A shell of one to a hundred voxels' values with a hollow and nothing outside.
double shell(double x, double y, double z) {
  const double d = std::hypot(x - 0.5, y - 0.5, z - 0.5);
  return d > 0.45 || d < 0.1 ? 0 : 0.9 + 4 * d;
}
double steps(double x, double, double z) {
  return x < 0.5 ? (z < 0.3 ? 1 : 4) : 1.5;
}

double distance(const VolumeField& field, const Vec3& a, const Vec3& b) {
  std::array<double, 3> d{std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)};
  double square = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (field.wrap()) d[i] = std::min(d[i], field.side()[i] - d[i]);
    square += d[i] * d[i];
  }
  return std::sqrt(square);
}

Vec3 place_of(const Points& points, std::size_t i) {
  return {points.x[i], points.y[i], points.z[i]};
}

Vec3 random_place(const VolumeField& field, Random& random) {
  Vec3 at;
  at.x = random.uniform() * field.side()[0];
  at.y = random.uniform() * field.side()[1];
  at.z = random.uniform() * field.side()[2];
  return at;
}

void is_exact_and_maximal(const VolumeField& field, const Points& points, ConflictRule rule,
                          bool full = true) {
  Context context;
  double least = infinity;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = field.radius(place_of(points, i));
    ASSERT_TRUE(std::isfinite(r));
    ASSERT_FLOAT_EQ(points.radius[i], static_cast<float>(r));
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = distance(field, place_of(points, i), place_of(points, j));
      least = std::min(least, apart / conflict_distance(rule, static_cast<double>(points.radius[i]),
                                                        static_cast<double>(points.radius[j])));
    }
  }
  EXPECT_GE(least, 1);
  const Certificate proof = certify_volume(points, field, rule, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_NEAR(proof.closest, least, 1e-6);
  if (!full) return;
  EXPECT_EQ(proof.holes, 0);
  Random random(4, Stream::tests);
  int open = 0;
  for (int probe = 0; probe < 2000; ++probe) {
    const Vec3 at = random_place(field, random);
    const double r = field.radius(at);
    if (!std::isfinite(r)) continue;
    bool free = true;
    for (std::size_t j = 0; j < points.size() && free; ++j) {
      // Up to so much of r, which may be large beside the lesser of two.
      free = distance(field, at, place_of(points, j)) >
             conflict_distance(rule, r, static_cast<double>(points.radius[j])) + 2e-5 * r;
    }
    open += free ? 1 : 0;
  }
  EXPECT_EQ(open, 0);
}

TEST(SpaceRadii, BoundsHoldAndAreClose) {
  Context context;
  for (const bool smooth : {true, false}) {
    const auto how = smooth ? Interpolation::smooth : Interpolation::nearest;
    const VolumeField field =
        VolumeField::from_radius(voxels(13, 9, 6, shell), rules(smooth, {}, how), context);
    Random random(1, Stream::tests);
    for (int n = 0; n < 400; ++n) {
      Vec3 low = random_place(field, random);
      const double size = 8 * std::pow(random.uniform(), 4);
      const Vec3 high{std::min(low.x + size, 13.0), std::min(low.y + size, 9.0),
                      std::min(low.z + 0.7 * size, 6.0)};
      const RadiusBounds bounds = field.bounds(low, high);
      double least = infinity;
      double most = 0;
      bool all = true;
      for (int k = 0; k < 100; ++k) {
        const Vec3 at{low.x + random.uniform() * (high.x - low.x),
                      low.y + random.uniform() * (high.y - low.y),
                      low.z + random.uniform() * (high.z - low.z)};
        const double r = field.radius(at);
        all = all && std::isfinite(r);
        if (!std::isfinite(r)) continue;
        least = std::min(least, r);
        most = std::max(most, r);
      }
      EXPECT_LE(bounds.min, least + 1e-12);
      EXPECT_GE(bounds.max, most - 1e-12);
      EXPECT_TRUE(all || !field.allows_all(low, high));
      EXPECT_TRUE(size > 0.05 || !all || !smooth || bounds.max - bounds.min < 0.2);
    }
  }
}

TEST(SpaceRadii, SlopesAreHeldAndNoMore) {
  Context context;
  for (const bool wrap : {true, false}) {
    const Voxels given = voxels(11, 8, 7, [](double x, double y, double z) {
      return x < 0.2 && y > 0.8 && z < 0.3 ? 1 : x > 0.9 ? 3 : 40;
    });
    const VolumeField field = VolumeField::from_radius(given, rules(wrap, 0.7), context);
    const auto at = [](std::size_t i) {
      return Vec3{static_cast<double>(i % 11) + 0.5, static_cast<double>(i / 11 % 8) + 0.5,
                  static_cast<double>(i / 88) + 0.5};
    };
    for (std::size_t i = 0; i < given.values.size(); ++i) {
      double envelope = infinity;
      double low = infinity;
      const double r = field.radius(at(i));
      for (std::size_t j = 0; j < given.values.size(); ++j) {
        const double far = 0.7 * distance(field, at(i), at(j));
        envelope = std::min(envelope, static_cast<double>(given.values[j]) + far);
        low = std::min(low, static_cast<double>(given.values[j]) + 0.952 * far);
        ASSERT_LE(r, field.radius(at(j)) + far + 1e-5);
      }
      ASSERT_LE(r, envelope + 1e-5);
      ASSERT_GE(r, low - 1e-5);
    }
  }
}

TEST(SpaceRadii, SetsAreExactAndMaximal) {
  const auto check = [](const Voxels& radius, const VolumeRules& how, ConflictRule rule) {
    Context context;
    const VolumeField field = VolumeField::from_radius(radius, how, context);
    const Points points = sample_volume(field, rule, 0, context).points;
    EXPECT_GT(points.size(), 20u);
    is_exact_and_maximal(field, points, rule);
  };
  constexpr auto mean = ConflictRule::mean;
  for (const bool wrap : {true, false}) {
    SCOPED_TRACE(wrap);
    check(voxels(12, 11, 10, hill), rules(wrap), mean);
    check(voxels(12, 11, 10, hill), rules(wrap), ConflictRule::max);
    check(voxels(12, 12, 12, shell), rules(wrap), mean);
    check(voxels(12, 12, 12, shell), rules(wrap, {}, Interpolation::nearest), mean);
    check(voxels(10, 8, 8, steps), rules(wrap, {}), mean);
    check(voxels(10, 8, 8, steps), rules(wrap, {}, Interpolation::nearest), mean);
  }
  // Thinner than points are apart.
  check(voxels(30, 30, 1, [](double x, double, double) { return 2 + 2 * x; }), rules(false), mean);
}

TEST(SpaceRadii, LargeRatiosAreProved) {
  Context context;
  const VolumeField field = VolumeField::from_radius(
      voxels(16, 16, 16,
             [](double x, double y, double z) {
               return std::hypot(x - 0.3, y - 0.6, z - 0.5) < 0.07 ? 0.1 : 10;
             }),
      rules(false, {}), context);
  const Points points = sample_volume(field, ConflictRule::mean, 0, context).points;
  const auto [least, most] = std::minmax_element(points.radius.begin(), points.radius.end());
  EXPECT_GT(*most, 50 * *least);
  const Certificate proof = certify_volume(points, field, ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
}

// A point less is a hole there; two at one place are a violation; so is one where nothing may be.
TEST(SpaceRadii, ProofsFindWhatIsWrong) {
  Context context;
  const VolumeField field =
      VolumeField::from_radius(voxels(14, 14, 14, shell), rules(false), context);
  const Points points = sample_volume(field, ConflictRule::mean, 0, context).points;
  const auto without = [&](std::size_t left_out) {
    Points some;
    some.domain = points.domain;
    some.depth = points.depth;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == left_out) continue;
      some.add(points[i], points.radius[i]);
      some.z.push_back(points.z[i]);
    }
    return some;
  };
  for (const std::size_t gone : {std::size_t{3}, points.size() / 2}) {
    const auto proof = certify_volume(without(gone), field, ConflictRule::mean, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_GT(proof.holes, 0);
    const Vec3 hole{proof.hole_place.x, proof.hole_place.y, proof.hole_place.z};
    EXPECT_LT(distance(field, hole, place_of(points, gone)), 6);
  }
  Points more = points;
  more.add(points[5], points.radius[5]);
  more.z.push_back(points.z[5] + 0.01);
  EXPECT_GT(certify_volume(more, field, ConflictRule::mean, context).violations, 0);
  Points outside = points;
  outside.add({0.1, 0.1}, 1);
  outside.z.push_back(0.1);
  EXPECT_EQ(certify_volume(outside, field, ConflictRule::mean, context).violations, 1);
}

// As many points in each part as the integral of 1 / r^3 asks for, apart from borders.
TEST(SpaceRadii, DensityFollowsTheRadius) {
  Context context;
  const VolumeField field = VolumeField::from_radius(
      voxels(48, 24, 24,
             [](double x, double, double) { return 1.6 - 0.8 * std::cos(6.2831853 * x); }),
      rules(true), context);
  const Points points = sample_volume(field, ConflictRule::mean, 0, context).points;
  for (int band = 0; band < 4; ++band) {
    // From the middle of the dense end on, so that no band is of one density.
    double expected = 0;
    for (int x = 12 * band; x < 12 * (band + 1); ++x) {
      expected += 24 * 24 / std::pow(field.radius({x + 0.5, 1, 1}), 3);
    }
    const auto found = std::count_if(points.x.begin(), points.x.end(), [&](double x) {
      return x >= 12 * band && x < 12 * (band + 1);
    });
    EXPECT_NEAR(static_cast<double>(found) / expected, 0.74, 0.03) << band;
  }
}

// The numbers of points, and of those in the half of small radii, of sets and of darts that are
// thrown one after the other where 1 / r^3 asks for them.
TEST(SpaceRadii, IsSpreadAsDartsOneAfterTheOther) {
  Context context;
  const VolumeField field = VolumeField::from_radius(
      voxels(4, 4, 4, [](double x, double, double) { return 1 + x; }), rules(true, {}), context);
  constexpr int sets = 30;
  std::array<double, 2> all{}, fine{}, squares{};
  const auto note = [&](std::size_t which, double count, double small) {
    all[which] += count / sets;
    squares[which] += count * count / sets;
    fine[which] += small / sets;
  };
  for (int seed = 1; seed <= sets; ++seed) {
    context.seed = static_cast<std::uint64_t>(seed);
    const Points points = sample_volume(field, ConflictRule::mean, 0, context).points;
    note(0, static_cast<double>(points.size()),
         static_cast<double>(std::count_if(points.radius.begin(), points.radius.end(),
                                           [](float r) { return r < 1.5f; })));
    Random random(context.seed, Stream::tests);
    std::vector<Vec3> darts;
    double small = 0;
    for (int n = 0; n < 60000; ++n) {
      const Vec3 at = random_place(field, random);
      const double r = field.radius(at);
      const double rarer = field.least() / r;
      if (random.uniform() >= rarer * rarer * rarer) continue;
      const bool free = std::none_of(darts.begin(), darts.end(), [&](const Vec3& other) {
        return distance(field, at, other) < 0.5 * (r + field.radius(other));
      });
      if (!free) continue;
      darts.push_back(at);
      small += r < 1.5 ? 1 : 0;
    }
    note(1, static_cast<double>(darts.size()), small);
  }
  const double deviation = std::sqrt(std::max(0.5, squares[0] - all[0] * all[0]) / sets * 2);
  EXPECT_NEAR(all[0], all[1], 4 * deviation + 0.1);
  EXPECT_NEAR(fine[0], fine[1], 4 * deviation + 0.1);
}

TEST(SpaceRadii, BytesAreTheSameForAnyThreadsAndLanes) {
  const auto make = [](int threads) {
    Context context;
    context.threads = threads;
    const VolumeField field =
        VolumeField::from_radius(voxels(12, 12, 12, shell), rules(true), context);
    return sample_volume(field, ConflictRule::mean, 0, context).points;
  };
  const Points one = make(1);
  const auto same = [&](const Points& other) {
    EXPECT_EQ(one.x, other.x);
    EXPECT_EQ(one.z, other.z);
    EXPECT_EQ(one.radius, other.radius);
  };
  for (const int threads : {2, 3, 7}) same(make(threads));
  for_each_simd_target([&](const char* name) {
    SCOPED_TRACE(name);
    same(make(2));
  });
}

TEST(SpaceRadii, WhatIsNoneIsRefused) {
  Context context;
  EXPECT_THROW(VolumeField::from_radius({2, 2, 2, {1, 1}}, {}, context), Error);
  EXPECT_THROW(VolumeField::from_radius({1, 1, 2, {0, -1}}, {}, context), Error);
  EXPECT_THROW(VolumeField::from_density({1, 1, 2, {0, 0}}, 1, {}, context), Error);
  EXPECT_THROW(VolumeField::from_density({1, 1, 2, {1, -1}}, 1, {}, context), Error);
  const VolumeField field =
      VolumeField::from_radius({2, 2, 2, {1, 1, 1, 1, 1, 1, 1, 1}}, {}, context);
  const VolumeField fine = field.times(0.002);
  context.limits.max_memory = 1000000;
  EXPECT_THROW(sample_volume(fine, ConflictRule::mean, 0, context), Error);
}

}  // namespace
}  // namespace dapple
