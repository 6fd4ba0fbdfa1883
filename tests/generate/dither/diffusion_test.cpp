// The ways to dither beside the plain mask: error diffusion, triangular noise, locked channels,
// alpha, frames, and masks of every kind.
#include <gtest/gtest.h>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dither_pictures.hpp"

namespace dapple {
namespace {

const std::vector<std::string> rgb{"R", "G", "B"};

DitherOptions by(DitherMethod method, int levels = 2) {
  DitherOptions options = small_options();
  options.method = method;
  options.levels = levels;
  const bool by_mask = method == DitherMethod::mask || method == DitherMethod::bayer;
  if (!by_mask) options.size = DitherOptions{}.size;
  return options;
}

std::string refused(const DitherOptions& options) {
  Context context;
  try {
    dither(flat(8, {0.5f}, {"Y"}), options, context);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

// ---- error diffusion ---------------------------------------------------------------------------

TEST(DitherDiffusion, KeepsTheLightOfFlatAreas) {
  Context context;
  for (const DitherMethod method :
       {DitherMethod::floyd_steinberg, DitherMethod::ostromoukhov, DitherMethod::jarvis,
        DitherMethod::stucki, DitherMethod::burkes, DitherMethod::sierra}) {
    for (const int levels : {2, 3, 16}) {
      for (int v = 0; v <= 255; v += 17) {
        const float value = static_cast<float>(v) / 255.0f;
        const Image out =
            dither(flat(128, {value}, {"Y"}, PixelType::u8), by(method, levels), context);
        // The last rows pass on to nothing: at most half a step per column and row.
        const double rows =
            static_cast<int>(method) < static_cast<int>(DitherMethod::jarvis) ? 1 : 2;
        EXPECT_NEAR(mean(out.channels[0], light), light(value), rows * 0.5 / 128)
            << levels << " " << v;
      }
    }
  }
}

// The parts of an error as papers print them: from two pixels behind to two ahead, in three rows.
struct Paper {
  DitherMethod method;
  double whole;
  std::array<double, 15> parts;
};

// The textbook's loop, in double, with every other row back or all rows to the right.
TEST(DitherDiffusion, EachKernelIsThePlainLoop) {
  constexpr int side = 40;
  constexpr std::array<Paper, 6> papers{{
      {DitherMethod::floyd_steinberg, 16, {0, 0, 0, 7, 0, 0, 3, 5, 1, 0}},
      {DitherMethod::jarvis, 48, {0, 0, 0, 7, 5, 3, 5, 7, 5, 3, 1, 3, 5, 3, 1}},
      {DitherMethod::stucki, 42, {0, 0, 0, 8, 4, 2, 4, 8, 4, 2, 1, 2, 4, 2, 1}},
      {DitherMethod::burkes, 32, {0, 0, 0, 8, 4, 2, 4, 8, 4, 2}},
      {DitherMethod::sierra, 32, {0, 0, 0, 5, 3, 2, 4, 5, 4, 2, 0, 2, 3, 2, 0}},
      {DitherMethod::atkinson, 8, {0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1}},
  }};
  Image image = flat(side, {0}, {"Y"});
  image.encoding = Encoding::data;
  Random random(3, Stream::tests);
  for (float& v : image.channels[0].values()) v = static_cast<float>(random.below(65)) / 64.0f;
  Context context;
  for (const Paper& paper : papers) {
    for (const bool serpentine : {true, false}) {
      DitherOptions options = by(paper.method);
      options.serpentine = serpentine;
      const Image out = dither(image, options, context);
      Plane<double> sum(side, side + 2);
      for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) sum(x, y) = static_cast<double>(image.channels[0](x, y));
      }
      int different = 0;
      for (int y = 0; y < side; ++y) {
        const int step = serpentine && y % 2 != 0 ? -1 : 1;
        for (int i = 0; i < side; ++i) {
          const int x = step > 0 ? i : side - 1 - i;
          // The program's choice is followed, so that a tie broken otherwise changes no more.
          const auto level = static_cast<double>(out.channels[0](x, y));
          different += level != (sum(x, y) >= 0.5 ? 1 : 0) && std::abs(sum(x, y) - 0.5) > 1e-4;
          for (int k = 0; k < 15; ++k) {
            int to = x + step * (k % 5 - 2);
            int down = k / 5;
            if (to < 0 || to >= side) to = x, down = std::max(1, down);
            sum(to, y + down) +=
                paper.parts.at(static_cast<std::size_t>(k)) / paper.whole * (sum(x, y) - level);
          }
        }
      }
      EXPECT_EQ(different, 0) << static_cast<int>(paper.method);
    }
  }
}

// Of a single bright row, what the first pixel of the next one gets tells the weights: at tone 64
// of 255 ahead : behind : below are 11 : 10 : 0, at 127 and 128 they are 4 : 1 : 1, and the tones
// are mirrored (Ostromoukhov 2001, Appendix I). Between 22 (3 : 2 : 1) and 32 (20 : 10 : 19) they
// run straight.
TEST(DitherDiffusion, OstromoukhovHasTheWeightsOfThePaper) {
  struct Row {
    int tone;
    double ahead, behind, below;
  };
  for (const Row& w :
       {Row{64, 11, 10, 0}, Row{127, 4, 1, 1}, Row{128, 4, 1, 1}, Row{191, 11, 10, 0},
        Row{10, 7, 3, 3}, Row{245, 7, 3, 3}, Row{72, 5, 7, 1}, Row{27, 267, 158, 163},
        Row{50, 53, 40, 19}, Row{112, 65, 32, 23}, Row{0, 13, 0, 5}}) {
    constexpr int width = 400;
    constexpr int height = 12;
    const double sum = w.ahead + w.behind + w.below;
    std::vector<std::vector<double>> values(height + 1, std::vector<double>(width, w.tone / 255.0));
    Image image = flat(1, {0}, {"Y"});
    image.channels[0] = Plane<float>(width, height, static_cast<float>(w.tone) / 255.0f);
    image.encoding = Encoding::data;
    Context context;
    const Image out = dither(image, by(DitherMethod::ostromoukhov), context);
    int different = 0;
    for (int y = 0; y < height; ++y) {
      const int step = y % 2 == 0 ? 1 : -1;
      for (int i = 0; i < width; ++i) {
        const int x = step > 0 ? i : width - 1 - i;
        const auto row = static_cast<std::size_t>(y);
        const double value = values[row][static_cast<std::size_t>(x)];
        // The program's choice is followed, so that a tie broken otherwise changes no more.
        const double level = static_cast<double>(out.channels[0](x, y));
        different += level != (value >= 0.5 ? 1 : 0) && std::abs(value - 0.5) > 1e-3;
        const auto give = [&](int to_x, std::size_t to_row, double part) {
          if (to_x < 0 || to_x >= width) to_x = x, to_row = row + 1;
          values[to_row][static_cast<std::size_t>(to_x)] += part / sum * (value - level);
        };
        give(x + step, row, w.ahead);
        give(x - step, row + 1, w.behind);
        give(x, row + 1, w.below);
      }
    }
    EXPECT_EQ(different, 0) << w.tone;
  }
}

TEST(DitherDiffusion, PalettesKeepTheirMeans) {
  Context context;
  for (const DitherMethod method : {DitherMethod::floyd_steinberg, DitherMethod::ostromoukhov}) {
    for (const bool perceptual : {true, false}) {
      DitherOptions options = by(method);
      options.palette.path = "#000,#f00,#0f0,#00f,#ff0,#0ff,#f0f,#fff,#808080";
      options.mixing = DitherMixing::light;
      options.perceptual = perceptual;
      Random random(8, Stream::tests);
      for (int round = 0; round < 6; ++round) {
        std::vector<float> color;
        for (int k = 0; k < 3; ++k) color.push_back(static_cast<float>(random.uniform()));
        const Image out = dither(flat(128, color, rgb), options, context);
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(mean(out.channels[k], light), light(color[k]), 0.02) << perceptual;
        }
      }
    }
  }
}

TEST(DitherDiffusion, NothingPassesThroughHiddenPixels) {
  Context context;
  Image image = flat(32, {0.6f, 1.0f}, {"Y", "A"});
  for (int y = 0; y < 32; ++y) image.channels[1](15, y) = 0;
  const Image all = dither(image, by(DitherMethod::floyd_steinberg), context);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 15; ++x) image.channels[0](x, y) = 0.1f;  // left of the hidden column
  }
  const Image other = dither(image, by(DitherMethod::floyd_steinberg), context);
  for (int y = 0; y < 32; ++y) {
    for (int x = 16; x < 32; ++x) ASSERT_EQ(all.channels[0](x, y), other.channels[0](x, y));
  }
}

