// Classes whose radii come from a map of each: exact against all pairs and maximal by probes in
// double, with the shares that maps ask for, the same for any number of threads.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using Fields = std::vector<DensityField>;

// A wave of radii from `least` to `most`; where `gap`, nothing may be placed in a part.
DensityField wave(Domain domain, int columns, double least, double most, double turn,
                  bool gap = false) {
  const int rows = static_cast<int>(std::lround(columns * domain.height / domain.width));
  Plane<float> map(columns, rows);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const double u = 6.2832 * (x + 0.5) / columns;
      const double v = 6.2832 * (y + 0.5) / rows;
      const double t = 0.5 + 0.25 * std::sin(u + turn) + 0.25 * std::cos(v - turn);
      map(x, y) = static_cast<float>(least + t * (most - least));
      if (gap && x > columns / 2 && y < rows / 3) map(x, y) = 0;
    }
  }
  return DensityField::from_radius(std::move(map), domain, std::nullopt);
}
// Fine on the left and coarse on the right, without a slope.
DensityField edge(Domain domain, double fine, double coarse) {
  Plane<float> map(static_cast<int>(domain.width), static_cast<int>(domain.height));
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) {
      map(x, y) = static_cast<float>(x < map.width() / 2 ? fine : coarse);
    }
  }
  return DensityField::from_radius(std::move(map), domain, std::nullopt);
}

// What a place of class `own` has toward `other`, by the words of the rule.
double toward(const Fields& fields, ClassDistance distance, std::size_t own, std::size_t other,
              Vec2 at) {
  if (distance != ClassDistance::density || own == other) return fields[own].radius(at);
  const double finer = std::max(fields[own].integral(), fields[other].integral());
  double density = 0;
  for (const DensityField& field : fields) {
    const double r = field.radius(at);
    if (field.integral() <= finer) density += 1 / (r * r);
  }
  return 1 / std::sqrt(density);
}
double apart(const Fields& fields, ClassDistance distance, std::size_t a, Vec2 at_a, std::size_t b,
             Vec2 at_b) {
  const double of_a = toward(fields, distance, a, b, at_a);
  const double of_b = toward(fields, distance, b, a, at_b);
  if (a != b && distance == ClassDistance::min) return std::min(of_a, of_b);
  if (a != b && distance == ClassDistance::max) return std::max(of_a, of_b);
  return (of_a + of_b) / 2;
}

double closest_pair(const Fields& fields, ClassDistance distance, const Points& points) {
  double least = 1e30;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double asked =
          apart(fields, distance, static_cast<std::size_t>(points.class_id[i]), points[i],
                static_cast<std::size_t>(points.class_id[j]), points[j]);
      least = std::min(least, plain_distance(points.domain, points[i], points[j]) / asked);
    }
  }
  return least;
}
// How many random places have room for a point of some class.
int open_places(const Fields& fields, ClassDistance distance, const Points& points, int probes) {
  Random random(5, Stream::tests);
  const Domain& domain = points.domain;
  int open = 0;
  for (int probe = 0; probe < probes; ++probe) {
    const double u = random.uniform();
    const Vec2 at{u * domain.width, random.uniform() * domain.height};
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (!std::isfinite(fields[c].radius(at))) continue;
      bool free = true;
      for (std::size_t i = 0; i < points.size() && free; ++i) {
        const double asked =
            apart(fields, distance, c, at, static_cast<std::size_t>(points.class_id[i]), points[i]);
        free = plain_distance(domain, at, points[i]) > 1.00003 * asked;
      }
      open += free ? 1 : 0;
    }
  }
  return open;
}

Points sampled(const Fields& fields, ClassDistance distance, std::int64_t count = 0,
               std::uint64_t seed = 1, int threads = 2) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  ClassOptions options;
  options.distance = distance;
  options.certify = true;
  return sample_classes(fields, options, count, context);
}

constexpr std::array all_distances{ClassDistance::density, ClassDistance::mean, ClassDistance::min,
                                   ClassDistance::max};

