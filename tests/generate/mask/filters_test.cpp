// Masks for the filters that follow: weights of pairs, the search by swaps, frames and points.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "core/modulo.hpp"
#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/mask.hpp"
#include "generate/mask/swaps.hpp"

namespace dapple {
namespace {

Image mask_of(const MaskOptions& options, int threads = 0) {
  Context context;
  context.threads = threads;
  return make_mask(options, context);
}

MaskOptions frames_of(Size size) {
  MaskOptions options;
  options.size = size;
  options.kind = MaskKind::spatiotemporal;
  options.bits = MaskBits::f32;
  return options;
}

// ---- weights ------------------------------------------------------------------------------------

TEST(MaskFilterWeights, AreTheAutocorrelationOfTheFilters) {
  MaskOptions options = frames_of({32, 32, 32});
  options.filter_space = {MaskFilter::Shape::box};
  options.filter_time = {MaskFilter::Shape::binomial, 2};
  options.product = true;
  const mask::PairWeights both = mask::filter_weights(options, {32, 32, 32}, 60000);
  EXPECT_EQ(both.reach, 2);
  EXPECT_EQ(both.earlier, 2);
  EXPECT_EQ(both.later, 2);
  EXPECT_EQ(both.at(0, 0, 0), 0);  // no pixel counts with itself
  // 1 2 1 with itself is 1 4 6 4 1, and a box of 3 is 1 2 3 2 1.
  EXPECT_NEAR(both.at(0, 1, 0), both.at(0, 0, 1), both.at(0, 0, 1) * 1e-2 + 1);
  EXPECT_NEAR(both.at(2, -1, 2), both.at(0, 0, 1) / 4.0 / 3 * 2 / 3, 1);
  EXPECT_LE(both.sum, 60000);
  options.product = false;
  options.separate = true;
  const mask::PairWeights alone = mask::filter_weights(options, {32, 32, 32}, 60000);
  EXPECT_EQ(alone.at(1, 0, 1), 0);
  EXPECT_NEAR(alone.at(2, 0, 0), alone.at(1, 0, 0) / 2.0, 1);
  EXPECT_NEAR(alone.at(0, 0, 2), alone.at(0, 0, 1) / 4.0, 1);
}

TEST(MaskFilterWeights, AddUpAroundTheEndOfTheAnimation) {
  MaskOptions options = frames_of({32, 32, 3});
  options.filter_time = {MaskFilter::Shape::box, 4};
  options.separate = true;
  const mask::PairWeights weights = mask::filter_weights(options, {32, 32, 3}, 60000);
  EXPECT_EQ(weights.earlier, 1);
  EXPECT_EQ(weights.later, 1);
  // Frames 1 later are also 2 earlier: 3 + 2 of 4. Frames 3 later are the pixel itself.
  EXPECT_EQ(weights.at(0, 0, 1), weights.at(0, 0, -1));
  const double in_frame = weights.at(1, 0, 0);
  options.filter_time = {MaskFilter::Shape::none};
  EXPECT_EQ(mask::filter_weights(options, {32, 32, 3}, 60000).frames(), 1);
  EXPECT_GT(in_frame, 0);
}

// ---- swaps --------------------------------------------------------------------------------------

// The energy by its definition, where weights of copies on the torus add up.
double energy_of(const std::vector<std::int32_t>& value_of, const mask::Torus& torus,
                 const mask::Projections& numbers, const mask::PairWeights& weights) {
  const auto [width, height, depth] = torus;
  const double squares =
      numbers.size() > 1 ? static_cast<double>(mask::square_weight) / (1 << mask::square_bits) : 0;
  double energy = 0;
  const auto place = [w = width, h = height](int x, int y, int t) {
    return static_cast<std::size_t>((t * h + y) * w + x);
  };
  for (int t = 0; t < depth; ++t) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int dt = -weights.earlier; dt <= weights.later; ++dt) {
          for (int dy = -weights.reach; dy <= weights.reach; ++dy) {
            for (int dx = -weights.reach; dx <= weights.reach; ++dx) {
              const auto other = static_cast<std::size_t>(value_of[place(
                  modulo(x + dx, width), modulo(y + dy, height), modulo(t + dt, depth))]);
              const auto own = static_cast<std::size_t>(value_of[place(x, y, t)]);
              for (const auto& along : numbers) {
                const double d = std::abs(along[own] - along[other]);
                energy -= weights.at(dx, dy, dt) * (d + squares * d * d);
              }
            }
          }
        }
      }
    }
  }
  return energy;
}