TEST(DitherDiffusion, WithoutStrengthTakesTheNearest) {
  Context context;
  DitherOptions options = by(DitherMethod::floyd_steinberg, 4);
  options.strength = 0;
  const Image out = dither(flat(32, {0.6f}, {"Y"}), options, context);
  for (const float v : out.channels[0].values()) ASSERT_EQ(v, 170 / 255.0f);
}

// ---- noise -------------------------------------------------------------------------------------

// A level for each threshold of a mask, by counting: means to a fiftieth of a level all over a
// gradient, and a variance that does not follow the signal.
TEST(DitherNoise, TriangularHasTheRightMeanAndOneVariance) {
  Context context;
  Image image = flat(64, {0}, {"Y"}, PixelType::u16);
  image.encoding = Encoding::data;
  DitherOptions options = small_options();
  options.levels = 256;
  options.noise = DitherNoise::triangular;
  for (int step = 0; step <= 64; ++step) {
    // 65536ths round level 100, and at both ends.
    for (const double base : {0.0, 100.0, 254.0}) {
      const double wanted = base + step / 64.0;
      const float value = std::round(static_cast<float>(wanted / 255 * 65535)) / 65535.0f;
      for (float& v : image.channels[0].values()) v = value;
      const Image out = dither(image, options, context);
      const double level = mean(out.channels[0], [](double v) { return v * 255; });
      EXPECT_NEAR(level, static_cast<double>(value) * 255, 0.02) << wanted;
      const double square =
          mean(out.channels[0], [&](double v) { return (v * 255 - level) * (v * 255 - level); });
      if (wanted >= 1 && wanted <= 254) {
        EXPECT_NEAR(square, 0.25, 0.005) << wanted;
      } else {
        EXPECT_LE(square, 0.26) << wanted;
      }
    }
  }
}

