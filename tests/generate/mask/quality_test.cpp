// The goals that reports of masks name, all at once, on seeds that nothing was tuned on.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "analyze/spectrum.hpp"
#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/mask.hpp"

namespace dapple {
namespace {

Image mask_of(int width, int height, std::uint64_t seed) {
  MaskOptions options;
  options.size = {static_cast<double>(width), static_cast<double>(height)};
  options.bits = MaskBits::f32;
  Context context;
  context.seed = seed;
  return make_mask(options, context);
}

QualityReport report_on(const Image& mask) {
  Context context;
  return analyze_mask(mask, context);
}

struct Extent {
  int width, height;
  std::uint64_t seeds;
  int goals;
};
class MaskQuality : public ::testing::TestWithParam<Extent> {};

TEST_P(MaskQuality, MeetsAllGoalsAtEverySeed) {
  const auto [width, height, seeds, named] = GetParam();
  for (std::uint64_t seed = 301; seed < 301 + seeds; ++seed) {
    const QualityReport report = report_on(mask_of(width, height, seed));
    int goals = 0;
    for (const Measurement& m : report.measurements) {
      if (!m.target) continue;
      EXPECT_TRUE(m.target->is_met_by(m.value)) << m.name << " " << m.value << ", seed " << seed;
      ++goals;
    }
    EXPECT_EQ(goals, named);
    EXPECT_EQ(report.find("missing")->value, 0);
    EXPECT_EQ(report.find("spread")->value, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskQuality,
                         ::testing::Values(Extent{32, 32, 32, 8}, Extent{48, 48, 32, 8},
                                           Extent{33, 70, 32, 8}, Extent{64, 64, 32, 11},
                                           Extent{96, 96, 32, 11}, Extent{128, 128, 32, 11},
                                           Extent{160, 160, 8, 11}, Extent{256, 256, 8, 11},
                                           Extent{200, 120, 8, 11}, Extent{300, 260, 2, 11},
                                           Extent{8, 64, 32, 4}, Extent{16, 48, 32, 4}));

// ---- small sides --------------------------------------------------------------------------------

class SmallMasks : public ::testing::TestWithParam<int> {};

TEST_P(SmallMasks, AreNoLatticesAtEverySeed) {
  const int side = GetParam();
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    const QualityReport report = report_on(mask_of(side, side, seed));
    for (const char* name : {"line", "grey_1.5", "grey_2", "ramp1"}) {
      const Measurement& m = *report.find(name);
      ASSERT_TRUE(m.target) << name;
      EXPECT_TRUE(m.target->is_met_by(m.value)) << name << " " << m.value << ", seed " << seed;
    }
  }
}

// What all of them share would show where many are used: the mean of their spectra at 1/2 is white
// to within what 32 draws leave to chance, and no two are the same mask elsewhere on the torus.
TEST_P(SmallMasks, ShareNothing) {
  const int side = GetParam();
  Plane<float> mean;
  std::set<std::vector<float>> masks;
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    const Image mask = mask_of(side, side, seed);
    const Plane<float>& values = mask.channels[0];
    const auto first = std::min_element(values.values().begin(), values.values().end());
    const auto at = static_cast<int>(first - values.values().begin());
    std::vector<float> from_first;
    Plane<float> half(side, side);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        from_first.push_back(values((x + at % side) % side, (y + at / side) % side));
        half(x, y) = values(x, y) < 0.5f ? 1.0f : 0.0f;
      }
    }
    masks.insert(from_first);
    Context context;
    const PowerSpectrum spectrum = power_spectrum(half, context);
    if (mean.empty()) mean = Plane<float>(spectrum.power.width(), spectrum.power.height());
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean.values()[i] += spectrum.power.values()[i] / 32;
    }
  }
  EXPECT_LE(*std::max_element(mean.values().begin(), mean.values().end()), 3.0f);
  EXPECT_GE(masks.size(), side == 4 ? 31U : 32U);
}
INSTANTIATE_TEST_SUITE_P(Sides, SmallMasks, ::testing::Range(4, 32));

// As do Bayer's matrix, which has all of its power in few lines, and white noise, which is uneven.
TEST(SmallMasksOfOthers, MissTheGoals) {
  for (const int side : {8, 16, 31}) {
    MaskOptions options;
    options.size = {static_cast<double>(side), static_cast<double>(side)};
    options.bits = MaskBits::f32;
    Context context;
    if (side < 31) {
      options.method = MaskMethod::bayer;
      const QualityReport bayer = report_on(make_mask(options, context));
      EXPECT_GT(bayer.find("line")->value, 1.9 * bayer.find("line")->target.value().value);
    }
    options.method = MaskMethod::white;
    const QualityReport white = report_on(make_mask(options, context));
    for (const char* name : {"grey_1.5", "grey_2", "ramp1"}) {
      EXPECT_GT(white.find(name)->value, 1.3 * white.find(name)->target.value().value) << name;
    }
  }
}

