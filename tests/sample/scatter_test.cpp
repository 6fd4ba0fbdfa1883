// Columns for scattering: sizes and rotations in their ranges, classes with exact shares that are
// even by themselves.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

Points even_set(double radius, double size = 200) {
  Context context;
  return sample(DensityField::constant({size, size, true}, radius), {}, 0, context);
}

Points scattered(Points points, const ScatterOptions& options, std::uint64_t seed = 1) {
  Context context;
  context.seed = seed;
  scatter(points, options, {200, 0}, 0, context);
  validate(points);
  return points;
}

Points of_class(const Points& points, int class_id) {
  Points result;
  result.domain = points.domain;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.class_id[i] == class_id) result.add(points[i], points.radius[i]);
  }
  return result;
}

// Smallest and mean distance to the nearest point, over that of a hexagonal lattice.
struct Spacing {
  double least = 1e300;
  double mean = 0;
};
Spacing spacing_of(const Points& points) {
  const auto n = static_cast<double>(points.size());
  const double hexagonal = std::sqrt(2 / (std::sqrt(3.0) * n / points.domain.area()));
  Spacing result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double least = 1e300;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j != i) least = std::min(least, points.domain.distance(points[i], points[j]));
    }
    result.least = std::min(result.least, least / hexagonal);
    result.mean += least / hexagonal / n;
  }
  return result;
}

TEST(Scatter, ClassesHaveTheirSharesAndAreEvenByThemselves) {
  const Points points = even_set(4);
  const struct {
    const char* text;
    std::vector<double> shares;
  } cases[] = {{"2", {.5, .5}},
               {"3", {1.0 / 3, 1.0 / 3, 1.0 / 3}},
               {"0.6,0.3,0.1", {.6, .3, .1}},
               {"9,1", {.9, .1}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    ScatterOptions options;
    options.classes = c.text;
    const Points set = scattered(points, options);
    EXPECT_EQ(set.x, points.x);
    Random random(5, Stream::tests);
    for (std::size_t k = 0; k < c.shares.size(); ++k) {
      const Points one = of_class(set, static_cast<int>(k));
      EXPECT_NEAR(static_cast<double>(one.size()), c.shares[k] * static_cast<double>(set.size()),
                  1.0);
      // As many points at random show what being even means.
      Points chance = points;
      chance.class_id.assign(points.size(), 1);
      for (std::size_t left = one.size(); left > 0;) {
        const std::size_t i = random.below(static_cast<std::uint32_t>(points.size()));
        if (chance.class_id[i] == 0) continue;
        chance.class_id[i] = 0;
        --left;
      }
      const Spacing here = spacing_of(one);
      const Spacing there = spacing_of(of_class(chance, 0));
      // Few classes cannot part all near pairs of a set that is full; rare ones can.
      EXPECT_GT(here.mean, there.mean + (c.shares[k] <= 0.5 ? 0.03 : 0));
      if (c.shares[k] <= 0.1) {
        EXPECT_GT(here.least, 0.35);
      }
    }
  }
}

TEST(Scatter, SizesAndRotationsFillTheirRanges) {
  ScatterOptions options;
  options.size = {{2, Unit::px}, {4, Unit::percent}};  // of 200: 8
  options.rotation = "-30:90";
  Points points = scattered(even_set(5), options);
  const auto check = [](const std::vector<float>& values, double low, double high) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*least, low);
    EXPECT_LT(*least, low + 0.05 * (high - low));
    EXPECT_LE(*most, high);
    EXPECT_GT(*most, high - 0.05 * (high - low));
    double mean = 0;
    for (const float v : values) {
      mean += static_cast<double>(v) / static_cast<double>(values.size());
    }
    EXPECT_NEAR(mean, 0.5 * (low + high), 0.05 * (high - low));
  };
  check(points.object_size, 2, 8);
  check(points.rotation, -30, 90);
  EXPECT_TRUE(points.class_id.empty());
  EXPECT_NE(scattered(even_set(5), options, 2).rotation, points.rotation);
  options.rotation = "45";
  options.size_from = SizeFrom::radius;
  points = even_set(5);
  for (std::size_t i = 0; i < points.size(); ++i) points.radius[i] = static_cast<float>(i);
  points = scattered(points, options);
  EXPECT_EQ(points.object_size.front(), 2);
  EXPECT_EQ(points.object_size.back(), 8);
  EXPECT_EQ(points.rotation[7], 45);
}

TEST(Scatter, ClassesOfKeptPointsStay) {
  Points points = even_set(20);
  points.class_id.assign(points.size(), 2);
  ScatterOptions options;
  options.classes = "2";
  EXPECT_THROW(scattered(points, options), Error);
}

TEST(Scatter, OptionsRefuseWhatTheyCannotMean) {
  ScatterOptions options;
  OptionList list;
  describe(options, list);
  for (const char* wrong : {"0", "2.5", "65", "0.5,0", "0.5,-1", "a", "1,2,", "1;2"}) {
    EXPECT_THROW(list.find("classes")->set(wrong), Error) << wrong;
  }
  for (const char* wrong : {"90:0", "x", "1:2:3", "10:", "nan"}) {
    EXPECT_THROW(list.find("rotation")->set(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace dapple
