// Masks against a void-and-cluster that scans everything, and what every mask promises.
#include "dapple/mask.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <numbers>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "generate/mask/engine.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

Plane<std::int32_t> ranks_of(int width, int height,
                             MaskMethod method = MaskMethod::void_and_cluster,
                             std::uint64_t seed = 1, int threads = 1) {
  MaskOptions options;
  options.method = method;
  Context context;
  context.seed = seed;
  context.threads = threads;
  return make_ranks(width, height, options, context);
}

bool is_permutation_of_ranks(const Plane<std::int32_t>& ranks) {
  std::vector<std::int32_t> sorted(ranks.values().begin(), ranks.values().end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

// ---- a reference that shares no code with the library -------------------------------------------

struct Shape {
  double narrow, weight, wide, taper;
  int reach, peak;
  double largest_sum;
};
constexpr Shape sparse{1.389, 0.3008, 3.701, 1.05, 15, 30000, 1e12};
constexpr Shape dense{1.415, 0.842, 3.15, 1.19, 7, 30000, 65514};

// The kernel's integers, by offset from -reach.
std::vector<std::vector<int>> reference_kernel(const Shape& s) {
  const int side = 2 * s.reach + 1;
  const double edge = s.reach + 1;
  std::vector<std::vector<double>> values(static_cast<std::size_t>(side));
  double sum = 0;
  for (int dy = -s.reach; dy <= s.reach; ++dy) {
    for (int dx = -s.reach; dx <= s.reach; ++dx) {
      const double r = std::hypot(dx, dy);
      const double v = r >= edge ? 0
                                 : (std::exp(-r * r / (2 * s.narrow * s.narrow)) +
                                    s.weight * std::exp(-r * r / (2 * s.wide * s.wide))) *
                                       std::pow(1 - r * r / (edge * edge), s.taper);
      values[static_cast<std::size_t>(dy + s.reach)].push_back(v);
      sum += v;
    }
  }
  const double unit = std::min(s.peak / (1 + s.weight), s.largest_sum / sum);
  std::vector<std::vector<int>> kernel;
  for (const auto& row : values) {
    kernel.emplace_back();
    for (const double v : row) kernel.back().push_back(static_cast<int>(std::floor(v * unit)));
  }
  return kernel;
}

Plane<std::int32_t> reference_ranks(int width, int height, const std::vector<mask::Pixel>& start) {
  Plane<std::int32_t> ranks(width, height, -1);
  std::int32_t next = 0;
  for (const mask::Pixel p : start) ranks(p.x, p.y) = next++;
  for (const Shape& shape : {sparse, dense}) {
    const auto kernel = reference_kernel(shape);
    // What one pixel adds to every other of the torus, by offset.
    Plane<std::int64_t> influence(width, height);
    double sum = 0;
    for (int dy = -shape.reach; dy <= shape.reach; ++dy) {
      for (int dx = -shape.reach; dx <= shape.reach; ++dx) {
        const int k = kernel[static_cast<std::size_t>(dy + shape.reach)]
                            [static_cast<std::size_t>(dx + shape.reach)];
        influence(((dx % width) + width) % width, ((dy % height) + height) % height) += k;
        sum += k;
      }
    }
    const double end = shape.reach == 15 ? std::floor(0.0317 * sum) : 65535;
    Plane<std::int64_t> energy(width, height);
    const auto add = [&](int px, int py) {
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const std::int64_t k = influence((x - px + width) % width, (y - py + height) % height);
          energy(x, y) =
              std::min<std::int64_t>(65535, energy(x, y) + std::min<std::int64_t>(k, 32767));
        }
      }
    };
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (ranks(x, y) >= 0) add(x, y);
      }
    }
    for (;;) {
      // Of equals the first of a strip of 16 columns.
      std::tuple<std::int64_t, int, int, int> best{65535, 0, 0, 0};
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          if (ranks(x, y) < 0) best = std::min(best, {energy(x, y), x / 16, y, x});
        }
      }
      if (static_cast<double>(std::get<0>(best)) >= end) break;
      const auto [least, strip, y, x] = best;
      ranks(x, y) = next++;
      add(x, y);
    }
  }
  return ranks;
}

