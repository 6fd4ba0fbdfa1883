// Masks beyond the plain one: volumes, frames, unit vectors, other distributions, maps.
#include <algorithm>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/mask.hpp"
#include "generate/mask/engine.hpp"

namespace dapple {
namespace {

bool is_permutation_of_ranks(const Plane<std::int32_t>& ranks) {
  std::vector<std::int32_t> sorted(ranks.values().begin(), ranks.values().end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> expected(sorted.size());
  std::iota(expected.begin(), expected.end(), 0);
  return sorted == expected;
}

std::vector<Plane<std::int32_t>> ranks_of(const MaskOptions& options, int threads = 0,
                                          const MapOptions& field = {}) {
  Context context;
  context.threads = threads;
  return mask_ranks(options, field, context);
}

std::string refusal_of(const MaskOptions& options, const MapOptions& field = {}) {
  try {
    Context context;
    mask_ranks(options, field, context);
    make_mask(options, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// ---- slices -------------------------------------------------------------------------------------

// The definition, with a scan of everything for every pick.
Plane<std::int32_t> reference(const Plane<std::int32_t>& start, int depth, std::int32_t next,
                              std::span<const mask::Stage> stages) {
  Plane<std::int32_t> ranks = start;
  const int width = ranks.width();
  const int height = ranks.height() / depth;
  const auto wrapped = [](int v, int side) { return (v % side + side) % side; };
  for (const mask::Stage& stage : stages) {
    const mask::Kernel& kernel = stage.kernel;
    Plane<std::int64_t> energy(width, ranks.height());
    const auto add = [&](int x, int y, int z) {
      // Weights that fall on one place are one.
      Plane<std::int64_t> once(width, ranks.height());
      for (int dz = -kernel.depth_reach; dz <= kernel.depth_reach; ++dz) {
        for (int dy = -kernel.reach; dy <= kernel.reach; ++dy) {
          for (int dx = -kernel.reach; dx <= kernel.reach; ++dx) {
            once(wrapped(x + dx, width), wrapped(z + dz, depth) * height +
                                             wrapped(y + dy, height)) += kernel.at(dx, dy, dz);
          }
        }
      }
      for (std::size_t i = 0; i < energy.size(); ++i) {
        energy.values()[i] = std::min<std::int64_t>(65535, energy.values()[i] + once.values()[i]);
      }
    };
    for (int y = 0; y < ranks.height(); ++y) {
      for (int x = 0; x < width; ++x) {
        if (ranks(x, y) >= 0) add(x, y % height, y / height);
      }
    }
    for (;;) {
      std::tuple<std::int64_t, int, int> best{stage.end, 0, 0};
      for (int y = 0; y < ranks.height(); ++y) {
        for (int x = 0; x < width; ++x) {
          if (ranks(x, y) < 0) best = std::min(best, {energy(x, y), y, x});
        }
      }
      if (std::get<0>(best) >= stage.end) break;
      const auto [value, y, x] = best;
      ranks(x, y) = next++;
      add(x, y % height, y / height);
    }
  }
  return ranks;
}

struct SliceCase {
  int width, height, depth;
};
class MaskSlices : public ::testing::TestWithParam<SliceCase> {};

TEST_P(MaskSlices, AreWhatAScanOfEverythingFinds) {
  const auto [width, height, depth] = GetParam();
  constexpr mask::KernelShape narrow{1, 0.3, 2, 4, 1};
  const std::array<mask::Stage, 2> volume{
      mask::sparse_stage(mask::make_volume_kernel({1.3, 0.5, 2.5, 5, 1}, 1, 30000, 1200000), 0.05),
      mask::dense_stage(mask::make_volume_kernel(narrow, 1, 30000, 65534))};
  const std::array<mask::Stage, 2> frames{
      mask::sparse_stage(
          mask::make_frame_kernel({1.3, 0.5, 2.5, 6, 1}, 1, {4, 0, 1, 9, 1}, 0.4, 30000, 1200000),
          0.05),
      mask::dense_stage(
          mask::make_frame_kernel(narrow, 1, {1.1, 0.5, 3, 6, 1}, 0.4, 30000, 65534))};
  for (const auto& stages : {volume, frames}) {
    Plane<std::int32_t> start(width, height * depth, -1);
    start(width / 2, height / 3) = 0;
    start(width / 3, height * depth - 1) = std::max(start(width / 3, height * depth - 1), 1);
    const std::int32_t next = *std::max_element(start.values().begin(), start.values().end()) + 1;
    Plane<std::int32_t> ranks = start;
    Context context;
    mask::fill_voids(ranks, depth, next, stages, context, false, [](double) {});
    EXPECT_EQ(ranks, reference(start, depth, next, stages));
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskSlices,
                         ::testing::Values(SliceCase{12, 10, 9}, SliceCase{7, 9, 2},
                                           SliceCase{20, 5, 3}, SliceCase{3, 4, 20},
                                           SliceCase{1, 2, 7}));

TEST(MaskKernels, OfSlicesAreTheirShapes) {
  const mask::Kernel volume = mask::make_volume_kernel({1.15, 0.15, 2, 6, 1}, 1, 30000, 65534);
  EXPECT_EQ(volume.reach, 5);
  EXPECT_EQ(volume.depth_reach, 5);
  EXPECT_EQ(volume.at(1, 2, 3), volume.at(-3, 1, 2));
  EXPECT_EQ(volume.at(5, 3, 2), 0);  // beyond the reach of 6
  const auto shape = [](double r2) {
    return (std::exp(-r2 / (2 * 1.15 * 1.15)) + 0.15 * std::exp(-r2 / 8)) * (1 - r2 / 36);
  };
  EXPECT_NEAR(volume.at(1, 1, 1), volume.at(0, 0, 0) * shape(3) / shape(0), 1);
  EXPECT_LE(volume.sum, 65534);

  const mask::Kernel frame =
      mask::make_frame_kernel({1.4, 0, 1, 4, 1}, 1, {2, 0, 1, 8, 1}, 0.5, 30000, 65534);
  EXPECT_EQ(frame.reach, 3);
  EXPECT_EQ(frame.depth_reach, 7);
  EXPECT_EQ(frame.at(1, 0, 1), 0);
  EXPECT_NEAR(frame.at(0, 0, 3),
              frame.at(0, 0, 0) / 1.5 * 0.5 * std::exp(-9.0 / 8) * (1 - 9.0 / 64), 1);
  EXPECT_NEAR(frame.at(2, 0, 0),
              frame.at(0, 0, 0) / 1.5 * std::exp(-4 / (2 * 1.96)) * (1 - 4.0 / 16), 1);
}

TEST(MaskKinds, EveryRankOnceAndTheSameAtAnyNumberOfThreads) {
  for (const Size size : {Size{24, 17, 5}, Size{1, 1, 9}, Size{3, 2, 2}, Size{40, 1, 30}}) {
    for (const MaskKind kind : {MaskKind::scalar, MaskKind::spatiotemporal}) {
      MaskOptions options;
      options.size = size;
      options.kind = kind;
      options.channels = 2;
      const auto ranks = ranks_of(options, 1);
      ASSERT_EQ(ranks.size(), 2u);
      EXPECT_EQ(ranks[0].height(), size.height * size.depth);
      EXPECT_TRUE(is_permutation_of_ranks(ranks[0]));
      EXPECT_TRUE(is_permutation_of_ranks(ranks[1]));
      EXPECT_EQ(ranks, ranks_of(options, 3));
    }
  }
}

TEST(MaskKinds, LongMasksOfOneRow) {
  MaskOptions options;
  options.size = {65535, 1};
  EXPECT_TRUE(is_permutation_of_ranks(ranks_of(options)[0]));
  options.size = {1, 65535};
  EXPECT_TRUE(is_permutation_of_ranks(ranks_of(options)[0]));
}

// Mean power of 0/1 series at the frequencies from 1 to `last`, white noise 1.
double low_power(const std::vector<std::vector<double>>& series, int last) {
  double power = 0;
  for (const std::vector<double>& values : series) {
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    if (mean == 0 || mean == 1) continue;
    for (int f = 1; f <= last; ++f) {
      std::complex<double> sum = 0;
      for (std::size_t t = 0; t < values.size(); ++t) {
        sum += std::polar(values[t] - mean, -2 * std::numbers::pi * f * static_cast<double>(t) / n);
      }
      power += std::norm(sum) / (n * mean * (1 - mean)) / last;
    }
  }
  return power / static_cast<double>(series.size());
}

// The pattern of frames below a threshold, as a series for every pixel or every row.
std::vector<std::vector<double>> series_of(const Plane<std::int32_t>& ranks, int depth,
                                           double threshold, bool in_time) {
  const int height = ranks.height() / depth;
  const double limit = threshold * static_cast<double>(ranks.size());
  std::vector<std::vector<double>> all;
  for (int y = 0; y < (in_time ? height : ranks.height()); ++y) {
    if (!in_time) all.emplace_back();
    for (int x = 0; x < ranks.width(); ++x) {
      if (in_time) all.emplace_back();
      for (int z = 0; z < (in_time ? depth : 1); ++z) {
        all.back().push_back(ranks(x, z * height + y) < limit ? 1 : 0);
      }
    }
  }
  return all;
}

TEST(MaskKinds, FramesAreEvenInTimeAndEachIsAMask) {
  MaskOptions options;
  options.size = {48, 48, 32};
  options.kind = MaskKind::spatiotemporal;
  const auto ranks = ranks_of(options)[0];
  EXPECT_LT(low_power(series_of(ranks, 32, 0.5, true), 6), 0.4);
  EXPECT_LT(low_power(series_of(ranks, 32, 0.25, true), 4), 0.35);
  // A volume of white noise has 1.
  options.method = MaskMethod::white;
  options.kind = MaskKind::scalar;
  EXPECT_GT(low_power(series_of(ranks_of(options)[0], 32, 0.5, true), 6), 0.9);
  // Each frame holds its share of every gray, and is as even as a mask of its own nearly is.
  for (int z = 0; z < 32; ++z) {
    const Plane<std::int32_t> frame = slice_of(ranks, z, 32);
    const auto below = std::count_if(frame.values().begin(), frame.values().end(),
                                     [&](std::int32_t r) { return r < 48 * 48 * 32 / 4; });
    EXPECT_NEAR(static_cast<double>(below), 48 * 48 / 4.0, 12) << z;
  }
}

TEST(MaskKinds, VolumesAreEvenInDepthAsInThePlane) {
  MaskOptions options;
  options.size = {32, 32, 32};
  const auto ranks = ranks_of(options)[0];
  // Dots of the first 1/64: no nearer than in random-dart packing, in three dimensions.
  std::vector<std::array<int, 3>> dots;
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < 32; ++x) {
      if (ranks(x, y) < 512) dots.push_back({x, y % 32, y / 32});
    }
  }
  int nearest = 100;
  for (std::size_t a = 0; a < dots.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      int squared = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const int d = std::abs(dots[a][k] - dots[b][k]);
        squared += std::min(d, 32 - d) * std::min(d, 32 - d);
      }
      nearest = std::min(nearest, squared);
    }
  }
  EXPECT_GE(nearest, 8);
}

TEST(MaskKinds, SaysWhatSlicesAre) {
  MaskOptions options;
  options.size = {8, 6, 4};
  Context context;
  const Image volume = make_mask(options, context);
  EXPECT_EQ(volume.slices, 4);
  EXPECT_TRUE(volume.volume);
  EXPECT_EQ(volume.height(), 24);
  options.kind = MaskKind::spatiotemporal;
  EXPECT_FALSE(make_mask(options, context).volume);
}

TEST(MaskKinds, RefusesWhatDoesNotGoTogether) {
  MaskOptions options;
  options.size = {8, 8};
  options.kind = MaskKind::spatiotemporal;
  EXPECT_NE(refusal_of(options).find("`size WxHxFRAMES"), std::string::npos);
  options.kind = MaskKind::vector2;
  options.channels = 2;
  EXPECT_NE(refusal_of(options).find("`channels"), std::string::npos);
  options.channels = 1;
  options.values = MaskValues::gaussian;
  EXPECT_NE(refusal_of(options).find("`values circle`"), std::string::npos);
  options.kind = MaskKind::scalar;
  options.values = MaskValues::vec2;
  options.histogram.text = std::make_shared<const std::string>("1\n");
  EXPECT_NE(refusal_of(options).find("choose one"), std::string::npos);
  options = {};
  options.size = {8, 8, 2};
  options.method = MaskMethod::bayer;
  EXPECT_NE(refusal_of(options).find("depth"), std::string::npos);
  options.method = MaskMethod::void_and_cluster;
  options.points.points = std::make_shared<Points>();
  EXPECT_NE(refusal_of(options).find("`points"), std::string::npos);
  options = {};
  options.values = MaskValues::triangular;
  options.histogram.text = std::make_shared<const std::string>("1\n");
  EXPECT_NE(refusal_of(options).find("choose one"), std::string::npos);
}

// ---- vectors ------------------------------------------------------------------------------------

// Mean power of a plane at frequencies below 0.1 cycles per pixel, over that of all.
double low_share(const Plane<float>& plane) {
  const int n = plane.width();
  double mean = 0;
  double variance = 0;
  for (const float v : plane.values()) mean += static_cast<double>(v) / (n * n);
  for (const float v : plane.values()) variance += std::pow(static_cast<double>(v) - mean, 2);
  double power = 0;
  int count = 0;
  for (int v = -n / 10; v <= n / 10; ++v) {
    for (int u = 0; u <= n / 10; ++u) {
      if ((u == 0 && v <= 0) || std::hypot(u, v) > 0.1 * n) continue;
      std::complex<double> sum = 0;
      for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
          sum += std::polar(static_cast<double>(plane(x, y)) - mean,
                            -2 * std::numbers::pi * (u * x + v * y) / n);
        }
      }
      power += std::norm(sum) / variance;
      ++count;
    }
  }
  return power / count;
}

class MaskVectors : public ::testing::TestWithParam<MaskKind> {};

TEST_P(MaskVectors, AreUnitVectorsOfAllDirectionsUnlikeTheirNeighbors) {
  MaskOptions options;
  options.size = {48, 48};
  options.kind = GetParam();
  options.bits = MaskBits::f32;
  Context context;
  const Image image = make_mask(options, context);
  const std::size_t dimensions = options.kind == MaskKind::vector2 ? 2 : 3;
  ASSERT_EQ(image.channels.size(), dimensions);
  std::set<std::vector<float>> directions;
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    double squared = 0;
    std::vector<float> direction;
    for (const Plane<float>& plane : image.channels) {
      squared += std::pow(static_cast<double>(plane.values()[i]), 2);
      direction.push_back(plane.values()[i]);
    }
    ASSERT_NEAR(squared, 1, 1e-6);
    directions.insert(direction);
  }
  EXPECT_EQ(directions.size(), image.channels[0].size());
  double neighbors = 0;
  for (const Plane<float>& plane : image.channels) {
    double mean = 0;
    double second = 0;
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 48; ++x) {
        const auto v = static_cast<double>(plane(x, y));
        mean += v / (48 * 48);
        second += v * v / (48 * 48);
        neighbors += v * static_cast<double>(plane((x + 1) % 48, y)) / (48 * 48);
      }
    }
    EXPECT_NEAR(mean, 0, 1e-3);
    EXPECT_NEAR(second, 1.0 / static_cast<double>(dimensions), 1e-3);
    EXPECT_LT(low_share(plane), 0.02);
  }
  EXPECT_LT(neighbors, -0.15);

  // Integers hold 0..1 for -1..1, and say so.
  options.bits = MaskBits::u8;
  const Image eight = make_mask(options, context);
  EXPECT_EQ(eight.type, PixelType::u8);
  for (std::size_t i = 0; i < eight.channels[0].size(); ++i) {
    ASSERT_NEAR(eight.channels[0].values()[i], (image.channels[0].values()[i] + 1) / 2, 1e-6);
  }
  ASSERT_EQ(eight.metadata.size(), 1u);
  EXPECT_EQ(eight.metadata[0].second, "unit vectors: 0 and 1 stand for -1 and 1");
}
INSTANTIATE_TEST_SUITE_P(Kinds, MaskVectors,
                         ::testing::Values(MaskKind::vector2, MaskKind::vector3));

