// Pictures made ready: each step by itself, on pictures whose answer is known.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"

namespace dapple {
namespace {

template <class Value>
Image gray(int width, int height, const Value& value) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.channels[0](x, y) = static_cast<float>(value(x, y));
    }
  }
  return image;
}

std::pair<float, float> range_of(const Plane<float>& plane) {
  const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
  return {*low, *high};
}

Plane<float> prepared_gray(const Image& image, const PrepareOptions& options) {
  Context context;
  return prepared(image, options, context).channels[0];
}

TEST(Prepare, ContrastIsReadAndWritten) {
  for (const char* text : {"auto", "none", "1.5", "0", "0.25"}) {
    Contrast value;
    from_text(text, value);
    EXPECT_EQ(to_text(value), text);
  }
  Contrast value;
  from_text("1", value);
  EXPECT_EQ(to_text(value), "none");
  for (const char* text :
       {"", "Auto", "-1", "101", "2px", "3%", "nan", "inf", "1e400", "1.5 ", "2x", "0x1p2"}) {
    EXPECT_THROW(from_text(text, value), Error) << text;
  }
  EXPECT_EQ(value, Contrast{});
}

TEST(Prepare, AutomaticContrastLiftsTheDarkAndKeepsSkin) {
  PrepareOptions automatic;
  automatic.contrast.automatic = true;
  const Image flash = gray(100, 100, [](int x, int y) {
    if (y < 2) return y < 1 ? 0.0 : 1.0;
    return y > 80 && x > 40 ? 0.78 : 0.22;
  });
  const Plane<float> seen = prepared_gray(flash, automatic);
  EXPECT_GT(seen(10, 50), 0.33f);
  EXPECT_LT(seen(70, 90), 0.84f);  // a power alone would make it 0.86
  EXPECT_GT(seen(70, 90), 0.78f);
}

TEST(Prepare, AutomaticContrastStretchesADullPhotoAndLeavesAGoodOneAlone) {
  PrepareOptions automatic;
  automatic.contrast.automatic = true;
  const Image dull = gray(64, 64, [](int x, int) { return 0.45 + 0.2 * x / 63; });
  const auto [low, high] = range_of(prepared_gray(dull, automatic));
  EXPECT_NEAR(low, 0, 1e-3f);
  EXPECT_NEAR(high, 1, 1e-3f);
  const Image good = gray(64, 64, [](int x, int) { return x / 63.0; });
  EXPECT_EQ(prepared_gray(good, automatic), good.channels[0]);
  // An evening: its middle gets lighter, its black stays black.
  const auto lights = [](double rest) {
    return gray(64, 64,
                [=](int x, int y) { return y < 8 ? rest + (1 - rest) * x / 63 : rest * x / 63; });
  };
  const Image evening = lights(0.4);
  const Plane<float> seen = prepared_gray(evening, automatic);
  EXPECT_GT(seen(32, 32), 1.5f * evening.channels[0](32, 32));
  EXPECT_LT(seen(0, 32), 0.02f);
  // A night stays one, else its sky is a gray in which lights drown. These rise.
  const Image night = lights(0.1);
  const Plane<float> stars = prepared_gray(night, automatic);
  EXPECT_EQ(stars(32, 32), night.channels[0](32, 32));
  EXPECT_GT(stars(16, 4), 1.3f * night.channels[0](16, 4));
  EXPECT_EQ(stars(63, 4), 1);
  // A drawing: mostly paper.
  const Image drawing = gray(64, 64, [](int x, int) { return x % 16 == 0 ? 0.0 : 1.0; });
  EXPECT_EQ(prepared_gray(drawing, automatic), drawing.channels[0]);
  // One tone has no contrast to be had.
  const Image flat = gray(8, 8, [](int, int) { return 0.4; });
  EXPECT_EQ(prepared_gray(flat, automatic), flat.channels[0]);
}