TEST(DitherNoise, GradientsOfLightKeepTheirMeansEverywhere) {
  Context context;
  for (const DitherNoise noise : {DitherNoise::uniform, DitherNoise::triangular}) {
    for (const int levels : {2, 5, 256}) {
      DitherOptions options = small_options();
      options.levels = levels;
      options.noise = noise;
      for (int i = 0; i <= 40; ++i) {
        const float value = static_cast<float>(i) / 40.0f;
        const Image out = dither(flat(64, {value}, {"Y"}), options, context);
        EXPECT_NEAR(mean(out.channels[0], light), light(value),
                    1.2 / 4096 * (levels > 99 ? 0.1 : 1))
            << levels << " " << value;
      }
    }
  }
}

TEST(DitherNoise, UniformVariesWithTheSignal) {
  Context context;
  Image image = flat(64, {100 / 255.0f}, {"Y"});
  image.encoding = Encoding::data;
  DitherOptions options = small_options();
  options.levels = 256;
  const auto kinds = [&] {
    const Image out = dither(image, options, context);
    const auto values = out.channels[0].values();
    return std::set<float>(values.begin(), values.end()).size();
  };
  EXPECT_EQ(kinds(), 1u);
  options.noise = DitherNoise::triangular;
  EXPECT_EQ(kinds(), 3u);
}

TEST(DitherNoise, SaysWhatItDoesNotGoWith) {
  DitherOptions options = small_options();
  options.noise = DitherNoise::triangular;
  EXPECT_EQ(refused(options), "");
  options.palette.path = "#000,#fff";
  const auto says = [&](const char* option, const char* other) {
    const std::string why = refused(options);
    EXPECT_NE(why.find(option), std::string::npos) << why;
    EXPECT_NE(why.find(other), std::string::npos) << why;
  };
  says("noise", "`palette");
  options = by(DitherMethod::ostromoukhov);
  options.noise = DitherNoise::triangular;
  says("noise", "`method ostromoukhov`");
  options = by(DitherMethod::bayer);
  take_mask(options, flat(4, {0.5f}, {"Y"}));
  says("mask", "`method bayer`");
  options = small_options();
  options.palette.path = "#000,#fff";
  options.colors = 4;
  says("colours", "`palette");
}

// ---- channels, alpha ---------------------------------------------------------------------------