// ---- values -------------------------------------------------------------------------------------

TEST(MaskValuesOf, Quantiles) {
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  for (const double p : {1e-9, 1e-4, 0.001, 0.1, 0.3, 0.5, 0.77, 0.9999}) {
    EXPECT_NEAR(normal(mask::quantile(MaskValues::gaussian, p)) / p, 1, 1e-9) << p;
    const double t = mask::quantile(MaskValues::triangular, p);
    EXPECT_NEAR(t < 0 ? (1 + t) * (1 + t) / 2 : 1 - (1 - t) * (1 - t) / 2, p, 1e-12);
    EXPECT_EQ(mask::quantile(MaskValues::uniform, p), p);
  }
}

TEST(MaskValuesOf, FollowTheRanks) {
  MaskOptions options;
  options.size = {32, 32};
  options.bits = MaskBits::f32;
  options.values = MaskValues::gaussian;
  const auto ranks = ranks_of(options);
  const Image image = mask_image(ranks, options);
  double squares = 0;
  for (std::size_t i = 0; i < 1024; ++i) {
    const double p = (ranks[0].values()[i] + 0.5) / 1024;
    const auto v = static_cast<double>(image.channels[0].values()[i]);
    ASSERT_NEAR(v, mask::quantile(MaskValues::gaussian, p), 1e-6);
    squares += v * v / 1024;
  }
  EXPECT_NEAR(squares, 1, 0.01);
  const Image stored = stored_mask(image, options);
  EXPECT_NEAR(stored.channels[0].values()[5], (image.channels[0].values()[5] + 4) / 8, 1e-6);
  EXPECT_EQ(stored.metadata.back().second, "gaussian: 0 and 1 stand for -4 and 4");
  options.bits = MaskBits::u16;
  const Image integers = mask_image(ranks, options);
  EXPECT_NEAR(integers.channels[0].values()[5], stored.channels[0].values()[5], 2e-5);
}

