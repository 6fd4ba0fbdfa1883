// What an image asks for, against the definitions in double; and the fields made of it.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"

namespace dapple {
namespace {

// IEC 61966-2-1, in double.
double decode_srgb(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double encode(double v) {
  return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}
double luminance(double r, double g, double b) {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

Image make_image(int width, int height, std::vector<std::string> names, Encoding encoding,
                 std::uint64_t seed = 1) {
  Image image;
  image.encoding = encoding;
  Random random(seed, Stream::tests);
  for (std::size_t c = 0; c < names.size(); ++c) {
    image.channels.emplace_back(width, height);
    for (float& v : image.channels.back().values()) v = static_cast<float>(random.uniform());
  }
  image.names = std::move(names);
  return image;
}

Image gray(std::vector<float> row, Encoding encoding = Encoding::srgb) {
  Image image;
  image.encoding = encoding;
  image.names = {"Y"};
  image.channels.emplace_back(static_cast<int>(row.size()), 1);
  std::copy(row.begin(), row.end(), image.channels[0].values().begin());
  return image;
}

std::vector<float> demand(const Image& image, const MapOptions& options) {
  Context context;
  const Plane<float> plane = target_density(image, options, context);
  return {plane.values().begin(), plane.values().end()};
}

std::string failure(const std::function<void()>& run, ErrorKind kind) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Demand, DarknessOfColors) {
  for (const Encoding encoding : {Encoding::srgb, Encoding::linear}) {
    const Image image = make_image(31, 17, {"R", "G", "B"}, encoding);
    for (const Tone tone : {Tone::perceptual, Tone::linear}) {
      MapOptions options;
      options.as = MapKind::tone;
      options.tone = tone;
      const std::vector<float> found = demand(image, options);
      for (std::size_t i = 0; i < found.size(); ++i) {
        double rgb[3];
        for (std::size_t c = 0; c < 3; ++c) {
          const double v = static_cast<double>(image.channels[c].values()[i]);
          rgb[c] = encoding == Encoding::srgb ? decode_srgb(v) : v;
        }
        const double y = luminance(rgb[0], rgb[1], rgb[2]);
        const double expected = 1 - (tone == Tone::perceptual ? encode(y) : y);
        ASSERT_NEAR(static_cast<double>(found[i]), expected, 2e-6);
      }
    }
  }
}

TEST(Demand, GrayIsReadExactly) {
  const Image image = gray({0.0f, 0.25f, 0.7f, 1.0f});
  MapOptions options;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.25f, 0.7f, 1.0f}));
  options.as = MapKind::tone;
  EXPECT_EQ(demand(image, options), (std::vector<float>{1.0f, 0.75f, 1 - 0.7f, 0.0f}));
  options.invert = true;
  EXPECT_EQ(demand(image, options)[3], 1.0f);
  EXPECT_EQ(demand(image, options)[0], 0.0f);
}

TEST(Demand, WhiteInColorIsExactlyNothing) {
  Image image = make_image(2, 2, {"R", "G", "B"}, Encoding::srgb);
  for (Plane<float>& plane : image.channels) plane = Plane<float>(2, 2, 1.0f);
  MapOptions options;
  options.as = MapKind::tone;
  for (const float v : demand(image, options)) EXPECT_EQ(v, 0.0f);
}

TEST(Demand, LevelsAndGamma) {
  const Image image = gray({0.1f, 0.2f, 0.5f, 0.8f, 0.9f});
  MapOptions options;
  options.black = 0.2;
  options.white = 0.8;
  options.gamma = 2;
  const std::vector<float> found = demand(image, options);
  const double expected[] = {0, 0, std::sqrt(0.5), 1, 1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(static_cast<double>(found[i]), expected[i], 1e-6);
  options.white = 0.2;
  expect_contains(failure([&] { demand(image, options); }, ErrorKind::usage), "`invert");
}

TEST(Demand, ValuesAboveOne) {
  const Image image = gray({0.5f, 3.0f}, Encoding::linear);
  MapOptions options;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.5f, 3.0f}));
  options.invert = true;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.5f, 0.0f}));
  options.invert = false;
  options.as = MapKind::tone;
  options.tone = Tone::linear;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.5f, 0.0f}));
  options.as = MapKind::radius;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.5f, 1.0f}));
}

