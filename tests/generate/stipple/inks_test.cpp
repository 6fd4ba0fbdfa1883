// Stipplings of several inks, and dots of which every first part is a stippling.
#include "generate/stipple/inks.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

using test::figure;
using test::picture;
using test::scene;
using test::tone_field;

constexpr double pi = std::numbers::pi;

// A wash of colors that the three inks and the paper mix: every window has the mean it should.
TEST(Stipple, InksMixToTheColorsOfThePicture) {
  const std::array<std::array<float, 3>, 4> light{
      {{1, 1, 1}, {0.8f, 0, 0}, {0, 0.1f, 0.7f}, {0, 0, 0}}};
  const auto parts = [](double x, double y) {
    return std::array<double, 4>{1 - 0.35 * x - 0.3 * y - 0.05, 0.35 * x, 0.3 * y, 0.05};
  };
  Image image;
  image.names = {"R", "G", "B"};
  image.encoding = Encoding::linear;
  image.type = PixelType::f32;
  for (std::size_t c = 0; c < 3; ++c) {
    Plane<float>& plane = image.channels.emplace_back(200, 160);
    for (int y = 0; y < 160; ++y) {
      for (int x = 0; x < 200; ++x) {
        const auto w = parts((x + 0.5) / 200, (y + 0.5) / 160);
        for (std::size_t k = 0; k < 4; ++k) {
          plane(x, y) += static_cast<float>(w.at(k)) * light.at(k).at(c);
        }
      }
    }
  }
  const auto hex = [&](std::size_t k) {
    std::string text = "#";
    for (const float v : light.at(k)) {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<std::size_t>(std::lround(linear_to_srgb(v) * 255.0f));
      text += digits[byte / 16];
      text += digits[byte % 16];
    }
    return text;
  };
  StippleOptions options;
  options.dots = 4000;
  options.ink.path = hex(1) + "," + hex(2) + ",black";
  PictureOptions field = tone_field();
  field.tone = Tone::linear;
  Context context;
  const Stippling made = stipple(image, field, options, context);
  ASSERT_EQ(made.drawing.layers.size(), 3u);
  EXPECT_EQ(made.drawing.layers[0].name, "1 " + hex(1));
  EXPECT_EQ(made.drawing.layers[2].name, "3 black");
  validate(made.dots);
  EXPECT_TRUE(std::is_sorted(made.dots.class_id.begin(), made.dots.class_id.end()));
  const double dot = pi * std::pow(static_cast<double>(made.dots.radius[0]), 2);
  double squares = 0;
  for (int v = 0; v < 4; ++v) {
    for (int u = 0; u < 5; ++u) {
      // What the picture has of each light, less what paper and dots give.
      std::array<double, 3> missing{-1, -1, -1};
      for (int y = 40 * v; y < 40 * v + 40; ++y) {
        for (int x = 40 * u; x < 40 * u + 40; ++x) {
          for (std::size_t c = 0; c < 3; ++c) {
            missing.at(c) += static_cast<double>(image.channels[c](x, y)) / 1600;
          }
        }
      }
      for (std::size_t i = 0; i < made.dots.size(); ++i) {
        if (static_cast<int>(made.dots.x[i]) / 40 != u) continue;
        if (static_cast<int>(made.dots.y[i]) / 40 != v) continue;
        const auto& ink = light.at(static_cast<std::size_t>(made.dots.class_id[i]) + 1);
        for (std::size_t c = 0; c < 3; ++c) {
          missing.at(c) += dot / 1600 * (1 - static_cast<double>(ink.at(c)));
        }
      }
      for (const double m : missing) squares += m * m / 60;
    }
  }
  // A dot more or less in a window is .002.
  EXPECT_LT(std::sqrt(squares), 0.012);

  // A palette file: paper is no ink.
  options.ink = {"pens.gpl", std::make_shared<const std::string>(
                                 "GIMP Palette\n255 255 255 paper\n200 30 30 red\n0 0 0 black\n")};
  const Stippling two = stipple(image, field, options, context);
  ASSERT_EQ(two.drawing.layers.size(), 2u);
  EXPECT_EQ(two.drawing.layers[0].color, "#c81e1e");
  // Layers are named as the palette names its colors, unless two have one name.
  EXPECT_EQ(two.drawing.layers[0].ink, "red");
  EXPECT_EQ(two.drawing.layers[1].ink, "black");
  options.ink.text = std::make_shared<const std::string>(
      "GIMP Palette\nChannels: RGBA\n200 30 30 255 pen\n0 0 0 255 pen\n0 0 200 255 Deep Blue\n");
  const Stippling three = stipple(image, field, options, context);
  ASSERT_EQ(three.drawing.layers.size(), 3u);
  EXPECT_EQ(three.drawing.layers[0].ink, "#c81e1e");
  EXPECT_EQ(three.drawing.layers[1].ink, "#000000");
  EXPECT_EQ(three.drawing.layers[2].ink, "Deep Blue");
  options.ink.text = nullptr;
  options.ink.path = "lab(50 0 0),black";
  const Stippling measured = stipple(image, field, options, context);
  EXPECT_EQ(measured.drawing.layers[0].ink, "lab(50 0 0)");
  EXPECT_EQ(measured.drawing.layers[0].color, "#777777");

  for (const char* wrong : {"red,red", "red,white", "red,,blue", "red,blau"}) {
    options.ink.path = wrong;
    EXPECT_THROW(stipple(image, field, options, context), Error) << wrong;
  }
}

