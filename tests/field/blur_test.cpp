// Blurs by Gaussians, against sums over the mirrored map.
#include "field/blur.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "core/modulo.hpp"
#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {
namespace {

Plane<float> noise(int width, int height) {
  Plane<float> map(width, height);
  std::uint32_t state = 1;
  for (float& value : map.values()) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return map;
}

double by_sums(const Plane<float>& map, double sigma, int x, int y) {
  const int reach = static_cast<int>(6 * sigma);
  double sum = 0;
  double weights = 0;
  for (int j = -reach; j <= reach; ++j) {
    for (int i = -reach; i <= reach; ++i) {
      const double weight = std::exp(-(i * i + j * j) / (2 * sigma * sigma));
      sum += weight *
             static_cast<double>(map(mirrored(x + i, map.width()), mirrored(y + j, map.height())));
      weights += weight;
    }
  }
  return sum / weights;
}

// Widths around those of vectors, and maps narrower than the Gaussian.
TEST(Blur, IsTheWeightedMeanOfTheMirroredMap) {
  for (const int width : {1, 3, 15, 16, 17, 63, 64, 65, 131}) {
    for (const double sigma : {0.7, 2.3, 9.0}) {
      const Plane<float> map = noise(width, 21);
      Context context;
      const Plane<float> blurred = gaussian_blurred(map, sigma, context);
      for (int y = 0; y < map.height(); y += 5) {
        for (int x = 0; x < width; x += 3) {
          EXPECT_NEAR(blurred(x, y), by_sums(map, sigma, x, y), 2e-4) << width << " " << sigma;
        }
      }
    }
  }
}

TEST(Blur, HalvesMapsAndKeepsTheirMean) {
  const Plane<float> map = noise(38, 22);
  Context context;
  const Plane<float> halved = gaussian_pass(map, 1.5, true, context);
  ASSERT_EQ(halved.width(), 19);
  ASSERT_EQ(halved.height(), 11);
  double before = 0;
  double after = 0;
  for (const float value : map.values()) before += static_cast<double>(value);
  for (const float value : halved.values()) after += static_cast<double>(value);
  EXPECT_NEAR(after / static_cast<double>(halved.size()), before / static_cast<double>(map.size()),
              1e-5);
}

TEST(Blur, FarWiderThanTheMapGivesItsMean) {
  const Plane<float> map = noise(23, 9);
  double mean = 0;
  for (const float value : map.values()) mean += static_cast<double>(value);
  mean /= static_cast<double>(map.size());
  Context context;
  for (const double sigma : {1e3, 1e9, 1e300}) {
    const Plane<float> blurred = gaussian_blurred(map, sigma, context);
    for (const float value : blurred.values()) {
      EXPECT_NEAR(value, mean, 1e-5) << sigma;
    }
  }
}

}  // namespace
}  // namespace dapple
