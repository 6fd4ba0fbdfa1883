// Means of dithered areas, palettes, and what is said about bad ones.
#include "dapple/dither.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dither_pictures.hpp"

namespace dapple {
namespace {

TEST(Dither, KeepsTheLightOfFlatAreas) {
  Context context;
  for (const int levels : {2, 3, 4, 16, 200}) {
    DitherOptions options = small_options();
    options.levels = levels;
    for (int v = 0; v <= 255; v += 15) {
      for (const PixelType type : {PixelType::u8, PixelType::f32}) {
        const float value = static_cast<float>(v) / 255.0f;
        const Image out = dither(flat(64, {value}, {"Y"}, type), options, context);
        EXPECT_NEAR(mean(out.channels[0], light), light(value), 1.1 / 4096) << levels << " " << v;
      }
    }
  }
}

// ---- sizes --------------------------------------------------------------------------------------

struct SizeCase {
  int width, height;
  Size fit, cover;
  int result_width, result_height;
};

TEST(DitherSize, IsTheOneAskedFor) {
  Context context;
  for (const SizeCase& c : {SizeCase{0, 0, {}, {}, 60, 40},
                            {30, 0, {}, {}, 30, 20},
                            {0, 100, {}, {}, 150, 100},
                            {7, 90, {}, {}, 7, 90},
                            {0, 0, {50, 50}, {}, 50, 33},
                            {0, 0, {300, 80}, {}, 120, 80},
                            {0, 0, {}, {50, 50}, 50, 50},
                            {0, 0, {}, {33, 91}, 33, 91},
                            {1, 0, {}, {}, 1, 1}}) {
    DitherOptions options = small_options();
    options.width = c.width;
    options.height = c.height;
    options.fit = c.fit;
    options.cover = c.cover;
    Image image = flat(1, {0, 0.5f}, {"Y", "A"});
    for (Plane<float>& plane : image.channels) plane = Plane<float>(60, 80, plane(0, 0));
    image.slices = 2;
    const Image out = dither(image, options, context);
    EXPECT_EQ(out.width(), c.result_width);
    EXPECT_EQ(out.slice_height(), c.result_height);
    EXPECT_EQ(out.slices, 2);
    EXPECT_NEAR(out.channels[1](0, 0), 0.5, 1e-6);
  }
}

// Halves of a checkerboard of pixels have half the light, and transparent pixels add no color.
TEST(DitherSize, KeepsLightAndColorsOfWhatIsSeen) {
  Context context;
  DitherOptions options = small_options();
  options.width = 32;
  options.levels = 256;
  options.strength = 0;
  Image image = flat(64, {0, 0, 0, 1}, {"R", "G", "B", "A"});
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      image.channels[0](x, y) = (x + y) % 2 == 0 ? 1.0f : 0.0f;
      image.channels[2](x, y) = x % 2 == 0 ? 1.0f : 0.25f;
      image.channels[3](x, y) = x % 2 == 0 ? 0.0f : 1.0f;
    }
  }
  const Image out = dither(image, options, context);
  EXPECT_NEAR(light(out.channels[0](16, 16)), 0.5, 0.005);
  EXPECT_NEAR(out.channels[2](16, 16), 0.25, 0.003);
  EXPECT_NEAR(out.channels[3](16, 16), 0.5, 0.003);
}

TEST(DitherSize, CoverCutsBothEndsAlike) {
  Context context;
  DitherOptions options = small_options();
  options.cover = {20, 20};
  Image image = flat(1, {0}, {"Y"});
  image.channels[0] = Plane<float>(100, 20);
  for (int y = 0; y < 20; ++y) {
    for (int x = 40; x < 60; ++x) image.channels[0](x, y) = 1;
  }
  const Image out = dither(image, options, context);
  for (const float v : out.channels[0].values()) EXPECT_EQ(v, 1.0f);
}

// Rows of all frames are more than an int counts.
TEST(DitherSize, OfAllFramesIsLimited) {
  Context context;
  DitherOptions options = small_options();
  options.width = 1;
  options.height = 1 << 20;
  Image image = flat(1, {0}, {"Y"});
  image.slices = 4096;
  image.channels[0] = Plane<float>(1, image.slices);
  try {
    dither(image, options, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit) << error.what();
  }
}

TEST(DitherSize, NamesThePixelThatIsNoNumber) {
  Context context;
  DitherOptions options = small_options();
  options.width = 3;
  Image image = flat(6, {0}, {"Y"}, PixelType::f32);
  image.channels[0](4, 2) = std::numeric_limits<float>::quiet_NaN();
  try {
    dither(image, options, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("pixel 4,2"), std::string::npos) << error.what();
  }
}