std::vector<mask::Pixel> hashed_pixels(int width, int height, int count) {
  Random random(3, Stream::tests);
  std::set<std::pair<int, int>> seen;
  std::vector<mask::Pixel> pixels;
  while (static_cast<int>(pixels.size()) < count) {
    const int x = static_cast<int>(random.below(static_cast<std::uint32_t>(width)));
    const int y = static_cast<int>(random.below(static_cast<std::uint32_t>(height)));
    if (seen.insert({x, y}).second) pixels.push_back({x, y});
  }
  return pixels;
}

struct GrowCase {
  int width, height, start;
};
class MaskReference : public ::testing::TestWithParam<GrowCase> {};

TEST_P(MaskReference, IsWhatAScanOfEverythingFinds) {
  const auto [width, height, count] = GetParam();
  const auto start = hashed_pixels(width, height, count);
  Context context;
  const auto ranks = mask::grow_ranks(width, height, start, 1.44, context, true, [](double) {});
  EXPECT_EQ(ranks, reference_ranks(width, height, start));
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskReference,
                         ::testing::Values(GrowCase{32, 32, 4}, GrowCase{17, 23, 2},
                                           GrowCase{48, 40, 200}, GrowCase{31, 15, 1},
                                           GrowCase{5, 40, 1}, GrowCase{70, 3, 2},
                                           GrowCase{3, 5, 1}, GrowCase{1, 9, 1}, GrowCase{2, 1, 1},
                                           GrowCase{1, 1, 0}, GrowCase{140, 130, 60},
                                           GrowCase{64, 64, 3}, GrowCase{128, 96, 40}));

TEST(MaskRanks, AreTheSameFromAnyVectorCode) {
  Context context;
  // Cut tiles and whole ones.
  for (const auto& [width, height] : {std::pair{150, 90}, std::pair{128, 80}}) {
    const auto start = hashed_pixels(width, height, 40);
    const auto expected =
        mask::grow_ranks(width, height, start, 2.1, context, false, [](double) {});
    int targets = 0;
    for_each_simd_target([&, w = width, h = height](const char* name) {
      SCOPED_TRACE(name);
      EXPECT_EQ(mask::grow_ranks(w, h, start, 2.1, context, false, [](double) {}), expected);
      ++targets;
    });
    EXPECT_GE(targets, 2);
  }
}

TEST(MaskRanks, OccurOnceAtTheEndsOfTheRangeOfSigma) {
  for (const double sigma : {0.7, 4.0}) {
    MaskOptions options;
    options.sigma = sigma;
    Context context;
    const Plane<std::int32_t> ranks = make_ranks(100, 90, options, context);
    const std::set<std::int32_t> seen(ranks.values().begin(), ranks.values().end());
    EXPECT_EQ(seen.size(), 9000U);
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), 8999);
  }
}

TEST(MaskStart, TakesTheTightestClusterOutFirst) {
  const int width = 90;
  const int height = 70;
  const auto pixels = hashed_pixels(width, height, 60);
  // By definition: energies summed anew for every point that leaves.
  std::vector<std::int32_t> expected(pixels.size(), -1);
  std::vector<std::size_t> members(pixels.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = i;
  while (!members.empty()) {
    const std::int64_t reach2 = 9 * 90 * 70 / static_cast<std::int64_t>(members.size()) + 1;
    for (std::size_t keep = members.size() / 2; members.size() > keep;) {
      std::size_t worst = 0;
      std::int64_t worst_energy = -1;
      for (std::size_t a = 0; a < members.size(); ++a) {
        std::int64_t energy = 0;
        for (std::size_t b = 0; b < members.size(); ++b) {
          const mask::Pixel p = pixels[members[a]];
          const mask::Pixel q = pixels[members[b]];
          const int dx = std::min(std::abs(p.x - q.x), width - std::abs(p.x - q.x));
          const int dy = std::min(std::abs(p.y - q.y), height - std::abs(p.y - q.y));
          const std::int64_t d2 = dx * dx + dy * dy;
          if (a == b || d2 >= reach2) continue;
          const double t = static_cast<double>(d2 * 1024 / reach2) / 1024;
          energy += static_cast<std::int64_t>(std::exp(-9 * t / (2 * 0.35 * 0.35)) * 0x1p24);
        }
        // Of equals the last leaves.
        if (energy >= worst_energy) {
          worst_energy = energy;
          worst = a;
        }
      }
      expected[members[worst]] = static_cast<std::int32_t>(members.size() - 1);
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(worst));
    }
  }
  Context context;
  EXPECT_EQ(mask::rank_start(pixels, {width, height}, context), expected);
}