TEST(DitherChannels, LockedOnesRiseTogether) {
  Context context;
  DitherOptions options = small_options();
  const Image gray = flat(64, {0.6f, 0.6f, 0.6f}, rgb);
  EXPECT_NE(dither(gray, options, context).channels[0], dither(gray, options, context).channels[1]);
  options.channels = DitherChannels::locked;
  const Image out = dither(gray, options, context);
  EXPECT_EQ(out.channels[0], out.channels[1]);
  EXPECT_EQ(out.channels[0], out.channels[2]);
  // A mask of three channels too.
  MaskOptions three;
  three.size = {32, 32};
  three.channels = 3;
  take_mask(options, make_mask(three, context));
  const Image by_file = dither(gray, options, context);
  EXPECT_EQ(by_file.channels[0], by_file.channels[2]);
}

TEST(DitherChannels, BayerIsTheClassicalMatrix) {
  // 2x2: thresholds 1/8, 5/8 / 7/8, 3/8, for all channels.
  DitherOptions options = by(DitherMethod::bayer);
  options.size = {2, 2};
  Context context;
  for (const double share : {0.0, 0.2, 0.3, 0.45, 0.55, 0.7, 0.8, 0.95, 1.0}) {
    Image image = flat(4, {0, 0, 0}, rgb);
    image.encoding = Encoding::linear;
    for (auto& plane : image.channels) {
      for (float& v : plane.values()) v = static_cast<float>(share);
    }
    const Image out = dither(image, options, context);
    double bright = 0;
    for (const double t : {0.125, 0.375, 0.625, 0.875}) bright += t < share ? 0.25 : 0;
    for (const auto& plane : out.channels) EXPECT_EQ(mean(plane, light), bright) << share;
    EXPECT_EQ(out.channels[0], out.channels[1]);
    // Diagonal neighbors first.
    if (share == 0.45) {
      EXPECT_EQ(out.channels[0](0, 0), out.channels[0](1, 1));
    }
  }
}

TEST(DitherAlpha, BecomesZeroAndOneWhereAsked) {
  Context context;
  Image image = flat(64, {0.3f, 0.4f, 0.5f, 0.3f}, {"R", "G", "B", "A"});
  for (const DitherMethod method : {DitherMethod::mask, DitherMethod::floyd_steinberg}) {
    DitherOptions options = by(method);
    EXPECT_EQ(dither(image, options, context).channels[3], image.channels[3]);
    options.alpha = DitherAlpha::threshold;
    const Image cut = dither(image, options, context);
    for (const float a : cut.channels[3].values()) ASSERT_EQ(a, 0);
    options.alpha = DitherAlpha::dither;
    const Image out = dither(image, options, context);
    EXPECT_NEAR(mean(out.channels[3], [](double a) { return a; }), 0.3, 0.01);
    for (const float a : out.channels[3].values()) ASSERT_TRUE(a == 0 || a == 1);
    // Not the same pixels as one of the colors, and hidden ones are one color.
    EXPECT_NE(out.channels[3], out.channels[0]);
    options.palette.path = "#102030,#fff,#f00";
    const Image indexed = dither(image, options, context);
    for (std::size_t i = 0; i < 64 * 64; ++i) {
      if (indexed.channels[3].values()[i] > 0) continue;
      ASSERT_EQ(indexed.channels[0].values()[i], 0x10 / 255.0f);
      ASSERT_EQ(indexed.channels[2].values()[i], 0x30 / 255.0f);
    }
  }
}

// ---- frames ------------------------------------------------------------------------------------

Image frames_of(int count, int side, float value) {
  Image image = flat(side, {value}, {"Y"});
  image.channels[0] = Plane<float>(side, side * count, value);
  image.slices = count;
  return image;
}

Plane<float> frame(const Image& image, int index) {
  Plane<float> part(image.width(), image.slice_height());
  for (int y = 0; y < part.height(); ++y) {
    for (int x = 0; x < part.width(); ++x) {
      part(x, y) = image.channels[0](x, index * part.height() + y);
    }
  }
  return part;
}

TEST(DitherFrames, MeetTheSlicesOfTheirMask) {
  Context context;
  const Image animation = frames_of(5, 16, 0.6f);
  // Two slices of 8 x 8: the first passes nothing, the second everything.
  Image mask = flat(8, {0}, {"Y"});
  mask.channels[0] = Plane<float>(8, 16, 1.0f);
  for (int y = 8; y < 16; ++y) {
    for (int x = 0; x < 8; ++x) mask.channels[0](x, y) = 0;
  }
  mask.slices = 2;
  DitherOptions options;
  options.mask.image = std::make_shared<const Image>(mask);
  const Image out = dither(animation, options, context);
  EXPECT_EQ(out.slices, 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(mean(frame(out, i), [](double v) { return v; }), i % 2) << i;
  }
}