MaskOptions with_histogram(const std::string& text) {
  MaskOptions options;
  options.size = {10, 10};
  options.bits = MaskBits::f32;
  options.histogram = {"h.txt", std::make_shared<const std::string>(text)};
  return options;
}

TEST(MaskValuesOf, AnyHistogram) {
  // Half of all in the last of four bins, none in the second.
  Context context;
  const Image bins = make_mask(with_histogram("# weights\n1\n0\n1\n\n2 # most\n"), context);
  std::array<int, 4> count{};
  for (const float v : bins.channels[0].values()) ++count[static_cast<std::size_t>(v * 4)];
  EXPECT_EQ(count, (std::array<int, 4>{25, 0, 25, 50}));
  // Values with weights, in any order, beyond 0..1.
  MaskOptions options = with_histogram("10, 3\n-5;1\r\n0\t1\n");
  const Image values = make_mask(options, context);
  const auto plane = values.channels[0].values();
  EXPECT_EQ(std::count(plane.begin(), plane.end(), 10.0f), 60);
  EXPECT_EQ(std::count(plane.begin(), plane.end(), -5.0f), 20);
  EXPECT_EQ(std::count(plane.begin(), plane.end(), 0.0f), 20);
  EXPECT_EQ(stored_mask(values, options).metadata.back().second,
            "histogram: 0 and 1 stand for -5 and 10");
}