TEST(DitherDevice, IsToldItsOwnColors) {
  Context context;
  DitherOptions options = small_options();
  options.palette.path = "#202020,#d0d0c0,#a03020";
  const Image seen = dither(flat(32, {0.5f, 0.4f, 0.3f}, {"R", "G", "B"}), options, context);
  options.device_palette.path = "black,white,red";
  const Image told = dither(flat(32, {0.5f, 0.4f, 0.3f}, {"R", "G", "B"}), options, context);
  using Colors = std::vector<std::array<std::uint8_t, 3>>;
  EXPECT_EQ(told.hints.palette, (Colors{{0, 0, 0}, {255, 255, 255}, {255, 0, 0}}));
  const auto at = [](const Image& image, std::size_t i) {
    std::array<std::uint8_t, 3> color{};
    for (std::size_t c = 0; c < 3; ++c) {
      color.at(c) = static_cast<std::uint8_t>(std::lround(image.channels[c].values()[i] * 255));
    }
    return std::find(image.hints.palette.begin(), image.hints.palette.end(), color) -
           image.hints.palette.begin();
  };
  std::set<std::ptrdiff_t> used;
  for (std::size_t i = 0; i < 32 * 32; ++i) {
    ASSERT_EQ(at(told, i), at(seen, i));
    used.insert(at(told, i));
  }
  EXPECT_EQ(used, (std::set<std::ptrdiff_t>{0, 1, 2}));
  options.device_palette.path = "black,white";
  EXPECT_THROW(dither(flat(4, {0}, {"Y"}), options, context), Error);
}

// ---- means --------------------------------------------------------------------------------------

TEST(Dither, KeepsEncodedMeansWhereAsked) {
  Context context;
  DitherOptions options = small_options();
  options.linear = false;
  for (const float value : {0.0f, 0.1f, 0.5f, 0.77f, 1.0f}) {
    const Image out = dither(flat(64, {value}, {"Y"}), options, context);
    EXPECT_NEAR(mean(out.channels[0], [](double v) { return v; }), value, 1.1 / 4096);
  }
}

TEST(Dither, WritesTheLevelsAndNoOthers) {
  Context context;
  DitherOptions options = small_options();
  options.levels = 3;
  Image ramp = flat(64, {0, 0, 0}, {"R", "G", "B"});
  for (Plane<float>& plane : ramp.channels) {
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) plane(x, y) = static_cast<float>(x * 1.4 / 63 - 0.2);
    }
  }
  const Image out = dither(ramp, options, context);
  EXPECT_EQ(out.type, PixelType::u8);
  EXPECT_EQ(out.names, ramp.names);
  std::set<long> values;
  for (const Plane<float>& plane : out.channels) {
    for (const float v : plane.values()) values.insert(std::lround(v * 255));
    // Below black and above white are black and white.
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 9; ++x) EXPECT_EQ(plane(x, y), 0.0f);
      for (int x = 54; x < 64; ++x) EXPECT_EQ(plane(x, y), 1.0f);
    }
  }
  EXPECT_EQ(values, (std::set<long>{0, 128, 255}));
  // Channels do not rise and fall together.
  EXPECT_NE(out.channels[0], out.channels[1]);
  EXPECT_NE(out.channels[1], out.channels[2]);
}

TEST(Dither, OwnMasksMakeLuminanceQuieter) {
  const auto noise = [](const Image& out) {
    double sum = 0;
    double squares = 0;
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        const double v = 0.2126 * light(out.channels[0](x, y)) +
                         0.7152 * light(out.channels[1](x, y)) +
                         0.0722 * light(out.channels[2](x, y));
        sum += v;
        squares += v * v;
      }
    }
    return squares / 4096 - sum * sum / 4096 / 4096;
  };
  Context context;
  const Image gray = flat(64, {0.6f, 0.6f, 0.6f}, {"R", "G", "B"});
  MaskOptions one;
  one.size = {64, 64};
  one.bits = MaskBits::f32;
  Image mask = make_mask(one, context);
  DitherOptions options = small_options();
  const double own = noise(dither(gray, options, context));
  take_mask(options, mask);
  const double shifted = noise(dither(gray, options, context));
  mask.names = {"R", "G", "B"};
  mask.channels.resize(3, mask.channels[0]);
  take_mask(options, mask);
  const double same = noise(dither(gray, options, context));
  // Powers of independent channels add up: by the squares of their weights.
  const double expected = 0.2126 * 0.2126 + 0.7152 * 0.7152 + 0.0722 * 0.0722;
  EXPECT_NEAR(own / same, expected, 0.03);
  EXPECT_NEAR(shifted / same, expected, 0.03);
}