TEST(DitherFrames, AMaskMadeOnTheSpotChangesFromFrameToFrame) {
  Context context;
  for (const char* palette : {"", "#000,#fff"}) {
    DitherOptions options = small_options();
    options.palette.path = palette;
    const Image out = dither(frames_of(4, 64, 0.6f), options, context);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(mean(frame(out, i), light), light(0.6), 2e-3);
      if (i > 0) {
        EXPECT_NE(frame(out, i), frame(out, i - 1));
      }
    }
    options.method = DitherMethod::bayer;
    const Image still = dither(frames_of(2, 64, 0.6f), options, context);
    EXPECT_EQ(frame(still, 0), frame(still, 1));
  }
}

TEST(DitherFrames, DiffusionBeginsAnew) {
  Context context;
  for (const char* palette : {"", "#000,#fff"}) {
    DitherOptions options = by(DitherMethod::ostromoukhov);
    options.palette.path = palette;
    const Image out = dither(frames_of(3, 15, 0.6f), options, context);
    EXPECT_EQ(frame(out, 0), frame(out, 2));
    EXPECT_EQ(frame(out, 0), frame(dither(frames_of(1, 15, 0.6f), options, context), 0));
  }
}

// ---- masks of every kind -----------------------------------------------------------------------

TEST(DitherMask, OfAnyKindIsAccepted) {
  Context context;
  const Image image = flat(60, {0.6f, 0.5f, 0.4f}, rgb);
  const auto with = [&](Image mask) {
    DitherOptions options;
    options.mask.image = std::make_shared<const Image>(std::move(mask));
    const std::size_t before = context.warnings().size();
    const Image out = dither(image, options, context);
    for (const auto& plane : out.channels) {
      for (const float v : plane.values()) EXPECT_TRUE(v == 0 || v == 1);
    }
    return context.warnings().size() - before;
  };
  Random random(2, Stream::tests);
  const auto noise = [&](int width, int height, std::size_t channels, PixelType type) {
    Image mask;
    mask.type = type;
    const auto steps = type == PixelType::u8 ? 256u : 65536u;
    for (std::size_t c = 0; c < channels; ++c) {
      Plane<float> plane(width, height);
      // Repeated ranks, as 8 bits of more than 256 pixels have, in no order.
      for (float& v : plane.values()) {
        v = static_cast<float>(random.below(steps)) / static_cast<float>(steps - 1);
      }
      mask.channels.push_back(std::move(plane));
      mask.names.push_back(c == 0 ? "Y" : std::to_string(c));
    }
    return mask;
  };
  EXPECT_EQ(with(noise(97, 61, 1, PixelType::u8)), 0u);
  EXPECT_EQ(with(noise(97, 61, 2, PixelType::u16)), 0u);
  EXPECT_EQ(with(noise(100, 50, 4, PixelType::f32)), 0u);
  Image half = noise(64, 64, 1, PixelType::u8);  // as 7 bits in a file of 8
  for (float& v : half.channels[0].values()) v *= 0.5f;
  EXPECT_EQ(with(half), 1u);
  Image one = flat(1, {0.5f}, {"Y"});
  with(one);
}

TEST(DitherWays, ThreadsDoNotMatter) {
  Image image = flat(90, {0, 0, 0, 0}, {"R", "G", "B", "A"});
  Random random(1, Stream::tests);
  for (Plane<float>& plane : image.channels) {
    for (float& v : plane.values()) v = static_cast<float>(random.uniform());
  }
  image.slices = 3;
  for (const DitherMethod method : {DitherMethod::floyd_steinberg, DitherMethod::bayer}) {
    for (const int colors : {0, 12}) {
      DitherOptions options = by(method);
      options.colors = colors;
      options.alpha = DitherAlpha::dither;
      std::vector<Image> results;
      for (const int threads : {1, 2, 7}) {
        Context context;
        context.threads = threads;
        results.push_back(dither(image, options, context));
      }
      EXPECT_EQ(results[0].channels, results[1].channels);
      EXPECT_EQ(results[0].channels, results[2].channels);
      EXPECT_EQ(results[0].hints.palette, results[2].hints.palette);
    }
  }
}

}  // namespace
}  // namespace dapple