// Returns the mean light of the middle of a stippling of upright stripes, white and of one color.
std::array<double, 3> light_from_afar(const std::string& inks, std::array<float, 3> light,
                                      int stripe = 0) {
  constexpr int side = 120;
  Image image;
  image.names = {"R", "G", "B"};
  image.encoding = Encoding::linear;
  image.type = PixelType::f32;
  for (std::size_t c = 0; c < 3; ++c) {
    Plane<float>& plane = image.channels.emplace_back(side, side, light.at(c));
    for (int i = 0; stripe > 0 && i < side * side; ++i) {
      if (i / stripe % 2 == 0) plane(i % side, i / side) = 1;
    }
  }
  StippleOptions options;
  options.dots = 1500;
  options.ink.path = inks;
  PictureOptions field = tone_field();
  field.tone = Tone::linear;
  Context context;
  const Image drawn =
      rasterize(stipple(image, field, options, context).drawing, 5 * side, 5 * side, context);
  std::array<double, 3> mean{};
  for (int y = side; y < 4 * side; ++y) {
    for (int x = side; x < 4 * side; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        mean.at(c) += static_cast<double>(srgb_to_linear(drawn.channels.at(c)(x, y)));
      }
    }
  }
  for (double& v : mean) v /= 9.0 * side * side;
  return mean;
}

TEST(Stipple, InksAllowForOverlaps) {
  // Dots that cover 0.9 of the paper overlap. Without more of them, it would be 0.85.
  const auto gray = light_from_afar("#ff0000,#00ff00,#0000ff", {0.4f, 0.4f, 0.4f});
  for (const double v : gray) EXPECT_NEAR(v, 0.4, 0.025);
}

// Gray inks cannot make stripes black, so the white stripes between them have to be darker. Without
// that, the mean is 0.605.
TEST(Stipple, LightThatInksCannotMixGoesToTheNeighborhood) {
  const auto gray = light_from_afar("#7f8080,#807f80", {0, 0, 0}, 4);
  for (const double v : gray) EXPECT_NEAR(v, 0.5, 0.06);
}

// Returns a picture of cyan on the left, and of magenta on the right.
Image halves(int width, int height) {
  Image image;
  image.names = {"R", "G", "B"};
  image.channels = {Plane<float>(width, height), Plane<float>(width, height),
                    Plane<float>(width, height, 0.8f)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.channels[x < width / 2 ? 1 : 0](x, y) = 0.8f;
  }
  return image;
}

