// Marks that are more than dots of ink: dots of paper on dark places, and shapes of one's own.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "stipple_on_paper.hpp"

namespace dapple {
namespace {

using namespace test::on_paper;

constexpr double pi = std::numbers::pi;
// ---- dark places drawn the other way round ------------------------------------------------------

// Bands of darkness 0.1, 0.5 and 0.9, with a hole of 0.5 in the last where asked for.
Image bands(bool holed = true) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(600, 200);
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 600; ++x) {
      const bool hole = holed && std::abs(x - 500) < 40 && std::abs(y - 100) < 40;
      image.channels[0](x, y) = x < 200 ? 0.9f : x < 400 || hole ? 0.5f : 0.1f;
    }
  }
  return image;
}

StippleOptions inverted() {
  StippleOptions options;
  options.invert_darks = 0.75;
  options.dots = 4000;
  return options;
}

// Returns the share of the columns x0 to x1 that a drawing of bands() covers with ink.
double ink_in(const Stippling& of, int x0, int x1) {
  Context context;
  const Image picture = rasterize(of.drawing, 1200, 400, context);
  double sum = 0;
  for (int y = 0; y < 400; ++y) {
    for (int x = 2 * x0; x < 2 * x1; ++x) {
      sum += 1 - static_cast<double>(srgb_to_linear(picture.channels[0](x, y)));
    }
  }
  return sum / (800.0 * (x1 - x0));
}

TEST(InvertedDarks, HoldEveryTone) {
  Context context;
  const Stippling result = made(inverted(), context, bands(false));
  EXPECT_EQ(result.dots.size(), 4000u);
  EXPECT_FALSE(result.drawing.layers[0].fills.empty());
  EXPECT_NEAR(ink_in(result, 0, 200), 0.1, 0.005);
  EXPECT_NEAR(ink_in(result, 200, 400), 0.5, 0.005);
  EXPECT_NEAR(ink_in(result, 400, 600), 0.9, 0.005);
}

// The bands with a black last one, and squares of black in the middle one and of gray in the black.
Image black_bands(int square) {
  Image image = bands(false);
  Plane<float>& values = image.channels[0];
  for (int y = 0; y < 200; ++y) {
    for (int x = 400; x < 600; ++x) values(x, y) = 0.02f;
    for (int x = 200; x < 600; ++x) {
      const bool inside =
          std::abs(x - (x < 400 ? 300 : 500)) < square && std::abs(y - 100) < square;
      if (inside) values(x, y) = x < 400 ? 0.0f : 0.5f;
    }
  }
  return image;
}

StippleOptions solid() {
  StippleOptions options;
  options.solid_blacks = true;
  options.dots = 4000;
  return options;
}

TEST(SolidBlacks, CoverWhatDotsCannotAndHoldAllOtherTones) {
  Context context;
  const Stippling result = made(solid(), context, black_bands(0));
  EXPECT_EQ(result.dots.size(), 4000u);
  EXPECT_EQ(result.drawing.layers.size(), 1u);
  EXPECT_EQ(result.drawing.layers[0].fills.size(), 1u);
  EXPECT_NEAR(ink_in(result, 0, 200), 0.1, 0.005);
  EXPECT_NEAR(ink_in(result, 200, 395), 0.5, 0.005);
  EXPECT_NEAR(ink_in(result, 405, 600), 1, 1e-6);
  StippleOptions off = solid();
  off.solid_blacks = false;
  EXPECT_LT(ink_in(made(off, context, black_bands(0)), 405, 600), 0.99);
}

TEST(SolidBlacks, LeaveOutPlacesSmallerThanAFewDots) {
  Context context;
  EXPECT_EQ(made(solid(), context, black_bands(30)).drawing.layers[0].fills.size(), 3u);
  EXPECT_EQ(made(solid(), context, black_bands(3)).drawing.layers[0].fills.size(), 1u);
}