void expect_exact_and_maximal(const Fields& fields, std::size_t least_points) {
  for (const ClassDistance distance : all_distances) {
    SCOPED_TRACE(word_of(distance));
    const Points points = sampled(fields, distance);
    EXPECT_GT(points.size(), least_points);
    validate(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const DensityField& own = fields[static_cast<std::size_t>(points.class_id[i])];
      ASSERT_EQ(points.radius[i], static_cast<float>(own.radius(points[i])));
      ASSERT_TRUE(std::isfinite(points.radius[i])) << "placed where its class may not be";
    }
    const double closest = closest_pair(fields, distance, points);
    EXPECT_GE(closest, 1);
    EXPECT_EQ(open_places(fields, distance, points, 4000), 0);
    Context context;
    const Certificate proof = certify_classes(points, fields, distance, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_TRUE(proof.maximal());
    EXPECT_NEAR(proof.closest, closest, 1e-9);
  }
}

TEST(ClassMaps, MayCrossAndEndAndJump) {
  const Domain domain{128, 96, false};
  expect_exact_and_maximal({edge(domain, 4, 24), edge(domain, 20, 5)}, 150);
  // One radius beside a map, and classes that share no place.
  expect_exact_and_maximal({DensityField::constant(domain, 11), wave(domain, 64, 4, 8, 1)}, 100);
  expect_exact_and_maximal({wave(domain, 64, 4, 8, 1, true)}, 60);
}

// A point less leaves a hole, a point more is too near, and a point is of its class.
TEST(ClassMaps, ProofsFindFaults) {
  const Domain domain{90, 70, true};
  const Fields fields{wave(domain, 90, 6, 12, 0, true), wave(domain, 45, 3, 7, 2)};
  const Points whole = sampled(fields, ClassDistance::density);
  Context context;
  const auto proof = [&](const Points& points) {
    return certify_classes(points, fields, ClassDistance::density, context);
  };
  Points less = whole;
  for (const auto column : {&Points::x, &Points::y})
    (less.*column).erase((less.*column).begin() + 9);
  less.radius.erase(less.radius.begin() + 9);
  less.class_id.erase(less.class_id.begin() + 9);
  EXPECT_GT(proof(less).holes, 0);
  Points more = whole;
  more.append(whole, 9);
  more.x.back() += 0.5;
  EXPECT_GT(proof(more).violations, 0);
  Points other = whole;
  other.class_id[3] = 1 - other.class_id[3];
  EXPECT_GT(proof(other).violations + proof(other).holes, 0);
  Points astray = whole;
  astray.add({80, 3}, 6);
  astray.class_id.push_back(0);
  EXPECT_GT(proof(astray).violations, 0);
  other.class_id[3] = 2;
  EXPECT_THROW(proof(other), Error);
}

TEST(ClassMaps, HaveTheirShares) {
  const Domain domain{400, 300, true};
  const Fields fields{wave(domain, 150, 12, 24, 0), wave(domain, 150, 5, 12, 2),
                      wave(domain, 150, 8, 20, 4)};
  double all = 0;
  for (const DensityField& field : fields) all += field.integral();
  std::vector<double> found(3);
  double points = 0;
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Points set = sampled(fields, ClassDistance::density, 0, seed);
    for (const std::int32_t class_id : set.class_id) ++found[static_cast<std::size_t>(class_id)];
    points += static_cast<double>(set.size());
  }
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(found[c] / points / (fields[c].integral() / all), 1, 0.02) << c;
  }
}

TEST(ClassMaps, KeptPointsHoldOffByTheirRadiusOrClass) {
  const Domain domain{120, 90, true};
  const Fields fields{wave(domain, 120, 8, 14, 0), wave(domain, 60, 4, 7, 2)};
  Points there;
  there.domain = domain;
  there.add({30, 30}, 24);
  there.add({80, 50}, 0);
  for (const bool of_classes : {false, true}) {
    Points kept = there;
    if (of_classes) kept.class_id = {0, 1};
    Context context;
    ClassOptions options;
    options.certify = true;
    const FixedPoints keep{&kept, ConflictRule::max};
    const Points points = sample_classes(fields, options, 0, context, keep);
    double least = 1e30;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto own = static_cast<std::size_t>(points.class_id[i]);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        const double r = fields[own].radius(points[i]);
        const double asked = of_classes
                                 ? apart(fields, options.distance, own, points[i], k, kept[k])
                             : k == 0 ? std::max(24.0, r)
                                      : r;
        least = std::min(least, plain_distance(domain, points[i], kept[k]) / asked);
      }
    }
    EXPECT_GE(least, 1);
    EXPECT_LT(least, 1.3);
    const auto proof = certify_classes(points, fields, options.distance, context, 2e-5, keep);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_TRUE(proof.maximal());
  }
}

TEST(ClassMaps, RefuseWhatIsNoClass) {
  Context context;
  const Domain domain{9, 9, true};
  const Fields one{DensityField::constant(domain, 2)};
  ClassOptions options;
  EXPECT_THROW(sample_classes(Fields{}, options, 0, context), Error);
  EXPECT_THROW(sample_classes(one, options, -1, context), Error);
  options.shares = {1, 2};
  EXPECT_THROW(sample_classes(one, options, 0, context), Error);
  options.shares.clear();
  const Fields two{one[0], DensityField::constant({9, 8, true}, 2)};
  EXPECT_THROW(sample_classes(two, options, 0, context), Error);
  Points points;
  points.domain = domain;
  points.add({1, 1}, 2);
  EXPECT_THROW(certify_classes(points, one, options.distance, context), Error);
}

}  // namespace
}  // namespace dapple