TEST(Demand, WeightsScaleAndGrayChangesNothing) {
  const Image image = gray({0.25f, 0.5f, 0.75f, 1.0f}, Encoding::linear);
  MapOptions options;
  options.weight.path = "weight";
  Image weight = gray({0.5f, 0.5f, 0.5f, 0.5f}, Encoding::linear);
  options.weight.image = std::make_shared<const Image>(weight);
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.25f, 0.5f, 0.75f, 1.0f}));
  options.weight.image =
      std::make_shared<const Image>(gray({0.0f, 1.0f, 0.75f, 0.25f}, Encoding::linear));
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 1.0f, 1.125f, 0.5f}));
  // Ink covers no more than all of the paper.
  options.as = MapKind::tone;
  options.tone = Tone::linear;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 1.0f, 0.375f, 0.0f}));
  options.as = MapKind::radius;
  expect_contains(failure([&] { demand(image, options); }, ErrorKind::usage), "weight");
}

TEST(Demand, AlphaIsCoverage) {
  Image image = make_image(3, 1, {"Y", "A"}, Encoding::srgb);
  image.channels[0] = Plane<float>(3, 1, 0.25f);
  image.channels[1](0, 0) = 0;
  image.channels[1](1, 0) = 0.5f;
  image.channels[1](2, 0) = 1;
  MapOptions options;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.125f, 0.25f}));
  options.as = MapKind::tone;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.375f, 0.75f}));
  options.invert = true;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.125f, 0.25f}));
  options.invert = false;
  options.as = MapKind::radius;
  EXPECT_EQ(demand(image, options), (std::vector<float>{-1.0f, 0.25f, 0.25f}));
  options.as = MapKind::density;
  options.channel = "a";
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.5f, 1.0f}));
}

TEST(Demand, Channels) {
  const Image image = make_image(4, 4, {"R", "G", "B", "A", "F1"}, Encoding::linear);
  MapOptions options;
  const auto is_channel = [&](std::size_t c, bool times_alpha) {
    const std::vector<float> found = demand(image, options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const float a = times_alpha ? image.channels[3].values()[i] : 1.0f;
      if (found[i] != image.channels[c].values()[i] * a) return false;
    }
    return true;
  };
  options.channel = "g";
  EXPECT_TRUE(is_channel(1, true));
  options.channel = "2";
  EXPECT_TRUE(is_channel(2, true));
  options.channel = "f1";
  EXPECT_TRUE(is_channel(4, true));
  options.channel = "3";
  EXPECT_TRUE(is_channel(3, false));
  for (const char* wrong : {"5", "-1", "depth"}) {
    options.channel = wrong;
    expect_contains(failure([&] { demand(image, options); }, ErrorKind::input), "R, G, B, A, F1");
  }
  const Image layers = make_image(2, 2, {"F1", "F2"}, Encoding::data);
  options.channel = "luminance";
  expect_contains(failure([&] { demand(layers, options); }, ErrorKind::input), "`channel");
  options.channel = "r";
  EXPECT_EQ(demand(gray({0.5f}), options)[0], 0.5f);
}

TEST(Demand, WhiteCutoff) {
  const Image image = gray({0.0f, 0.89f, 0.9f, 0.95f});
  MapOptions options;
  options.as = MapKind::tone;
  options.white_cutoff = 0.9;
  const std::vector<float> found = demand(image, options);
  EXPECT_GT(found[1], 0);
  EXPECT_EQ(found[2], 0);
  EXPECT_EQ(found[3], 0);
}