// The transparent pixels of a cut-out do not count, and its palest spot is no paper.
TEST(Prepare, AutomaticContrastKeepsPaleSpots) {
  PrepareOptions automatic;
  automatic.contrast.automatic = true;
  Image spots = gray(80, 60, [](int x, int) { return x < 20 ? 0.1 : x < 40 ? 0.4 : 0.7; });
  spots.names = {"Y", "A"};
  spots.channels.emplace_back(80, 60);
  for (std::size_t i = 0; i < spots.channels[1].size(); ++i) {
    spots.channels[1].values()[i] = i % 80 < 60 ? 1.0f : 0.0f;
  }
  for (const float palest : {0.5f, 0.7f, 0.85f, 0.935f}) {
    for (int y = 0; y < 60; ++y) {
      for (int x = 40; x < 80; ++x) spots.channels[0](x, y) = x < 60 ? palest : 1.0f;
    }
    const Plane<float> seen = prepared_gray(spots, automatic);
    EXPECT_LT(seen(50, 30), 0.96f) << palest;
    EXPECT_GE(seen(50, 30), palest) << "not darker than it was";
    EXPECT_GT(seen(50, 30), seen(30, 30) + 0.1f) << palest;
  }
  // The paper around a drawing becomes white, however much there is.
  const Image scan =
      gray(80, 60, [](int x, int y) { return x > 20 && x < 40 && y > 20 && y < 40 ? 0.1 : 0.85; });
  EXPECT_GT(prepared_gray(scan, automatic)(2, 2), 0.999f);
}

TEST(Prepare, AutomaticContrastMakesNoPhotoOfMiddleGrayDark) {
  // One corner is far darker than all the rest, which is a little darker than white is light: to
  // stretch it makes a dark picture of a gray one.
  PrepareOptions automatic;
  automatic.contrast.automatic = true;
  const Image gray_wall = gray(100, 100, [](int x, int y) {
    return x + y < 20 ? 0.4 : x > 40 && x < 60 && y > 40 && y < 60 ? 0.95 : 0.54 + 0.0005 * x;
  });
  const Plane<float> seen = prepared_gray(gray_wall, automatic);
  EXPECT_NEAR(seen(80, 50), 0.5f, 0.05f);
  EXPECT_LT(seen(2, 2), 0.02f);
}

TEST(Prepare, AutomaticContrastBringsOutFaintDetail) {
  PrepareOptions automatic;
  automatic.contrast.automatic = true;
  // A gradient, so that black, white and the middle are as they should be, and a bark upon it.
  const auto bark = [](double height) {
    return gray(200, 200, [=](int x, int y) {
      return std::clamp(x / 199.0 + ((x + y) % 8 < 4 ? height : -height), 0.0, 1.0);
    });
  };
  const auto height = [](const Plane<float>& plane) {
    return plane(101, 99) - plane(105, 99) + 4 / 199.0f;
  };
  const Image faint = bark(0.005);
  EXPECT_GT(height(prepared_gray(faint, automatic)), 1.5f * height(faint.channels[0]));
  const Image rough = bark(0.03);
  EXPECT_EQ(prepared_gray(rough, automatic), rough.channels[0]);
}

TEST(Prepare, AFactorTurnsAboutMiddleGray) {
  PrepareOptions options;
  options.contrast.factor = 2;
  const Image image = gray(5, 1, [](int x, int) { return 0.3 + 0.1 * x; });
  const Plane<float> seen = prepared_gray(image, options);
  const float wanted[] = {0.1f, 0.3f, 0.5f, 0.7f, 0.9f};
  for (int x = 0; x < 5; ++x) EXPECT_NEAR(seen(x, 0), wanted[x], 1e-4f);
}

TEST(Prepare, DetailGrowsAndEdgesGetNoHalos) {
  // Fine bark of +-.03 on either side of a high edge.
  const auto value = [](int x, int y) {
    return (x < 100 ? 0.25 : 0.75) + ((x + y) % 4 < 2 ? 0.03 : -0.03);
  };
  const Image image = gray(200, 200, value);
  PrepareOptions options;
  options.detail = 1;
  const Plane<float> seen = prepared_gray(image, options);
  EXPECT_GT(std::abs(seen(50, 100) - seen(52, 100)), 0.1f);
  EXPECT_GT(std::abs(seen(150, 100) - seen(152, 100)), 0.1f);
  // Beside the edge the means stay: a blur of that reach would shift them by a quarter.
  for (const int x : {92, 104}) {
    double mean = 0;
    for (int i = 0; i < 4; ++i) mean += 0.25 * static_cast<double>(seen(x + i, 100));
    EXPECT_NEAR(mean, x < 100 ? 0.25 : 0.75, 0.05) << x;
  }
  EXPECT_EQ(prepared_gray(image, {}), image.channels[0]);
}