TEST(MaskKernel, SumsFitTheField) {
  for (const double scale : {0.5, 0.8, 1.0, 1.7, 2.7}) {
    const mask::Kernel kernel =
        mask::make_kernel({1.441, 0.7232, 3.2, 8, 1.134}, scale, 30000, 65534);
    std::int64_t sum = 0;
    for (const std::int16_t w : kernel.weights) {
      EXPECT_GE(w, 0);
      sum += w;
    }
    EXPECT_EQ(sum, kernel.sum);
    EXPECT_LE(sum, 65534);
    EXPECT_GT(sum, 60000);
    EXPECT_EQ(kernel.at(1, 2), kernel.at(-2, 1));
  }
}

// ---- promises -----------------------------------------------------------------------------------

TEST(Mask, EveryRankOnceAtAnySize) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 2},
                                      {7, 1},
                                      {7, 13},
                                      {100, 37},
                                      {1, 100},
                                      {300, 1},
                                      {3, 5},
                                      {8, 8},
                                      {16, 16},
                                      {17, 16},
                                      {33, 70},
                                      {64, 64},
                                      {100, 41},
                                      {130, 128},
                                      {2, 600}}) {
    for (const MaskMethod method :
         {MaskMethod::void_and_cluster, MaskMethod::ulichney, MaskMethod::white}) {
      EXPECT_TRUE(is_permutation_of_ranks(ranks_of(width, height, method)))
          << width << "x" << height;
    }
  }
}

// The three phases of the paper by their words: clusters and voids are those of the minority pixel,
// every search looks at everything.
TEST(Mask, UlichneyIsThePaper) {
  for (const auto& [w, h] : {std::pair{40, 24}, {33, 50}}) {
    const int width = w;
    const int height = h;
    const auto pixels = static_cast<std::size_t>(width * height);
    const double sigma = 1.44;
    const int reach = static_cast<int>(std::ceil(4.2 * sigma)) - 1;
    const auto kernel = reference_kernel({sigma, 0, 1, 0, reach, 30000, 65534});
    // Energy that the pixels of a kind (1: set) give to pixel i.
    const auto energy = [&](const std::vector<int>& pattern, std::size_t i, int kind) {
      const int x0 = static_cast<int>(i) % width;
      const int y0 = static_cast<int>(i) / width;
      std::int64_t sum = 0;
      for (int dy = -reach; dy <= reach; ++dy) {
        for (int dx = -reach; dx <= reach; ++dx) {
          const int x = (x0 + dx + width) % width;
          const int y = (y0 + dy + height) % height;
          if (pattern[static_cast<std::size_t>(y * width + x)] != kind) continue;
          sum += kernel[static_cast<std::size_t>(dy + reach)][static_cast<std::size_t>(dx + reach)];
        }
      }
      return sum;
    };
    // The pixel of a kind with the most (sign 1) or the least energy from the pixels of one.
    const auto extreme = [&](const std::vector<int>& pattern, int among, int from, int sign) {
      std::pair<std::int64_t, std::size_t> best{INT64_MAX, 0};
      for (std::size_t i = 0; i < pixels; ++i) {
        if (pattern[i] == among) best = std::min(best, {-sign * energy(pattern, i, from), i});
      }
      return best.second;
    };
    const auto count = static_cast<std::int32_t>(pixels / 10);
    const Plane<std::int32_t> noise = ranks_of(width, height, MaskMethod::white);
    std::vector<int> start(pixels);
    for (std::size_t i = 0; i < pixels; ++i) start[i] = noise.values()[i] < count ? 1 : 0;
    for (;;) {
      const std::size_t cluster = extreme(start, 1, 1, 1);
      start[cluster] = 0;
      const std::size_t gap = extreme(start, 0, 1, -1);
      const bool moves = energy(start, gap, 1) < energy(start, cluster, 1);
      start[moves ? gap : cluster] = 1;
      if (!moves) break;
    }
    std::vector<std::int32_t> ranks(pixels);
    std::vector<int> pattern = start;
    for (std::int32_t rank = count - 1; rank >= 0; --rank) {
      const std::size_t cluster = extreme(pattern, 1, 1, 1);
      pattern[cluster] = 0;
      ranks[cluster] = rank;
    }
    pattern = start;
    for (std::int32_t rank = count; rank < static_cast<std::int32_t>(pixels); ++rank) {
      const bool first_half = 2 * rank < static_cast<std::int32_t>(pixels);
      const std::size_t next = first_half ? extreme(pattern, 0, 1, -1) : extreme(pattern, 0, 0, 1);
      pattern[next] = 1;
      ranks[next] = rank;
    }
    const auto made = ranks_of(width, height, MaskMethod::ulichney);
    EXPECT_EQ(std::vector<std::int32_t>(made.values().begin(), made.values().end()), ranks)
        << width << "x" << height;
  }
}