TEST(Demand, Masks) {
  auto mask = std::make_shared<Image>(gray({0.0f, 0.5f, 1.0f, 1.0f}));
  const Image image = gray({0.8f, 0.8f, 0.8f, 0.8f});
  MapOptions options;
  options.mask.image = mask;
  EXPECT_EQ(demand(image, options), (std::vector<float>{0.0f, 0.4f, 0.8f, 0.8f}));
  options.as = MapKind::radius;
  EXPECT_EQ(demand(image, options), (std::vector<float>{-1.0f, 0.8f, 0.8f, 0.8f}));
  // Another shape is a mistake; another size is not.
  options.as = MapKind::density;
  expect_contains(
      failure([&] { demand(make_image(4, 2, {"Y"}, Encoding::srgb), options); }, ErrorKind::input),
      "4x1");
  Image big = make_image(64, 16, {"Y"}, Encoding::srgb);
  big.channels[0] = Plane<float>(64, 16, 1.0f);
  const std::vector<float> found = demand(big, options);
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(found[63], 1);
  EXPECT_NEAR(static_cast<double>(found[24]), 0.5 + 0.5 / 32, 1e-6);  // between two mask pixels
}

TEST(Demand, ReducedMasksKeepTheirMean) {
  auto mask = std::make_shared<Image>(make_image(400, 300, {"Y"}, Encoding::srgb));
  Image image = make_image(40, 30, {"Y"}, Encoding::srgb);
  image.channels[0] = Plane<float>(40, 30, 1.0f);
  MapOptions options;
  options.mask.image = mask;
  double mean = 0;
  for (const float v : demand(image, options)) {
    EXPECT_NEAR(static_cast<double>(v), 0.5, 0.12);  // 400 random values a pixel
    mean += static_cast<double>(v) / 1200;
  }
  double expected = 0;
  for (const float v : mask->channels[0].values()) expected += static_cast<double>(v) / 120000;
  EXPECT_NEAR(mean, expected, 0.003);
}

TEST(Demand, UnusableValuesAreNamed) {
  const float bad[] = {std::nanf(""), std::numeric_limits<float>::infinity(), -0.25f};
  const char* says[] = {"NaN", "infinite", "-0.25"};
  for (std::size_t i = 0; i < 3; ++i) {
    Image image = make_image(5, 4, {"R", "G", "B"}, Encoding::linear);
    image.channels[1](3, 2) = bad[i];
    image.channels[0](4, 3) = bad[i];
    MapOptions options;
    const std::string message = failure([&] { demand(image, options); }, ErrorKind::input);
    expect_contains(message, says[i]);
    expect_contains(message, "channel G");
    expect_contains(message, "x = 3, y = 2");
    expect_contains(message, "`nan zero");
    options.nan = NanPolicy::zero;
    const std::vector<float> found = demand(image, options);
    EXPECT_NEAR(static_cast<double>(found[13]),
                luminance(static_cast<double>(image.channels[0](3, 2)), 0,
                          static_cast<double>(image.channels[2](3, 2))),
                1e-6);
    // A channel that is not read may hold anything.
    options.nan = NanPolicy::error;
    options.channel = "b";
    demand(image, options);
  }
}

TEST(Demand, ThreadsDoNotMatter) {
  const Image image = make_image(70, 300, {"R", "G", "B", "A"}, Encoding::srgb);
  MapOptions options;
  options.as = MapKind::tone;
  options.gamma = 1.3;
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  EXPECT_EQ(target_density(image, options, one), target_density(image, options, seven));
}

DensityField field_of(const Image& image, const FieldOptions& options, std::int64_t count = 1000) {
  Context context;
  return make_field(image, options, false, {static_cast<double>(image.height()), 0}, count,
                    context);
}

TEST(MakeField, RadiusAtFullDemand) {
  const Image image = gray({1.0f, 0.25f, 0.01f});
  FieldOptions options;
  options.slope.reset();
  from_text("3", options.radius);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(image, options).radius({0.5, 0.5})), 3);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(image, options).radius({1.5, 0.5})), 6);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(image, options).radius({2.5, 0.5})), 30);
  from_text("3:10", options.radius);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(image, options).radius({2.5, 0.5})), 10);
  // Densities above 1 are relative: the densest place has the smallest radius.
  const Image bright = gray({4.0f, 1.0f}, Encoding::linear);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(bright, options).radius({0.5, 0.5})), 3);
  EXPECT_FLOAT_EQ(static_cast<float>(field_of(bright, options).radius({1.5, 0.5})), 6);
}