void expect_no_better_swap(const mask::Torus& torus, std::size_t directions) {
  const std::size_t frame =
      static_cast<std::size_t>(torus.width) * static_cast<std::size_t>(torus.height);
  MaskOptions options = frames_of({8, 8, 2});
  options.filter_space = {MaskFilter::Shape::binomial};
  const mask::PairWeights weights = mask::filter_weights(options, torus, 20000);
  mask::Projections numbers(directions);
  std::vector<std::int32_t> value_of;
  for (std::size_t i = 0; i < frame * static_cast<std::size_t>(torus.depth); ++i) {
    for (auto& along : numbers) {
      along.push_back(
          static_cast<std::int16_t>(Random(i, Stream::tests, numbers[0].size()).below(32768)));
    }
    value_of.push_back(static_cast<std::int32_t>(i));
  }
  const double before = energy_of(value_of, torus, numbers, weights);
  Context context;
  mask::swap_values(value_of, torus, numbers, weights, 1, context, true, [](double) {});
  const double after = energy_of(value_of, torus, numbers, weights);
  EXPECT_LT(after, before);
  for (std::size_t p = 0; p < value_of.size(); ++p) {
    EXPECT_EQ(static_cast<std::size_t>(value_of[p]) / frame, p / frame);  // stays in its frame
    for (std::size_t q = p + 1; q < (p / frame + 1) * frame; ++q) {
      std::vector<std::int32_t> other = value_of;
      std::swap(other[p], other[q]);
      // Squares are rounded.
      EXPECT_GE(energy_of(other, torus, numbers, weights), after - (directions > 1 ? 1e5 : 0.5))
          << p << " " << q;
    }
  }
}

class MaskSwaps : public ::testing::TestWithParam<mask::Torus> {};

TEST_P(MaskSwaps, EndWhereNoSwapLowersTheEnergy) {
  expect_no_better_swap(GetParam(), 1);
  expect_no_better_swap(GetParam(), 2);
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskSwaps,
                         ::testing::Values(mask::Torus{3, 3}, mask::Torus{6, 1}, mask::Torus{4, 2},
                                           mask::Torus{3, 2, 2}, mask::Torus{1, 4, 3},
                                           mask::Torus{2, 2, 20}));

// ---- frames -------------------------------------------------------------------------------------

double figure(const QualityReport& report, const std::string& name) {
  const Measurement* const found = report.find(name);
  return found == nullptr ? -1 : found->value;
}

QualityReport report_on(const MaskOptions& options) {
  Context context;
  return analyze_mask(mask_of(options), context);
}

TEST(MaskFrameFilters, LeaveLessErrorOfMeansAndCostSingleFrames) {
  MaskOptions options = frames_of({64, 64, 32});
  const QualityReport averaged = report_on(options);
  options.filter_time = {MaskFilter::Shape::none};
  const QualityReport single = report_on(options);
  EXPECT_LT(figure(averaged, "step_4"), 0.127);
  EXPECT_LT(figure(averaged, "step_8"), 0.068);
  EXPECT_LT(figure(averaged, "step_blur_8"), 0.0119);
  EXPECT_LT(figure(averaged, "step_8"), 0.9 * figure(single, "step_8"));
  EXPECT_LT(figure(averaged, "step_16"), 0.86 * figure(single, "step_16"));
  EXPECT_LT(figure(averaged, "step_32"), 0.83 * figure(single, "step_32"));
  EXPECT_LT(figure(averaged, "ramp_8"), 0.95 * figure(single, "ramp_8"));
  EXPECT_LT(figure(averaged, "step_blur_16"), figure(single, "step_blur_16"));
  EXPECT_GT(figure(averaged, "step_blur_1"), figure(single, "step_blur_1"));
  EXPECT_LT(figure(averaged, "top_frames"), 1.0001);
}