TEST(MaskValuesOf, SaysWhatIsWrongWithAHistogram) {
  const auto says = [](const std::string& text) { return refusal_of(with_histogram(text)); };
  EXPECT_NE(says("1\ntwo\n").find("line 2: expected a weight"), std::string::npos);
  EXPECT_NE(says("1\n2 3\n").find("line 2: has 2 numbers"), std::string::npos);
  EXPECT_NE(says("1 2 3\n").find("line 1"), std::string::npos);
  EXPECT_NE(says("1 nan\n").find("line 1"), std::string::npos);
  EXPECT_NE(says("1\n-1\n").find("line 2: a weight must not be negative"), std::string::npos);
  EXPECT_NE(says("# nothing\n0\n").find("one weight above 0"), std::string::npos);
}

// ---- maps ---------------------------------------------------------------------------------------

// Bright in the middle of the left half, a ramp on the right, black at the bottom.
Image test_map() {
  Plane<float> plane(96, 80);
  for (int y = 0; y < 72; ++y) {
    for (int x = 0; x < 96; ++x) {
      const double d = std::hypot(x - 24, y - 36);
      plane(x, y) = static_cast<float>(x < 48 ? (d < 15 ? 1 : 0.1) : 0.05 + 0.9 * y / 72.0);
    }
  }
  Image image;
  image.channels = {plane};
  image.names = {"Y"};
  image.encoding = Encoding::data;
  return image;
}