TEST(MakeField, RadiusMap) {
  const Image image = gray({0.0f, 0.5f, 1.0f});
  FieldOptions options;
  options.map.as = MapKind::radius;
  options.slope.reset();
  expect_contains(failure([&] { field_of(image, options); }, ErrorKind::usage), "`radius");
  from_text("2:10", options.radius);
  const DensityField field = field_of(image, options);
  EXPECT_EQ(field.radius({0.5, 0.5}), 2);
  EXPECT_EQ(field.radius({1.5, 0.5}), 6);
  EXPECT_EQ(field.radius({2.5, 0.5}), 10);
}

TEST(MakeField, CountsAreExpectedWithAndWithoutLimits) {
  const Image image = make_image(60, 40, {"Y"}, Encoding::srgb);
  for (const std::optional<double> slope : {std::optional<double>(), std::optional<double>(0.2)}) {
    FieldOptions options;
    options.slope = slope;
    for (const std::int64_t count : {100, 5000}) {
      options.count = count;
      EXPECT_NEAR(0.6966 * field_of(image, options, 7).integral(), static_cast<double>(count),
                  0.02 * static_cast<double>(count));
      options.count = 0;
      EXPECT_NEAR(0.6966 * field_of(image, options, count).integral(), static_cast<double>(count),
                  0.02 * static_cast<double>(count));
    }
  }
  FieldOptions both;
  both.count = 10;
  from_text("3", both.radius);
  failure([&] { field_of(image, both); }, ErrorKind::usage);
}

TEST(MakeField, NothingToPlace) {
  FieldOptions options;
  options.map.as = MapKind::tone;
  const std::string white = failure(
      [&] {
        field_of(gray({1.0f, 1.0f}), options);
      },
      ErrorKind::input);
  expect_contains(white, "nothing to place");
  expect_contains(white, "`invert");
  options.map.as = MapKind::density;
  expect_contains(failure(
                      [&] {
                        field_of(gray({0.0f, 0.0f}), options);
                      },
                      ErrorKind::input),
                  "nothing to place");
  options.map.as = MapKind::radius;
  from_text("1:2", options.radius);
  options.map.mask.image = std::make_shared<Image>(gray({0.0f, 0.0f}));
  expect_contains(failure(
                      [&] {
                        field_of(gray({0.5f, 0.0f}), options);
                      },
                      ErrorKind::input),
                  "nothing to place");
}

TEST(MakeField, ConstantFields) {
  const Domain domain{300, 200, true};
  FieldOptions options;
  const DensityField by_default = make_constant_field(domain, options, {200, 0}, 500);
  EXPECT_NEAR(0.6966 * by_default.integral(), 500, 0.01);
  options.count = 60;
  EXPECT_NEAR(0.6966 * make_constant_field(domain, options, {200, 0}, 500).integral(), 60, 0.01);
  options.count = 0;
  from_text("2%", options.radius);
  EXPECT_EQ(make_constant_field(domain, options, {200, 0}, 500).radius({1, 1}), 4);
  from_text("2:4", options.radius);
  failure([&] { make_constant_field(domain, options, {200, 0}, 500); }, ErrorKind::usage);
}

TEST(FieldOptions, DescribedByTheirDefaults) {
  FieldOptions options;
  OptionList list;
  describe(options, list);
  for (const char* name : {"as", "tone", "invert", "channel", "black", "white", "gamma", "mask",
                           "white-cutoff", "nan", "radius", "count", "slope"}) {
    ASSERT_NE(list.find(name), nullptr) << name;
  }
  list.find("slope")->set("none");
  EXPECT_FALSE(options.slope.has_value());
  list.find("as")->set("tone");
  EXPECT_EQ(options.map.as, MapKind::tone);
  EXPECT_THROW(list.find("gamma")->set("0"), Error);
}

}  // namespace
}  // namespace dapple