TEST(Prepare, SharpeningSteepensAndBlurSoftens) {
  const Image edge =
      gray(60, 20, [](int x, int) { return std::clamp(0.5 + 0.1 * (x - 29.5), 0.3, 0.7); });
  PrepareOptions sharp;
  sharp.sharpen = 1;
  const Plane<float> crisp = prepared_gray(edge, sharp);
  EXPECT_GT(crisp(32, 10) - crisp(27, 10), edge.channels[0](32, 10) - edge.channels[0](27, 10));
  EXPECT_NEAR(crisp(5, 10), 0.3f, 1e-4f);
  PrepareOptions soft;
  soft.blur = {3, Unit::px};
  const Plane<float> blurred = prepared_gray(edge, soft);
  EXPECT_LT(blurred(31, 10) - blurred(28, 10), edge.channels[0](31, 10) - edge.channels[0](28, 10));
}

TEST(Prepare, ScansGetWhitePaperAndLoseSpecks) {
  // Yellowed and lit from the left, with a line, a speck and grain.
  Random random(5, Stream::tests);
  Image scan = gray(
      300, 300, [&](int x, int) { return 0.85 - 0.2 * x / 300 + 0.02 * (random.uniform() - 0.5); });
  Plane<float>& values = scan.channels[0];
  for (int y = 40; y < 260; ++y) {
    for (int x = 150; x < 153; ++x) values(x, y) = 0.1f;
  }
  values(80, 80) = values(81, 80) = 0.2f;
  PrepareOptions options;
  options.clean = true;
  const Plane<float> clean = prepared_gray(scan, options);
  EXPECT_EQ(clean(80, 80), 1);
  EXPECT_EQ(clean(20, 150), 1);
  EXPECT_EQ(clean(280, 150), 1);
  EXPECT_LT(clean(151, 150), 0.2f);
  EXPECT_LT(clean(151, 41), 0.2f);
}

TEST(Prepare, MarginsOfScansAreEmpty) {
  // Coarse grain, darker toward the corners.
  Random random(6, Stream::tests);
  Image scan = gray(400, 400, [&](int x, int y) {
    const double far = ((x - 200) * (x - 200) + (y - 200) * (y - 200)) / 80000.0;
    const double grain = random.uniform() + random.uniform() + random.uniform() - 1.5;
    return 0.9 * (1 - 0.25 * far) + 0.04 * grain;
  });
  Plane<float>& values = scan.channels[0];
  const auto blot = [&](int x0, int y0, int side, float value) {
    for (int y = y0; y < y0 + side; ++y) {
      for (int x = x0; x < x0 + side; ++x) values(x, y) = value;
    }
  };
  // A drawing of a line and three dots; a lone dot, two dots of dust, and a faint stain.
  for (int y = 100; y < 300; ++y) values(200, y) = values(201, y) = 0.1f;
  for (const int x : {230, 250, 270}) blot(x, 200, 5, 0.15f);
  blot(60, 60, 5, 0.2f);
  for (const int x : {60, 80}) blot(x, 300, 5, 0.2f);
  blot(350, 100, 6, 0.74f);
  PrepareOptions options;
  options.clean = true;
  const Plane<float> clean = prepared_gray(scan, options);
  for (int y = 0; y < 400; ++y) {
    for (int x = 0; x < 400; ++x) {
      const bool line = std::abs(x - 200) < 4 && y > 97 && y < 303;
      const bool dots = x > 227 && x < 278 && std::abs(y - 202) < 6;
      if (!line && !dots) {
        ASSERT_EQ(clean(x, y), 1) << x << " " << y;
      }
    }
  }
  EXPECT_LT(clean(201, 200), 0.2f);
  for (const int x : {232, 252, 272}) EXPECT_LT(clean(x, 202), 0.3f);
}

TEST(Prepare, DarksOfPhotosAreNoGrain) {
  const Image photo =
      gray(96, 72, [](int x, int y) { return 0.5 + 0.35 * std::sin(0.3 * x) * std::cos(0.2 * y); });
  PrepareOptions options;
  options.clean = true;
  const Plane<float> clean = prepared_gray(photo, options);
  const auto values = clean.values();
  const auto dark = std::count_if(values.begin(), values.end(), [](float v) { return v < 0.5f; });
  EXPECT_GT(dark, 500);
}

TEST(Prepare, TonesOfAnotherPicture) {
  const Image wanted = gray(100, 1, [](int x, int) { return 0.2 + 0.3 * x / 99; });
  PrepareOptions options;
  options.tones_from.path = "other.png";
  options.tones_from.image = std::make_shared<const Image>(wanted);
  const Image image = gray(100, 100, [](int x, int) { return std::sqrt(x / 99.0); });
  const auto [low, high] = range_of(prepared_gray(image, options));
  EXPECT_NEAR(low, 0.2f, 0.01f);
  EXPECT_NEAR(high, 0.5f, 0.01f);
  const Plane<float> seen = prepared_gray(image, options);
  EXPECT_NEAR(seen(50, 50), 0.35f, 0.01f);
}