// Root mean square, over places, of what a Gaussian of 3 pixels sees of dots less density.
double seen_error(const Plane<double>& error) {
  const auto bell = [](int d) {
    return std::exp(-d * d / 18.0) / (3 * std::sqrt(2 * std::numbers::pi));
  };
  Plane<double> rows(error.width(), error.height());
  double sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const Plane<double> from = pass == 0 ? error : rows;
    for (int y = 0; y < error.height(); ++y) {
      for (int x = 0; x < error.width(); ++x) {
        double seen = 0;
        for (int d = -9; d <= 9; ++d) {
          const int u = pass == 0 ? x + d : x;
          const int v = pass == 0 ? y : y + d;
          if (u < 0 || v < 0 || u >= error.width() || v >= error.height()) continue;
          seen += bell(d) * from(u, v);
        }
        rows(x, y) = seen;
        if (pass == 1) sum += seen * seen;
      }
    }
  }
  return std::sqrt(sum / static_cast<double>(error.size()));
}

TEST(MaskOfMap, EveryThresholdStipplesTheMap) {
  MaskOptions options;
  const Image map = test_map();
  options.density.image = std::make_shared<const Image>(map);
  const auto ranks = ranks_of(options)[0];
  ASSERT_EQ(ranks.width(), 96);
  ASSERT_TRUE(is_permutation_of_ranks(ranks));
  const Plane<std::int32_t> white = mask::white_ranks(96, 80, 1);
  for (const double share : {0.02, 0.08, 0.25, 0.5}) {
    // c such that min(1, c map) has this share.
    double low = 0;
    double high = 1000;
    const auto wanted = [&](double c, std::size_t i) {
      return std::min(1.0, c * static_cast<double>(map.channels[0].values()[i]));
    };
    for (int k = 0; k < 60; ++k) {
      const double c = 0.5 * (low + high);
      double sum = 0;
      for (std::size_t i = 0; i < ranks.size(); ++i) sum += wanted(c, i);
      (sum < share * static_cast<double>(ranks.size()) ? low : high) = c;
    }
    Plane<double> error(96, 80);
    Plane<double> of_noise(96, 80);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const double density = wanted(high, i);
      error.values()[i] =
          (ranks.values()[i] < share * static_cast<double>(ranks.size()) ? 1 : 0) - density;
      of_noise.values()[i] =
          (white.values()[i] < density * static_cast<double>(ranks.size()) ? 1 : 0) - density;
    }
    // At 0.02 the Gaussian still sees single dots.
    EXPECT_LT(seen_error(error), (share < 0.05 ? 0.55 : 0.25) * seen_error(of_noise)) << share;
  }
  // What is black comes last.
  std::int32_t first_black = 1 << 30;
  for (int y = 72; y < 80; ++y) {
    for (int x = 0; x < 96; ++x) first_black = std::min(first_black, ranks(x, y));
  }
  EXPECT_EQ(first_black, 96 * 72);
}

TEST(MaskOfMap, ThreadsDoNotMatterAndTheSizeMayDiffer) {
  MaskOptions options;
  options.density.image = std::make_shared<const Image>(test_map());
  EXPECT_EQ(ranks_of(options, 1), ranks_of(options, 3));
  options.size = {60, 50};
  EXPECT_TRUE(is_permutation_of_ranks(ranks_of(options)[0]));
  options.size = {1, 1};
  EXPECT_TRUE(is_permutation_of_ranks(ranks_of(options)[0]));
}

TEST(MaskOfMap, RefusesWhatItCannotUse) {
  MaskOptions options;
  Image black = test_map();
  for (float& v : black.channels[0].values()) v = 0;
  options.density.image = std::make_shared<const Image>(black);
  EXPECT_NE(refusal_of(options).find("no density above 0"), std::string::npos);
  options.density.image = std::make_shared<const Image>(test_map());
  MapOptions field;
  field.as = MapKind::radius;
  EXPECT_NE(refusal_of(options, field).find("`as radius"), std::string::npos);
  options.kind = MaskKind::vector2;
  EXPECT_NE(refusal_of(options).find("`density"), std::string::npos);
}

}  // namespace
}  // namespace dapple