// The first draw of a seed, the first good one, and the best of a few.
TEST(MaskCandidates, AreChosenFrom) {
  MaskOptions options;
  options.size = {16, 16};
  options.bits = MaskBits::f32;
  int first_misses = 0;
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    Context context;
    context.seed = seed;
    options.candidates = 1;
    const Image first = make_mask(options, context);
    options.candidates = 0;
    const Image chosen = make_mask(options, context);
    // Chosen ones have a thousandth to spare at most.
    double nearest = 0;
    for (const Measurement& m : report_on(first).measurements) {
      if (m.target) nearest = std::max(nearest, m.value / m.target->value);
    }
    const bool is_first = first.channels == chosen.channels;
    EXPECT_TRUE(nearest > 0.999 || is_first) << seed;
    EXPECT_FALSE(nearest > 1 && is_first) << seed;
    first_misses += is_first ? 0 : 1;
  }
  EXPECT_GT(first_misses, 0);
}

// Too small or narrow, or slices that share their ranks out: no goal is meant for these.
TEST(MaskQualityOfOthers, NamesNoGoals) {
  Image volume = mask_of(64, 128, 1);
  volume.slices = 2;
  for (const Image& mask : {mask_of(3, 3, 1), mask_of(4, 256, 1), volume}) {
    for (const Measurement& m : report_on(mask).measurements) EXPECT_FALSE(m.target) << m.name;
  }
}

// The document says the same goals as the figures.
TEST(MaskQualityInTheDocuments, HasTheSameGoals) {
  std::ifstream file(DAPPLE_SOURCE_FOLDER "/docs/quality.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // A row of the table for each of the ranges of sides, in its order.
  std::size_t at = text.find("| shorter side |");
  ASSERT_NE(at, std::string::npos);
  for (const int side : {24, 48, 64, 128}) {
    at = text.find("\n| " + std::to_string(side < 32 ? 4 : side == 48 ? 32 : side), at);
    ASSERT_NE(at, std::string::npos) << side;
    const std::string row = text.substr(at, text.find('\n', at + 1) - at);
    for (const Measurement& m : report_on(mask_of(side, side, 1)).measurements) {
      if (!m.target || m.name == "line") continue;
      const std::string goal =
          "`" + m.name + "` " + (m.target->at_most ? "<= " : ">= ") + shortest(m.target->value);
      EXPECT_NE(row.find(goal), std::string::npos) << goal << " of " << side;
    }
  }
}

// White noise meets none of them, so the goals can be missed.
TEST(MaskQualityOfNoise, MissesTheGoals) {
  MaskOptions options;
  options.method = MaskMethod::white;
  options.bits = MaskBits::f32;
  Context context;
  const QualityReport report = report_on(make_mask(options, context));
  for (const char* name : {"grey_1.5", "grey_2", "ramp1", "p32"}) {
    const Measurement& m = *report.find(name);
    EXPECT_GT(m.value, 2 * m.target.value().value) << name;
  }
  for (const char* name : {"d256", "d256_top"}) {
    const Measurement& m = *report.find(name);
    EXPECT_LT(m.value, 0.5 * m.target.value().value) << name;
  }
}

// ---- frames
// ---------------------------------------------------------------------------------------

Image frames_of(MaskMethod method, std::uint64_t seed) {
  MaskOptions options;
  options.size = {64, 64, 16};
  options.method = method;
  if (method == MaskMethod::void_and_cluster) options.kind = MaskKind::spatiotemporal;
  options.bits = MaskBits::f32;
  Context context;
  context.seed = seed;
  Image frames = make_mask(options, context);
  frames.volume = false;
  return frames;
}

TEST(MaskFrames, MeetTheGoalsOfTimeAndNoiseMissesThem) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const QualityReport even = report_on(frames_of(MaskMethod::void_and_cluster, seed));
    const QualityReport noise = report_on(frames_of(MaskMethod::white, seed));
    for (const char* name : {"time_10", "time_25", "product", "top_frames"}) {
      const Measurement& m = *even.find(name);
      ASSERT_TRUE(m.target) << name;
      EXPECT_TRUE(m.target->is_met_by(m.value)) << name << " " << m.value << ", seed " << seed;
      EXPECT_FALSE(m.target->is_met_by(noise.find(name)->value)) << name << " of noise";
    }
    EXPECT_NEAR(noise.find("time_25")->value, 1, 0.05);
    EXPECT_NEAR(noise.find("product")->value, 1, 0.1);
  }
}