TEST(Stipple, SeparationsOfFewDotsReadFewerPixels) {
  Context context;
  const std::vector<stippling::Ink> inks = stippling::parse_inks({"#00cccc,#cc00cc"}, "white");
  for (const Tone tone : {Tone::perceptual, Tone::linear}) {
    PictureOptions field = tone_field();
    field.tone = tone;
    const auto made = stippling::separate(halves(400, 320), field, inks, "white",
                                          {40, tone == Tone::linear}, context);
    EXPECT_EQ(made.darkness.width(), 400);
    EXPECT_EQ(made.darkness.height(), 320);
    EXPECT_EQ(made.parts.at(0).width(), 100);
    EXPECT_EQ(made.parts.at(0).height(), 80);
    EXPECT_NEAR(made.parts[0](20, 40), 1, 0.05);
    EXPECT_NEAR(made.parts[1](80, 40), 1, 0.05);
    EXPECT_NEAR(made.darkness(80, 160), 1, 0.1);
    const auto whole = stippling::separate(halves(400, 320), field, inks, "white",
                                           {9, tone == Tone::linear}, context);
    EXPECT_EQ(whole.parts.at(0).width(), 400);
    EXPECT_NEAR(whole.darkness(80, 160), made.darkness(80, 160), 0.005);
  }
}

// Each way to place dots finds the colors of the picture at its dots.
TEST(Stipple, FewDotsOfManyPixelsHaveTheirColors) {
  Context context;
  const Image image = halves(400, 320);
  const auto expect_halves = [&](const Stippling& made, const std::string& what) {
    EXPECT_EQ(made.dots.size(), 300u) << what;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < made.dots.size(); ++i) {
      wrong += made.dots.class_id[i] != (made.dots.x[i] < 0.5 * made.dots.domain.width ? 0 : 1);
    }
    EXPECT_LE(wrong, 6u) << what;
  };
  StippleOptions options;
  options.dots = 300;
  options.ink.path = "#00cccc,#cc00cc";
  for (const StippleMethod method : {StippleMethod::kernel, StippleMethod::voronoi,
                                     StippleMethod::lbg, StippleMethod::poisson}) {
    options.method = method;
    expect_halves(stipple(image, tone_field(), options, context),
                  "method " + std::to_string(static_cast<int>(method)));
  }
  options.method = StippleMethod::kernel;
  expect_halves(StippleSequence(tone_field(), options).next(image, context), "sequence");
  options.frame = FrameEdge::fitted;
  expect_halves(stipple(image, tone_field(), options, context), "fitted frame");
  options.frame = FrameEdge::cut;
  expect_halves(stipple(halves(1000, 40), tone_field(), options, context), "narrow");
  options.paper.width = 200;
  options.paper.height = 300;
  options.paper.unit = Unit::mm;
  options.fit = PaperFit::cover;
  expect_halves(stipple(image, tone_field(), options, context), "cover");
}

// First parts of a progressive stippling, larger by what is missing, against as many dots at
// random.
TEST(Stipple, ProgressiveDotsAreAStipplingFromTheFirstOn) {
  StippleOptions options;
  options.dots = 4000;
  options.progressive = true;
  Context context;
  const Stippling made = stipple(scene(), tone_field(), options, context);
  for (std::size_t i = 0; i < 4000; ++i) {
    ASSERT_EQ(made.dots.rank.at(i), static_cast<std::int32_t>(i));
  }
  const auto first = [&](std::size_t count, std::size_t step) {
    Points part;
    part.domain = made.dots.domain;
    for (std::size_t i = 0; i < count; ++i) part.add(made.dots[i * step % 4000], 1);
    return analyze_stippling(part, made.darkness, context);
  };
  for (const std::size_t count : {250u, 500u, 1000u, 1500u, 2000u, 3000u}) {
    const QualityReport report = first(count, 1);
    EXPECT_GT(figure(report, "P1"), 25) << count;
    EXPECT_GT(figure(report, "dmean"), count == 1000 || count == 2000 ? 0.75 : 0.6) << count;
  }
  // The measure can fail: dots from here and there.
  EXPECT_LT(figure(first(1000, 1777), "dmean"), 0.62);
  options.path = DotPath::tsp;
  EXPECT_THROW(stipple(scene(), tone_field(), options, context), Error);
  options.path = DotPath::none;
  options.ink.path = "cmyk";
  const Points inks = stipple(scene(), tone_field(), options, context).dots;
  validate(inks);
  EXPECT_EQ(inks.rank.size(), 4000u);
  EXPECT_FALSE(std::is_sorted(inks.rank.begin(), inks.rank.end()));
}

}  // namespace
}  // namespace dapple