TEST(Mask, BayerIsOrderedDither) {
  const auto ranks = ranks_of(4, 4, MaskMethod::bayer);
  const std::vector<std::int32_t> bayer{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  EXPECT_EQ(std::vector<std::int32_t>(ranks.values().begin(), ranks.values().end()), bayer);
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 8}, {16, 4}, {4, 32}, {64, 64}}) {
    EXPECT_TRUE(is_permutation_of_ranks(ranks_of(width, height, MaskMethod::bayer)));
  }
  EXPECT_THROW(ranks_of(12, 16, MaskMethod::bayer), Error);
}

TEST(Mask, ThreadsDoNotMatter) {
  MaskOptions options;
  options.size = {50, 34};
  options.channels = 3;
  std::vector<Image> masks;
  for (const int threads : {1, 2, 7}) {
    Context context;
    context.threads = threads;
    masks.push_back(make_mask(options, context));
  }
  EXPECT_EQ(masks[0].channels, masks[1].channels);
  EXPECT_EQ(masks[0].channels, masks[2].channels);
}

TEST(Mask, ChannelsAndSeedsDiffer) {
  MaskOptions options;
  options.size = {32, 32};
  Context context;
  const Image one = make_mask(options, context);
  EXPECT_EQ(one.names, std::vector<std::string>{"Y"});
  EXPECT_EQ(one.encoding, Encoding::data);
  options.channels = 4;
  const Image four = make_mask(options, context);
  EXPECT_EQ(four.names, (std::vector<std::string>{"R", "G", "B", "A"}));
  EXPECT_EQ(four.channels[0], one.channels[0]);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(four.channels[a], four.channels[b]);
  }
  EXPECT_EQ(context.seed, 1u);
  context.seed = 2;
  EXPECT_NE(make_mask(options, context).channels[0], four.channels[0]);
}

TEST(Mask, EveryValueEquallyOften) {
  MaskOptions options;
  options.size = {48, 32};
  Context context;
  std::vector<int> count(256);
  const Image eight = make_mask(options, context);
  EXPECT_EQ(eight.type, PixelType::u8);
  for (const float v : eight.channels[0].values()) {
    const double value = v * 255.0;
    ASSERT_NEAR(value, std::round(value), 1e-4);
    ++count[static_cast<std::size_t>(std::round(value))];
  }
  EXPECT_EQ(count, std::vector<int>(256, 6));

  options.size = {37, 29};
  std::fill(count.begin(), count.end(), 0);
  const Image odd = make_mask(options, context);
  for (const float v : odd.channels[0].values()) {
    ++count[static_cast<std::size_t>(std::lround(v * 255))];
  }
  EXPECT_EQ(*std::min_element(count.begin(), count.end()), 37 * 29 / 256);
  EXPECT_EQ(*std::max_element(count.begin(), count.end()), 37 * 29 / 256 + 1);

  // 16 bits: every pixel its own value, evenly over the range.
  options.bits = MaskBits::u16;
  const Image sixteen = make_mask(options, context);
  EXPECT_EQ(sixteen.type, PixelType::u16);
  std::vector<long> values;
  for (const float v : sixteen.channels[0].values()) values.push_back(std::lround(v * 65535));
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<long>(i * 65536 / (37 * 29)));
  }

  options.bits = MaskBits::f32;
  double sum = 0;
  const Image floats = make_mask(options, context);
  for (const float v : floats.channels[0].values()) sum += v;
  EXPECT_NEAR(sum / (37 * 29), 0.5, 1e-6);
}

