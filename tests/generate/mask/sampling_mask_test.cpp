// Masks of frequencies for MRI: exact numbers, a full center, falling density, and errors.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/mask.hpp"

namespace dapple {
namespace {

Plane<std::int32_t> made(SamplingMaskOptions options, std::uint64_t seed = 1, int threads = 2) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  return sampling_mask(options, context);
}

std::int64_t samples_of(const Plane<std::int32_t>& mask) {
  std::int64_t sum = 0;
  for (const std::int32_t v : mask.values()) sum += v;
  return sum;
}

TEST(SamplingMask, TheNumberIsExactAndTheCenterIsFull) {
  for (const double acceleration : {2.0, 4.0, 7.3, 12.0}) {
    const auto mask = made({{128, 96}, acceleration, {24, 16}});
    EXPECT_EQ(samples_of(mask), std::llround(128 * 96 / acceleration)) << acceleration;
    for (int y = 48 - 8; y < 48 + 8; ++y) {
      for (int x = 64 - 12; x < 64 + 12; ++x) EXPECT_EQ(mask(x, y), 1);
    }
  }
  EXPECT_EQ(samples_of(made({{31, 17}, 3, {}})), 176);
}

TEST(SamplingMask, DensityFallsWithTheDistance) {
  const auto mask = made({{256, 256}, 6, {24, 24}});
  constexpr int rings = 8;
  double samples[rings] = {}, cells[rings] = {};
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      const double d = std::hypot(x - 127.5, y - 127.5) / 128;
      const int ring = static_cast<int>(d * rings);
      if (ring >= rings) continue;
      samples[ring] += mask(x, y);
      cells[ring] += 1;
    }
  }
  EXPECT_GT(samples[0] / cells[0], 0.9);
  for (int i = 1; i < rings; ++i) {
    EXPECT_LT(samples[i] / cells[i], samples[i - 1] / cells[i - 1]) << i;
  }
}

TEST(SamplingMask, SparseSamplesAreNotNeighbors) {
  const auto mask = made({{256, 256}, 8, {16, 16}});
  std::int64_t pairs = 0;
  for (int y = 0; y + 1 < 256; ++y) {
    for (int x = 0; x + 1 < 256; ++x) {
      if (std::max(std::abs(x - 128), std::abs(y - 128)) < 64) continue;
      pairs += mask(x, y) * (mask(x + 1, y) + mask(x, y + 1));
    }
  }
  EXPECT_EQ(pairs, 0);
}

TEST(SamplingMask, SeedsDifferAndThreadsDoNot) {
  const SamplingMaskOptions options{{64, 64}, 4, {8, 8}};
  const auto first = made(options);
  const auto same = [&](const Plane<std::int32_t>& other) {
    return std::equal(first.values().begin(), first.values().end(), other.values().begin());
  };
  EXPECT_TRUE(same(made(options, 1, 1)));
  EXPECT_FALSE(same(made(options, 2)));
}

TEST(SamplingMask, ErrorsNameTheOption) {
  const auto error_of = [](const SamplingMaskOptions& options) -> std::string {
    try {
      made(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(error_of({{64, 64}, 1, {}}).find("above 1"), std::string::npos);
  EXPECT_NE(error_of({{64, 64}, 4, {65, 2}}).find("larger than `grid`"), std::string::npos);
  EXPECT_NE(error_of({{64, 64}, 16, {32, 32}}).find("1024"), std::string::npos);
}

}  // namespace
}  // namespace dapple
