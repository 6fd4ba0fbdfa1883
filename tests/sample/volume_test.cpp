// Points of a volume.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

double closest_pair(const Points& points) {
  double least = 1e30;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double dz = std::abs(points.z[i] - points.z[j]);
      if (points.domain.wrap) dz = std::min(dz, points.depth - dz);
      const double d = points.domain.distance(points[i], points[j]);
      least = std::min(least, std::sqrt(d * d + dz * dz));
    }
  }
  return least;
}

TEST(Volume, CountsAreMetAndPointsAreWellSpaced) {
  for (const bool wrap : {true, false}) {
    for (const int count : {1, 2, 7, 1500}) {
      SCOPED_TRACE(count);
      Context context;
      const Points points = sample_volume({40, 30, wrap}, 20, count, 0, context);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      validate(points);
      if (count < 2) continue;
      EXPECT_GE(closest_pair(points), static_cast<double>(points.radius[0]) - 1e-6);
      // As far apart as random darts get: .74 points a cube of the distance fill a volume.
      if (count == 1500 && wrap) {
        EXPECT_GT(static_cast<double>(points.radius[0]), 0.85 * std::cbrt(0.74 * 24000 / 1500));
      }
    }
  }
}

TEST(Volume, RadiiFill) {
  Context context;
  const Points points = sample_volume({40, 30, true}, 20, 0, 4, context);
  EXPECT_GE(closest_pair(points), 4);
  const double packing = static_cast<double>(points.size()) * 64 / 24000;
  EXPECT_GT(packing, 0.6);
  EXPECT_LT(packing, 0.85);
}

TEST(Volume, ThinOnesAreSpreadAsPlanes) {
  Context context;
  const Points points = sample_volume({256, 256, true}, 4, 200, 0, context);
  // Random darts on a plane reach .7 points a square of the distance.
  EXPECT_GT(static_cast<double>(points.radius[0]), 0.85 * std::sqrt(0.7 * 65536 / 200));
}

// Much narrower than the points are apart, a volume is a line: random darts of a length of 1 fill
// 0.7476 of one (Renyi 1958), which is told from 0.73 by 12,000 points.
TEST(Volume, ThreadsAreSpreadAsLines) {
  Context context;
  Points points = sample_volume({1, 1, false}, 2147483647, 0, 131072, context);
  EXPECT_NEAR(static_cast<double>(points.size()) * 131072 / 2147483647, 0.7476, 0.006);
  std::sort(points.z.begin(), points.z.end());
  for (std::size_t i = 1; i < points.size(); ++i) {
    ASSERT_GE(points.z[i] - points.z[i - 1], 131071.9);
    ASSERT_LE(points.z[i] - points.z[i - 1], 2 * 131072.1);  // no room between
  }
  for (const bool wrap : {true, false}) {
    const Points some = sample_volume({1, 1, wrap}, 2147483647, 500, 0, context);
    ASSERT_EQ(some.size(), 500u);
    EXPECT_GT(static_cast<double>(some.radius[0]), 0.97 * 0.7476 * 2147483647 / 500);
    EXPECT_GE(closest_pair(some), 0.9999 * static_cast<double>(some.radius[0]));
  }
}

TEST(Volume, FollowsTheSeed) {
  Context a, b, c;
  c.seed = 2;
  const Domain domain{40, 30, true};
  const Points points = sample_volume(domain, 20, 50, 0, a);
  EXPECT_EQ(points.z, sample_volume(domain, 20, 50, 0, b).z);
  EXPECT_NE(points.z, sample_volume(domain, 20, 50, 0, c).z);
}

TEST(Volume, SaysWhatIsWrong) {
  Context context;
  EXPECT_THROW(sample_volume({40, 30, true}, 0, 5, 0, context), Error);
  EXPECT_THROW(sample_volume({40, 30, true}, 20, 0, 0, context), Error);
  Points points = sample_volume({40, 30, true}, 20, 5, 0, context);
  points.z[3] = 20;
  EXPECT_THROW(validate(points), Error);
  points.z.pop_back();
  EXPECT_THROW(validate(points), Error);
}

}  // namespace
}  // namespace dapple