// Mean power of the pattern below `threshold` at the frequencies below half its principal one;
// white noise has 1.
double low_power(const Plane<std::int32_t>& ranks, double threshold) {
  const int n = ranks.width();
  const double principal = std::sqrt(threshold);
  double power = 0;
  int count = 0;
  for (int v = -n / 2; v < n / 2; ++v) {
    for (int u = 0; u < n / 2; ++u) {
      const double f = std::hypot(u, v) / n;
      if (f == 0 || f >= principal / 2) continue;
      std::complex<double> sum = 0;
      for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
          if (ranks(x, y) >= threshold * n * n) continue;
          sum += std::polar(1.0, -2 * std::numbers::pi * (u * x + v * y) / n);
        }
      }
      power += std::norm(sum) / (n * n * threshold * (1 - threshold));
      ++count;
    }
  }
  return power / count;
}

TEST(Mask, IsBlue) {
  const auto ranks = ranks_of(64, 64);
  EXPECT_LT(low_power(ranks, 1.0 / 32), 0.1);
  EXPECT_LT(low_power(ranks, 1.0 / 8), 0.1);
  const auto white = ranks_of(64, 64, MaskMethod::white);
  EXPECT_GT(low_power(white, 1.0 / 32), 0.6);
}

// The smallest distance between the first n pixels, over that of a hexagonal lattice.
double first_spacing(const Plane<std::int32_t>& ranks, int n) {
  const Domain domain{static_cast<double>(ranks.width()), static_cast<double>(ranks.height()),
                      true};
  std::vector<Vec2> first;
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < ranks.width(); ++x) {
      if (ranks(x, y) < n) first.push_back({x + 0.5, y + 0.5});
    }
  }
  double smallest = domain.width;
  for (std::size_t a = 0; a < first.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      smallest = std::min(smallest, domain.distance(first[a], first[b]));
    }
  }
  return smallest / std::sqrt(2 / std::sqrt(3.0) * domain.area() / n);
}

TEST(Mask, EveryPrefixIsWellSpaced) {
  const auto ranks = ranks_of(128, 128);
  EXPECT_GT(first_spacing(ranks, 128 * 128 / 64), 0.6);
  EXPECT_GT(first_spacing(ranks, 128 * 128 / 256), 0.65);
  EXPECT_GT(first_spacing(ranks, 128 * 128 / 512), 0.5);
  EXPECT_GT(first_spacing(ranks, 128 * 128 / 1024), 0.5);
}

TEST(Mask, GivenPointsKeepTheFirstRanks) {
  auto points = std::make_shared<Points>();
  points->domain = {20, 10, true};
  // Two share a pixel of the mask.
  const std::vector<Vec2> places{{1.1, 1.2}, {15, 3}, {1.2, 1.3}, {8, 9.99}};
  for (const Vec2 p : places) points->add(p, 1);
  points->rank = {2, 0, 3, 1};
  MaskOptions options;
  options.points.points = points;
  Context context;
  const auto ranks = make_ranks(40, 20, options, context);
  EXPECT_EQ(ranks(30, 6), 0);
  EXPECT_EQ(ranks(16, 19), 1);
  EXPECT_EQ(ranks(2, 2), 2);
  EXPECT_TRUE(is_permutation_of_ranks(ranks));
  ASSERT_EQ(context.warnings().size(), 2u);
  EXPECT_NE(context.warnings()[0].find("scaled by 2"), std::string::npos);
}

TEST(Mask, LimitsComeFirst) {
  MaskOptions options;
  options.size = {100000, 100000};
  Context context;
  EXPECT_THROW(make_mask(options, context), Error);
  options.size = {2048, 2048, 128};
  try {
    make_mask(options, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_NE(std::string(error.what()).find("`max-pixels"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("(7168 MB of memory)"), std::string::npos)
        << error.what();
  }
  // Within the number of pixels, but not within the memory: the message says how much it needs.
  options.size = {8192, 8192};
  context.limits.max_memory = 100 << 20;
  try {
    make_mask(options, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_NE(std::string(error.what()).find("`max-memory"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("MB"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dapple
