// Means of dithered areas, palettes, and what is said about bad ones.
#include "dapple/dither.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "generate/dither_palette.hpp"

namespace dapple {
namespace {

double light(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Image flat(int side, std::vector<float> colour, std::vector<std::string> names,
           PixelType type = PixelType::f32) {
  Image image;
  image.names = std::move(names);
  image.type = type;
  for (const float v : colour) image.channels.emplace_back(side, side, v);
  return image;
}

template <class F>
double mean(const Plane<float>& plane, F f) {
  double sum = 0;
  for (const float v : plane.values()) sum += f(v);
  return sum / static_cast<double>(plane.size());
}

DitherOptions small_options() {
  DitherOptions options;
  options.size = {64, 64};
  return options;
}

TextInput text(std::string content, std::string path = "colours.gpl") {
  return {std::move(path), std::make_shared<const std::string>(std::move(content))};
}

std::string message_of(const TextInput& palette) {
  try {
    palette::parse(palette);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

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
  const Image grey = flat(64, {0.6f, 0.6f, 0.6f}, {"R", "G", "B"});
  MaskOptions one;
  one.size = {64, 64};
  one.bits = MaskBits::f32;
  Image mask = make_mask(one, context);
  DitherOptions options = small_options();
  const double own = noise(dither(grey, options, context));
  options.mask.image = std::make_shared<const Image>(mask);
  const double shifted = noise(dither(grey, options, context));
  mask.names = {"R", "G", "B"};
  mask.channels.resize(3, mask.channels[0]);
  options.mask.image = std::make_shared<const Image>(mask);
  const double same = noise(dither(grey, options, context));
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

TEST(Dither, GreyIsLuminanceAndAlphaStays) {
  Context context;
  DitherOptions options = small_options();
  options.grey = true;
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
  options.mask.image = std::make_shared<const Image>(mask);
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

// ---- palettes
// ------------------------------------------------------------------------------------

TEST(Palette, ReadsItsThreeForms) {
  const std::vector<palette::Rgb8> expected{{255, 136, 0}, {0, 0, 17}};
  EXPECT_EQ(palette::parse({"#f80,#000011,#FF8800", nullptr}), expected);
  EXPECT_EQ(palette::parse(text("ff8800\r\n; dark\n\n#000011")), expected);
  EXPECT_EQ(palette::parse(text("GIMP Palette\nName: two\nColumns: 2\n# warm\n255 136   0\torange\n"
                                "  0   0  17\n255 136 0 again\n")),
            expected);
}

TEST(Palette, SaysWhereItIsWrong) {
  EXPECT_NE(message_of({"#f80,red", nullptr}).find("colour 2"), std::string::npos);
  EXPECT_NE(message_of({"#f80,", nullptr}).find("colour 2"), std::string::npos);
  EXPECT_NE(message_of({"#f80", nullptr}).find("has 1"), std::string::npos);
  const std::string gimp = message_of(text("GIMP Palette\n#\n1 2 3 ok\n1 2 300 big\n"));
  EXPECT_NE(gimp.find("line 4"), std::string::npos) << gimp;
  EXPECT_NE(gimp.find("colours.gpl"), std::string::npos) << gimp;
  EXPECT_NE(message_of(text("GIMP Palette\n1 2\n")).find("line 2"), std::string::npos);
  EXPECT_NE(message_of(text("ff8800\n12345\n")).find("line 2"), std::string::npos);
  EXPECT_NE(message_of(text("")).find("has 0"), std::string::npos);
  std::string many;
  for (int i = 0; i < 257; ++i) {
    many += "#" + std::to_string(100000 + i) + "\n";
  }
  EXPECT_NE(message_of(text(many)).find("257"), std::string::npos);
}

TEST(Palette, ItsOwnColoursStayPure) {
  Context context;
  DitherOptions options = small_options();
  options.palette.path = "#0f380f,#306230,#8bac0f,#9bbc0f,#ffffff,#ff0000,#777777";
  for (const palette::Rgb8 c : palette::parse(options.palette)) {
    std::vector<float> colour;
    for (const std::uint8_t v : c) colour.push_back(static_cast<float>(v) / 255.0f);
    const Image out = dither(flat(64, colour, {"R", "G", "B"}), options, context);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const float v : out.channels[k].values()) ASSERT_EQ(v, colour[k]);
    }
  }
}

TEST(Palette, MeansAreRightWhereTheyCanBeMixed) {
  Random random(5, Stream::tests);
  Context context;
  for (int round = 0; round < 12; ++round) {
    DitherOptions options = small_options();
    std::string list;
    std::vector<std::array<double, 3>> colours;
    const int count = 4 + round;
    std::array<double, 3> wanted{};
    double total = 0;
    for (int i = 0; i < count; ++i) {
      const double share = random.uniform();
      total += share;
      list += list.empty() ? "#" : ",#";
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t v = random.below(256);
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x", v);
        list += hex;
        wanted[static_cast<std::size_t>(k)] += share * light(v / 255.0);
      }
    }
    options.palette.path = list;
    Image image = flat(64, {0, 0, 0}, {"R", "G", "B"});
    image.encoding = Encoding::linear;
    for (std::size_t k = 0; k < 3; ++k) {
      for (float& v : image.channels[k].values()) v = static_cast<float>(wanted[k] / total);
    }
    const Image out = dither(image, options, context);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(mean(out.channels[k], light), wanted[k] / total, 5.0 / 4096) << list;
    }
  }
}

// The nearest mean: no colour of the palette lies on the far side of it (the variational
// inequality of a projection onto a convex hull).
TEST(Palette, WhatItCannotMixIsTheNearest) {
  const auto place = [](double r, double g, double b) {
    const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return std::array<double, 3>{y, 0.5 * (r - y), 0.5 * (b - y)};
  };
  Random random(6, Stream::tests);
  for (int round = 0; round < 300; ++round) {
    std::vector<palette::Rgb8> colours;
    for (int i = 0; i < 2 + round % 20; ++i) {
      palette::Rgb8 c;
      for (std::uint8_t& v : c) v = static_cast<std::uint8_t>(random.below(256));
      colours.push_back(c);
    }
    const palette::Mixer mixer(colours, true);
    const palette::Rgb wanted{random.uniform(), random.uniform(), random.uniform()};
    // With and without a guess, which may be far off.
    const palette::Mixture guess = mixer.mix({random.uniform(), 0, random.uniform()});
    const palette::Mixture mixture = mixer.mix(wanted, round % 2 ? guess : palette::Mixture{});
    const auto target = place(light(wanted[0]), light(wanted[1]), light(wanted[2]));
    std::array<double, 3> reached{};
    double sum = 0;
    const auto place_of = [&](int i) {
      const palette::Rgb8 c = mixer.colours()[static_cast<std::size_t>(i)];
      return place(light(c[0] / 255.0), light(c[1] / 255.0), light(c[2] / 255.0));
    };
    EXPECT_LE(mixture.count, 4);
    for (int i = 0; i < mixture.count; ++i) {
      const palette::Part part = mixture.parts[static_cast<std::size_t>(i)];
      EXPECT_GE(part.weight, 0);
      sum += part.weight;
      for (std::size_t k = 0; k < 3; ++k) reached[k] += part.weight * place_of(part.colour)[k];
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    for (int i = 0; i < static_cast<int>(colours.size()); ++i) {
      double slope = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        slope += (place_of(i)[k] - reached[k]) * (reached[k] - target[k]);
      }
      EXPECT_GT(slope, -5e-5);
    }
  }
}

TEST(Palette, MixesNeighboursNotExtremes) {
  const palette::Mixer mixer({{0, 0, 0}, {85, 85, 85}, {170, 170, 170}, {255, 255, 255}}, true);
  for (const double v : {0.1, 0.4, 0.5, 0.6, 0.9}) {
    const palette::Mixture mixture = mixer.mix({v, v, v});
    ASSERT_EQ(mixture.count, 2) << v;
    EXPECT_EQ(mixture.parts[0].colour, static_cast<int>(v * 3));
    EXPECT_EQ(mixture.parts[1].colour, static_cast<int>(v * 3) + 1);
  }
}

}  // namespace
}  // namespace dapple