TEST(MaskFrameFilters, ServeTheFilterThatIsStated) {
  MaskOptions options = frames_of({32, 32, 16});
  options.filter_time = {MaskFilter::Shape::box, 4};
  options.separate = true;
  const double of_four = figure(report_on(options), "step_4");
  options.filter_time.size = 16;
  EXPECT_LT(of_four, 0.95 * figure(report_on(options), "step_4"));
  options.separate = false;
  options.product = true;
  const QualityReport product = report_on(options);
  EXPECT_GT(figure(product, "step_4"), 1.1 * of_four);  // pixels alone do not count
  EXPECT_LT(figure(product, "step_blur_16"), 0.03);
}

TEST(MaskFrameFilters, EachFrameHasItsShareOfEveryGray) {
  MaskOptions options = frames_of({32, 16, 5});
  options.bits = MaskBits::u8;
  const Image mask = mask_of(options);
  for (int t = 0; t < 5; ++t) {
    std::array<int, 256> counts{};
    const Plane<float> frame = slice_of(mask.channels[0], t, 5);
    for (const float v : frame.values()) {
      ++counts[static_cast<std::size_t>(std::lround(v * 255))];
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_EQ(*least, 2);
    EXPECT_EQ(*most, 2);
  }
}

TEST(MaskFrameFilters, ThreadsDoNotMatter) {
  MaskOptions options = frames_of({128, 70, 3});
  EXPECT_EQ(mask_of(options, 1).channels, mask_of(options, 3).channels);
  options.values = MaskValues::vec2;
  EXPECT_EQ(mask_of(options, 1).channels, mask_of(options, 3).channels);
}

// ---- masks without frames -----------------------------------------------------------------------

// Mean square over steps of the error after a box of 3x3 pixels.
double after_box(const Plane<float>& mask) {
  double sum = 0;
  for (int i = 1; i < 16; ++i) {
    for (int y = 0; y < mask.height(); ++y) {
      for (int x = 0; x < mask.width(); ++x) {
        double mean = 0;
        for (int k = 0; k < 9; ++k) {
          const float v = mask((x + k % 3) % mask.width(), (y + k / 3) % mask.height());
          mean += static_cast<double>(v) < i / 16.0 ? 1 : 0;
        }
        sum += std::pow(mean / 9 - i / 16.0, 2) / static_cast<double>(15 * mask.size());
      }
    }
  }
  return sum;
}

TEST(MaskSpaceFilter, LeavesLessErrorAfterItself) {
  MaskOptions options;
  options.size = {48, 40};
  options.bits = MaskBits::f32;
  const double plain = after_box(mask_of(options).channels[0]);
  options.filter_space = {MaskFilter::Shape::box};
  const Image mask = mask_of(options);
  EXPECT_LT(after_box(mask.channels[0]), 0.7 * plain);
  std::set<float> values(mask.channels[0].values().begin(), mask.channels[0].values().end());
  EXPECT_EQ(values.size(), mask.channels[0].size());
}

// ---- points -------------------------------------------------------------------------------------

class MaskPoints : public ::testing::TestWithParam<MaskValues> {};

TEST_P(MaskPoints, AreTheSameEvenSetInEveryFrame) {
  MaskOptions options = frames_of({20, 16, 3});
  options.values = GetParam();
  const Image mask = mask_of(options);
  std::array<std::set<std::vector<float>>, 3> sets;
  const std::size_t frame = 20 * 16;
  for (std::size_t i = 0; i < 3 * frame; ++i) {
    std::vector<float> point;
    double squares = 0;
    for (const Plane<float>& plane : mask.channels) {
      point.push_back(plane.values()[i]);
      squares += std::pow(static_cast<double>(point.back()), 2);
    }
    if (options.values == MaskValues::disc) {
      ASSERT_LT(squares, 1);
    }
    if (options.values == MaskValues::hemisphere) {
      ASSERT_NEAR(squares, 1, 1e-6);
      ASSERT_GT(point[2], 0);
    }
    sets[i / frame].insert(point);
  }
  EXPECT_EQ(sets[0].size(), frame);
  EXPECT_EQ(sets[0], sets[1]);
  EXPECT_EQ(sets[0], sets[2]);
  if (options.values == MaskValues::disc || options.values == MaskValues::hemisphere) return;
  for (const Plane<float>& plane : mask.channels) {  // every coordinate is even
    std::set<float> numbers(plane.values().begin(), plane.values().end());
    EXPECT_EQ(numbers.size(), frame);
    EXPECT_FLOAT_EQ(*numbers.begin(), 0.5f / frame);
    EXPECT_FLOAT_EQ(*numbers.rbegin(), 1 - 0.5f / frame);
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, MaskPoints,
                         ::testing::Values(MaskValues::vec2, MaskValues::disc, MaskValues::vec3,
                                           MaskValues::vec4, MaskValues::hemisphere));

// The error of half of the square, averaged over pixels around or over frames, is below that of
// random points.
TEST(MaskPointsOfASquare, AreEvenInEachFrameAndOverTime) {
  MaskOptions options = frames_of({48, 48, 16});
  options.values = MaskValues::vec2;
  const Image mask = mask_of(options);
  double over_space = 0;
  double over_time = 0;
  const auto below = [&](int x, int y, int t) {
    const int row = t % 16 * 48 + y % 48;
    return mask.channels[0](x % 48, row) + mask.channels[1](x % 48, row) < 1 ? 1.0 : 0.0;
  };
  for (int t = 0; t < 16; ++t) {
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 48; ++x) {
        double around = -4.5;
        double later = -4;
        for (int k = 0; k < 9; ++k) around += below(x + k % 3, y + k / 3, t);
        for (int k = 0; k < 8; ++k) later += below(x, y, t + k);
        over_space += around * around / (2.25 * 48 * 48 * 16);
        over_time += later * later / (2.0 * 48 * 48 * 16);
      }
    }
  }
  EXPECT_LT(over_space, 0.45);  // random points: 1
  EXPECT_LT(over_time, 0.4);
}