TEST(Prepare, ColorsKeepTheirHueAndLightItsMeaning) {
  Image image;
  image.names = {"R", "G", "B", "A"};
  image.channels = {Plane<float>(2, 1, 0.5f), Plane<float>(2, 1, 0.4f), Plane<float>(2, 1, 0.3f),
                    Plane<float>(2, 1, 1.0f)};
  PrepareOptions options;
  options.contrast.factor = 1.6;
  Context context;
  const Image seen = prepared(image, options, context);
  EXPECT_GT(seen.channels[0](0, 0), seen.channels[1](0, 0));
  EXPECT_GT(seen.channels[1](0, 0), seen.channels[2](0, 0));
  EXPECT_LT(seen.channels[1](0, 0), 0.4f);
  EXPECT_EQ(seen.channels[3], image.channels[3]);
  // Linear light is prepared as it is seen.
  Image light = gray(2, 1, [](int, int) { return srgb_to_linear(0.6f); });
  light.encoding = Encoding::linear;
  EXPECT_NEAR(linear_to_srgb(prepared(light, options, context).channels[0](0, 0)), 0.66f, 1e-3f);
}

// Whatever the channels are called, and whichever of them is read.
TEST(Prepare, TheChannelsThatAreReadArePrepared) {
  Image image;
  image.names = {"r", "g", "b"};
  for (const float factor : {0.2f, 0.3f, 0.4f}) {
    Plane<float>& plane = image.channels.emplace_back(64, 4);
    for (std::size_t i = 0; i < plane.size(); ++i) {
      plane.values()[i] = 0.4f + factor * static_cast<float>(i % 64) / 63;
    }
  }
  PrepareOptions options;
  options.contrast.automatic = true;
  Context context;
  Image capital = image;
  capital.names = {"R", "G", "B"};
  EXPECT_EQ(prepared(image, options, context).channels,
            prepared(capital, options, context).channels);
  MapOptions field;
  field.as = MapKind::density;
  field.prepare = options;
  for (const char* channel : {"r", "G", "2"}) {
    field.channel = channel;
    const auto [low, high] = range_of(target_density(image, field, context));
    EXPECT_NEAR(low, 0, 1e-3f) << channel;
    EXPECT_NEAR(high, 1, 1e-3f) << channel;
  }
  EXPECT_EQ(prepared(image, options, context, "b").channels[0], image.channels[0]);
  EXPECT_THROW(prepared(image, options, context, "depth"), Error);
}

// Numbers that are no light have the luminance that maps are read with.
TEST(Prepare, ColorsThatAreNoLightAreTakenAsTheyAre) {
  Image image;
  image.names = {"R", "G", "B"};
  image.encoding = Encoding::data;
  image.channels = {Plane<float>(1, 1, 0.7f), Plane<float>(1, 1, 0.3f), Plane<float>(1, 1, 0.5f)};
  MapOptions field;
  field.as = MapKind::density;
  Context context;
  const float plain = target_density(image, field, context)(0, 0);
  field.prepare.contrast.factor = 1.5;
  EXPECT_NEAR(target_density(image, field, context)(0, 0), 0.5f + 1.5f * (plain - 0.5f), 1e-4f);
}

// All that draws from pictures prepares them alike.
TEST(Prepare, FieldsAndDithersAreOfThePreparedPicture) {
  const Image image = gray(32, 32, [](int x, int) { return 0.4 + 0.2 * x / 31; });
  Context context;
  MapOptions field;
  field.prepare.contrast.automatic = true;
  const Image ready = prepared(image, field.prepare, context);
  EXPECT_EQ(target_density(image, field, context), target_density(ready, {}, context));
  DitherOptions dithered;
  dithered.prepare = field.prepare;
  EXPECT_EQ(dither(image, dithered, context).channels, dither(ready, {}, context).channels);
}

TEST(Prepare, SameBytesAtAnyThreadCount) {
  Random random(9, Stream::tests);
  const Image image = gray(157, 93, [&](int, int) { return random.uniform(); });
  PrepareOptions options;
  options.contrast.automatic = true;
  options.detail = 0.7;
  options.sharpen = 0.5;
  options.blur = {0.8, Unit::px};
  options.clean = true;
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  EXPECT_EQ(prepared(image, options, one).channels, prepared(image, options, seven).channels);
}

}  // namespace
}  // namespace dapple