class MaskVectorGoals : public ::testing::TestWithParam<MaskKind> {};

// Noise is the same vectors in another order.
TEST_P(MaskVectorGoals, AreMetAndNoiseMissesThem) {
  MaskOptions options;
  options.kind = GetParam();
  options.size = {32, 32, 8};
  for (const MaskBits bits : {MaskBits::f32, MaskBits::u8}) {
    options.bits = bits;
    Context context;
    const Image mask = make_mask(options, context);
    EXPECT_EQ(mask.slices, 8);
    Image noise = mask;
    const auto size = static_cast<std::uint32_t>(mask.channels[0].size());
    for (std::uint32_t i = size - 1; i > 0; --i) {
      const std::uint32_t j = Random(i, Stream::tests).below(i + 1);
      for (Plane<float>& plane : noise.channels) std::swap(plane.values()[i], plane.values()[j]);
    }
    const QualityReport good = report_on(mask);
    const QualityReport bad = report_on(noise);
    for (const char* name : {"vector_low", "vector_near", "vector_time"}) {
      const Measurement& m = *good.find(name);
      ASSERT_TRUE(m.target) << name;
      EXPECT_TRUE(m.target->is_met_by(m.value)) << name << " " << m.value;
      EXPECT_FALSE(m.target->is_met_by(bad.find(name)->value)) << name << " of noise";
    }
    EXPECT_NEAR(bad.find("vector_low")->value, 1, 0.25);
    EXPECT_NEAR(bad.find("vector_near")->value, 0, 0.05);
    EXPECT_EQ(good.find("grey_2"), nullptr);
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, MaskVectorGoals,
                         ::testing::Values(MaskKind::vector2, MaskKind::vector3, MaskKind::cosine));

// The published method is between the two: it is not the same engine under another name.
TEST(MaskQualityOfUlichney, IsThatOfOneGaussian) {
  MaskOptions options;
  options.size = {256, 256};
  options.method = MaskMethod::ulichney;
  options.sigma = 1.5;
  options.bits = MaskBits::f32;
  Context context;
  const QualityReport report = report_on(make_mask(options, context));
  EXPECT_NEAR(report.find("grey_1.5")->value, 4.015, 0.02);
  EXPECT_NEAR(report.find("grey_2")->value, 2.51, 0.02);
  EXPECT_NEAR(report.find("p32")->value, 0.105, 0.01);
  EXPECT_LT(report.find("d256")->value, 0.6);
}

// A texture is measured as a mask, as any picture is; no goal of masks is held against it. White
// noise is a mask, if a bad one.
TEST(MaskQualityOfPictures, IsNoneToBeHeldAgainstGoals) {
  Image picture;
  picture.names = {"Y"};
  picture.channels = {Plane<float>(64, 64)};
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      picture.channels[0](x, y) = static_cast<float>((x - 30) * (x - 30) + (y - 20) * (y - 20));
    }
  }
  const QualityReport report = report_on(picture);
  EXPECT_EQ(verdict_of(report), "");
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.front().find("no mask"), std::string::npos);
  std::mt19937 random(1);
  std::shuffle(picture.channels[0].values().begin(), picture.channels[0].values().end(), random);
  EXPECT_NE(verdict_of(report_on(picture)).find("p32"), std::string::npos);
}

Image shifted(const Image& mask, int dx, int dy) {
  Image result = mask;
  for (int y = 0; y < mask.height(); ++y) {
    for (int x = 0; x < mask.width(); ++x) {
      result.channels[0]((x + dx) % mask.width(), (y + dy) % mask.height()) =
          mask.channels[0](x, y);
    }
  }
  return result;
}

// The seam is nowhere: figures do not depend on where the torus was cut. A gradient and quarters
// have their places, so theirs are those of another cut.
TEST(MaskQualityOnTheTorus, DoesNotDependOnTheCut) {
  const Image mask = mask_of(128, 96, 7);
  const QualityReport plain = report_on(mask);
  const QualityReport moved = report_on(shifted(mask, 37, 11));
  const QualityReport lowered = report_on(shifted(mask, 0, 59));
  for (const Measurement& m : plain.measurements) {
    if (m.name == "width" || m.name == "height" || m.name == "top") continue;
    const bool ramp = m.name == "ramp1";
    EXPECT_NEAR(moved.find(m.name)->value, m.value, ramp ? 0.02 * m.value : 1e-4 + 1e-4 * m.value)
        << m.name;
    EXPECT_NEAR(lowered.find(m.name)->value, m.value, 1e-4 + 1e-4 * m.value) << m.name;
  }
}

}  // namespace
}  // namespace dapple