// Each coordinate is even in a frame: no direction counts less.
TEST(MaskPointsOfACube, AreEvenInEachCoordinate) {
  MaskOptions options = frames_of({32, 32, 8});
  options.values = MaskValues::vec3;
  const Image mask = mask_of(options);
  for (const Plane<float>& plane : mask.channels) {
    const auto below = [&](int x, int y, int t) {
      return plane(x % 32, t % 8 * 32 + y % 32) < 0.5f ? 1.0 : 0.0;
    };
    double over_space = 0;
    for (int t = 0; t < 8; ++t) {
      for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x) {
          double around = -4.5;
          for (int k = 0; k < 9; ++k) around += below(x + k % 3, y + k / 3, t);
          over_space += around * around / (2.25 * 32 * 32 * 8);
        }
      }
    }
    EXPECT_LT(over_space, 0.53);  // random points: 1
  }
}

TEST(MaskPointsOfAPicture, HaveItsDensity) {
  Image map;
  map.names = {"Y"};
  map.encoding = Encoding::data;
  map.channels.emplace_back(4, 2);
  map.channels[0].values()[0] = 1;  // a fifth in the upper left pixel
  map.channels[0].values()[5] = 1;
  map.channels[0].values()[7] = 0.5;
  MaskOptions options = frames_of({25, 20, 2});
  options.values = MaskValues::vec2;
  options.density.image = std::make_shared<const Image>(std::move(map));
  const Image mask = mask_of(options);
  std::array<int, 8> counts{};
  for (std::size_t i = 0; i < mask.channels[0].size(); ++i) {
    const auto x = static_cast<std::size_t>(mask.channels[0].values()[i] * 4);
    const auto y = static_cast<std::size_t>(mask.channels[1].values()[i] * 2);
    ++counts.at(y * 4 + x);
  }
  EXPECT_EQ(counts, (std::array<int, 8>{400, 0, 0, 0, 0, 400, 0, 200}));
}