TEST(SolidBlacks, AreCloserDotsOfAPen) {
  Context context;
  StippleOptions options = solid();
  options.dots = 0;
  options.shape = DotShape::point;
  options.pen = {3, Unit::px};
  const Stippling result = made(options, context, black_bands(0));
  EXPECT_TRUE(result.drawing.layers[0].fills.empty());
  EXPECT_NEAR(ink_in(result, 0, 200), 0.1, 0.005);
  EXPECT_NEAR(ink_in(result, 200, 395), 0.5, 0.01);
  EXPECT_GT(ink_in(result, 405, 595), 0.997);
  EXPECT_NO_THROW(encode_drawing(result.drawing, "hpgl"));
}

TEST(SolidBlacks, SayWhatTheyDoNotGoWith) {
  Context context;
  const auto refused = [&](const auto& change) {
    StippleOptions options = solid();
    change(options);
    try {
      made(options, context, bands());
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage &&
             std::string(error.what()).find("solid-blacks") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([](StippleOptions& o) { o.ink.path = "red,blue"; }));
  EXPECT_TRUE(refused([](StippleOptions& o) {
    o.shape = DotShape::circle;
    o.pen = {0.3, Unit::mm};
  }));
  EXPECT_TRUE(refused([](StippleOptions& o) { o.path = DotPath::tsp; }));
  EXPECT_TRUE(refused([](StippleOptions& o) { o.progressive = true; }));
  EXPECT_TRUE(refused([](StippleOptions& o) { o.invert_darks = 0.7; }));
  EXPECT_TRUE(refused([](StippleOptions& o) { o.split = 2; }));
  EXPECT_THROW(StippleSequence({}, solid()), Error);
  const Drawing drawing = made(solid(), context, black_bands(0)).drawing;
  EXPECT_THROW(encode_drawing(drawing, "hpgl"), Error);
}

TEST(InvertedDarks, HaveDotsOfPaperOnThemAndNoOthers) {
  Context context;
  const Stippling result = made(inverted(), context, bands());
  std::size_t paper = 0;
  for (std::size_t i = 0; i < result.dots.size(); ++i) {
    const double x = result.dots.x[i];
    const double y = result.dots.y[i];
    const bool hole = std::abs(x - 500) < 46 && std::abs(y - 100) < 46;
    if (result.dots.class_id[i] == 1) {
      ++paper;
      EXPECT_GT(x, 396);
    } else if (x > 404) {
      EXPECT_TRUE(hole) << x << " " << y;
    }
  }
  ASSERT_EQ(result.drawing.layers.size(), 3u);
  EXPECT_EQ(result.drawing.layers[1].discs.size(), paper);
  EXPECT_EQ(result.drawing.layers[1].color, "white");
  EXPECT_EQ(result.drawing.layers[2].discs.size(), 4000 - paper);
}

TEST(InvertedDarks, AreAllOfABlackPictureAndNothingOfALightOne) {
  Context context;
  Image image = bands();
  for (float& v : image.channels[0].values()) v = 0;
  const Stippling black = made(inverted(), context, image);
  EXPECT_EQ(black.dots.size(), 0u);
  const Image picture = rasterize(black.drawing, 60, 20, context);
  for (const float v : picture.channels[0].values()) EXPECT_LT(v, 1e-3f);
  for (float& v : image.channels[0].values()) v = 0.5f;
  StippleOptions off = inverted();
  off.invert_darks = 1;
  EXPECT_EQ(encode_svg(made(inverted(), context, image).drawing),
            encode_svg(made(off, context, image).drawing));
}

TEST(InvertedDarks, SayWhatTheyDoNotGoWith) {
  Context context;
  const auto message = [&](const auto& change) -> std::string {
    StippleOptions options = inverted();
    change(options);
    try {
      made(options, context, bands());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  const auto names = [&](const char* option, const auto& change) {
    EXPECT_NE(message(change).find(option), std::string::npos) << option;
  };
  names("`method", [](StippleOptions& o) { o.method = StippleMethod::lbg; });
  names("`ink", [](StippleOptions& o) { o.ink.path = "red,blue"; });
  names("`shape", [](StippleOptions& o) {
    o.shape = DotShape::point;
    o.pen = {0.3, Unit::mm};
  });
  names("`background", [](StippleOptions& o) { o.background = "none"; });
  names("`path", [](StippleOptions& o) { o.path = DotPath::tsp; });
  names("`progressive", [](StippleOptions& o) { o.progressive = true; });
  names("`gap", [](StippleOptions& o) { o.gap = {0.1, Unit::mm}; });
  EXPECT_THROW(StippleSequence({}, inverted()), Error);
  const Drawing drawing = made(inverted(), context, bands()).drawing;
  for (const char* pens : {"hpgl", "plt", "dxf", "gcode", "nc"}) {
    EXPECT_THROW(encode_drawing(drawing, pens), Error) << pens;
  }
}

// Shapes of one's own point to where it is darker, or lie by chance, and the file's paths are
// shapes of their own where that is asked for.
TEST(StippleShapes, TurnWithThePictureOrByChance) {
  Image ramp;  // darker to the right
  ramp.channels.emplace_back(120, 80);
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 120; ++x) ramp.channels[0](x, y) = 1 - static_cast<float>(x + 10) / 140;
  }
  ramp.names = {"Y"};
  StippleOptions options;
  options.dots = 500;
  options.shape = DotShape::outline;
  const Outline arrow = make_outline(
      {{{{{0, 0}, {2, 6}, {0, 5}, {-2, 6}}}, false}, {{{{9, 0}, {10, 2}, {8, 2}}}, false}});
  options.outline.outline = std::make_shared<const Outline>(arrow);
  PictureOptions map;
  map.as = MapKind::tone;
  Context context;
  EXPECT_EQ(stipple(ramp, map, options, context).drawing.outlines.size(), 1u);

  options.each_path = true;
  options.turn = DotTurn::gradient;
  const Drawing pointing = stipple(ramp, map, options, context).drawing;
  std::vector<int> used(pointing.outlines.size());
  int to_the_right = 0;
  for (const Disc& disc : pointing.layers[0].discs) {
    ++used[disc.outline];
    const Outline& shape = *pointing.outline_of(disc);
    ASSERT_EQ(shape.parts.size(), 1u);
    const Vec2 tip = shape.parts[0].rings[0][0];
    to_the_right += tip.x > 0.9 * length(tip) ? 1 : 0;
  }
  EXPECT_GT(to_the_right, 450);  // of 500: the rest lies at the frame
  EXPECT_GT(*std::max_element(used.begin(), used.end()), 100);

  options.turn = DotTurn::random;
  const Drawing tossed = stipple(ramp, map, options, context).drawing;
  EXPECT_GT(tossed.outlines.size(), 100u);
  Vec2 sum;
  for (const Disc& disc : tossed.layers[0].discs) {
    const Vec2 tip = tossed.outline_of(disc)->parts[0].rings[0][0];
    sum = sum + tip * (1 / length(tip));
  }
  EXPECT_LT(length(sum), 70);  // chance alone makes some sqrt(500)

  options.shape = DotShape::disc;
  EXPECT_THROW(stipple(ramp, map, options, context), Error);
}

TEST(StippleShapes, OpenLinesHaveTheInkOfTheTones) {
  Image even;
  even.channels.emplace_back(100, 100, 0.75f);
  even.names = {"Y"};
  even.encoding = Encoding::linear;
  StippleOptions options;
  options.dots = 400;
  options.shape = DotShape::outline;
  Outline::Part part;
  part.lines = {{{0, 0}, {3, 4}, {6, 0}}};
  options.outline.outline = std::make_shared<const Outline>(make_outline({part}));
  from_text("100x100mm", options.paper);
  PictureOptions map;
  map.as = MapKind::tone;
  map.tone = Tone::linear;
  Context context;
  EXPECT_THROW(stipple(even, map, options, context), Error) << "without a pen there is no ink";
  options.pen = {0.3, Unit::mm};
  const Stippling made = stipple(even, map, options, context);
  double ink = 0;
  for (const Disc& disc : made.drawing.layers[0].discs) {
    ink += 2 * pi * disc.radius * 0.3 + pi * 0.15 * 0.15;
  }
  EXPECT_NEAR(ink / (100 * 100 * 0.25), 1, 0.01);
}

}  // namespace
}  // namespace dapple