TEST(Dither, LinearImagesMeanLight) {
  Context context;
  Image image = flat(64, {0.25f}, {"Y"});
  image.encoding = Encoding::linear;
  const Image out = dither(image, small_options(), context);
  EXPECT_NEAR(mean(out.channels[0], light), 0.25, 1.1 / 4096);
  EXPECT_EQ(out.encoding, Encoding::srgb);
}

TEST(Dither, GrayIsLuminanceAndAlphaStays) {
  Context context;
  DitherOptions options = small_options();
  options.gray = true;
  Image image = flat(64, {1.0f, 0.5f, 0.0f, 0.3f}, {"R", "G", "B", "A"});
  image.channels[3](5, 6) = 0.7f;
  const Image out = dither(image, options, context);
  ASSERT_EQ(out.names, (std::vector<std::string>{"Y", "A"}));
  EXPECT_NEAR(mean(out.channels[0], light), 0.2126 + 0.7152 * light(0.5), 1.1 / 4096);
  EXPECT_EQ(out.channels[1], image.channels[3]);
}

TEST(Dither, WithoutStrengthTakesTheNearest) {
  Context context;
  DitherOptions options = small_options();
  options.strength = 0;
  options.levels = 3;
  for (const float value : {0.0f, 0.2f, 0.4f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f}) {
    double nearest = 0;
    for (const double level : {128 / 255.0, 1.0}) {
      if (std::abs(light(level) - light(value)) < std::abs(light(nearest) - light(value))) {
        nearest = level;
      }
    }
    const Image out = dither(flat(64, {value}, {"Y"}), options, context);
    for (const float v : out.channels[0].values()) ASSERT_EQ(v, static_cast<float>(nearest));
  }
  options = small_options();
  options.strength = 0;
  options.palette.path = "#000,#f00,#0f0,#00f,#fff";
  const Image out = dither(flat(64, {0.8f, 0.1f, 0.2f}, {"R", "G", "B"}), options, context);
  for (const float v : out.channels[0].values()) ASSERT_EQ(v, 1.0f);
  for (const float v : out.channels[1].values()) ASSERT_EQ(v, 0.0f);
}

TEST(Dither, EightBitMasksHaveUnbiasedThresholds) {
  // Every value once: the share that passes is round(share * 256).
  Image mask = flat(16, {0}, {"Y"}, PixelType::u8);
  for (int i = 0; i < 256; ++i) {
    mask.channels[0].values()[static_cast<std::size_t>(i)] = static_cast<float>(i * 77 % 256) / 255;
  }
  DitherOptions options;
  options.mask = {"mask.png", std::make_shared<const Image>(mask)};
  Context context;
  for (int v = 0; v < 256; ++v) {
    const float value = static_cast<float>(v) / 255.0f;
    const Image out = dither(flat(16, {value}, {"Y"}, PixelType::u8), options, context);
    EXPECT_NEAR(mean(out.channels[0], light) * 256, light(value) * 256, 0.5001) << v;
  }
  EXPECT_TRUE(context.warnings().empty());
  for (float& v : mask.channels[0].values()) v *= 0.5f;
  take_mask(options, mask);
  dither(flat(4, {0.5f}, {"Y"}), options, context);
  EXPECT_EQ(context.warnings().size(), 1u);
}

TEST(Dither, ThreadsDoNotMatter) {
  Image image = flat(100, {0, 0, 0}, {"R", "G", "B"});
  Random random(1, Stream::tests);
  for (Plane<float>& plane : image.channels) {
    for (float& v : plane.values()) v = static_cast<float>(random.uniform());
  }
  for (const char* palette : {"", "#000,#f80,#08f,#fff,#3a5"}) {
    DitherOptions options = small_options();
    options.palette.path = palette;
    std::vector<Image> results;
    for (const int threads : {1, 2, 7}) {
      Context context;
      context.threads = threads;
      results.push_back(dither(image, options, context));
    }
    EXPECT_EQ(results[0].channels, results[1].channels);
    EXPECT_EQ(results[0].channels, results[2].channels);
  }
}

TEST(Dither, NotANumberIsNamed) {
  Image image = flat(8, {0.5f}, {"Y"});
  image.channels[0](3, 2) = std::nanf("");
  Context context;
  try {
    dither(image, small_options(), context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("3,2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(dither(Image{}, small_options(), context), Error);
}

}  // namespace
}  // namespace dapple