TEST(MaskValues, AreThoseOfAnyKindThatHasThem) {
  MaskOptions options;
  options.size = {12, 10, 3};
  options.values = MaskValues::vec2;
  const Image points = mask_of(options);
  options.kind = MaskKind::spatiotemporal;
  EXPECT_EQ(mask_of(options).channels, points.channels);
  options.values = MaskValues::circle;
  const Image vectors = mask_of(options);
  options.kind = MaskKind::vector2;
  options.values = MaskValues::uniform;
  EXPECT_EQ(mask_of(options).channels, vectors.channels);
}

// ---- refusals -----------------------------------------------------------------------------------

std::string refusal_of(const MaskOptions& options) {
  try {
    mask_of(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MaskFilters, AreWrittenWithTheirSize) {
  for (const std::string text : {"auto", "none", "box", "box:7", "gauss:1.25", "ema:0.1"}) {
    MaskFilter filter;
    from_text(text, filter);
    EXPECT_EQ(to_text(filter), text);
  }
  for (const std::string text : {"", "Box", "box:", "box:0", "box:x", "box:2.5", "box:33", "auto:1",
                                 "none:2", "ema:1.5", "gauss:0.1", "gauss:1:2", ":2"}) {
    MaskFilter filter;
    EXPECT_THROW(from_text(text, filter), Error) << text;
    EXPECT_EQ(filter, MaskFilter()) << text;
  }
}

TEST(MaskFilters, RefuseWhatDoesNotGoTogether) {
  MaskOptions options;
  options.size = {8, 8};
  options.filter_time = {MaskFilter::Shape::ema};
  EXPECT_NE(refusal_of(options).find("`kind spatiotemporal`"), std::string::npos);
  options.kind = MaskKind::spatiotemporal;
  options.size = {8, 8, 4};
  options.filter_time.size = 2;
  EXPECT_NE(refusal_of(options).find("from 0.02 to 1"), std::string::npos);
  options.filter_time = {MaskFilter::Shape::box, 2.5};
  EXPECT_NE(refusal_of(options).find("a whole number"), std::string::npos);
  options.filter_time.size = 2;
  EXPECT_EQ(refusal_of(options), "");
  options.separate = options.product = true;
  EXPECT_NE(refusal_of(options).find("choose one"), std::string::npos);
  options.product = false;
  options.filter_time = {MaskFilter::Shape::none};
  EXPECT_NE(refusal_of(options).find("two filters"), std::string::npos);
  options = {};
  options.size = {8, 8};
  options.kind = MaskKind::vector2;
  options.filter_space = {MaskFilter::Shape::gauss};
  EXPECT_NE(refusal_of(options).find("`filter-space`"), std::string::npos);
  options.filter_space = {MaskFilter::Shape::gauss, 4};
  EXPECT_NE(refusal_of(options).find("from 0.3 to 3"), std::string::npos);
  options.filter_space = {MaskFilter::Shape::ema};
  EXPECT_NE(refusal_of(options).find("box, gauss or binomial"), std::string::npos);
  options.filter_space = {};
  options.values = MaskValues::disc;
  EXPECT_NE(refusal_of(options).find("`kind vector2` is `values circle`"), std::string::npos);
  options.kind = MaskKind::scalar;
  options.values = MaskValues::vec3;
  options.channels = 2;
  EXPECT_NE(refusal_of(options).find("`values vec3`"), std::string::npos);
}

}  // namespace
}  // namespace dapple
