// Styles of lines: their tones, their paths, and what they refuse.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <ostream>

#include "core/color.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/stipple.hpp"
#include "field/blur.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

using test::picture;
using test::scene;
using test::tone_field;

struct StyleCase {
  StippleStyle style;
  int density;      // of marks, of those of most styles
  double lightest;  // tones that the style reaches
  double darkest;
  double error;  // root of the mean squared error of tone allowed up to there
};
std::string name_of(StippleStyle style) {
  return std::string(word_of(style));
}
void PrintTo(const StyleCase& of, std::ostream* out) {
  *out << name_of(of.style);
}

constexpr std::int64_t marks_of_ramp = 20000;

class StippleStyles : public testing::TestWithParam<StyleCase> {
 protected:
  StippleOptions options() const {
    StippleOptions options;
    options.style = GetParam().style;
    options.dots = 600;
    return options;
  }
};

// Returns the share of each pixel of the picture that lines cover.
Plane<float> covered(const Stippling& made, int finer) {
  Context context;
  const int width = made.darkness.width();
  const int height = made.darkness.height();
  const Image image = rasterize(made.drawing, width * finer, height * finer, context);
  Plane<float> cover(width, height);
  for (int y = 0; y < height * finer; ++y) {
    for (int x = 0; x < width * finer; ++x) {
      cover(x / finer, y / finer) +=
          (1 - srgb_to_linear(image.channels[0](x, y))) / static_cast<float>(finer * finer);
    }
  }
  return cover;
}

// A ramp blurred over four spacings has the wanted tone, up to the darkest that the style makes.
TEST_P(StippleStyles, TonesOfARampAreRight) {
  const int width = 600;
  const int height = 300;
  const StyleCase& wanted = GetParam();
  StippleOptions options;
  options.style = wanted.style;
  options.dots = marks_of_ramp * wanted.density;
  Context context;
  const Stippling made = stipple(picture(width, height, [](double x, double) { return x; }),
                                 tone_field(), options, context);
  const double spacing = std::sqrt(width * height / static_cast<double>(marks_of_ramp));
  const Plane<float> seen = gaussian_blurred(covered(made, 5), 4 * spacing, context);
  const Plane<float> asked = gaussian_blurred(made.darkness, 4 * spacing, context);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto tone = static_cast<double>(asked.values()[i]);
    if (tone < wanted.lightest || tone > wanted.darkest) continue;
    const double error = static_cast<double>(seen.values()[i]) - tone;
    sum += error * error;
    ++count;
  }
  EXPECT_LE(std::sqrt(sum / count), wanted.error);
}

// A pen draws every line from its start to its end, on the picture.
TEST_P(StippleStyles, DrawsLinesOfOnePenInsideThePicture) {
  StippleOptions drawn = options();
  drawn.dots = 0;
  drawn.paper.width = 100;
  drawn.paper.height = 80;
  drawn.paper.unit = Unit::mm;
  drawn.margin = Length{10, Unit::mm};
  drawn.pen = Length{0.5, Unit::mm};
  Context context;
  const Stippling made = stipple(scene(), tone_field(), drawn, context);
  EXPECT_TRUE(made.dots.empty());
  ASSERT_EQ(made.drawing.layers.size(), 1U);
  const Layer& layer = made.drawing.layers[0];
  EXPECT_TRUE(layer.discs.empty());
  EXPECT_TRUE(layer.fills.empty());
  ASSERT_FALSE(layer.lines.empty());
  constexpr double rounding = 1e-9;
  for (const Polyline& line : layer.lines) {
    EXPECT_DOUBLE_EQ(line.width, 0.5);
    ASSERT_GE(line.points.size(), 2U);
    for (const Vec2 p : line.points) {
      ASSERT_GE(p.x, 10 - rounding);
      ASSERT_LE(p.x, 90 + rounding);
      ASSERT_GE(p.y, 10 - rounding);
      ASSERT_LE(p.y, 70 + rounding);
    }
  }
}

TEST_P(StippleStyles, LeavesWhitePaperBare) {
  StippleOptions drawn = options();
  drawn.dots = 1500 * GetParam().density;
  Context context;
  const Stippling made =
      stipple(picture(200, 100, [](double x, double) { return x < 0.4 ? 0.2 : 1.0; }), tone_field(),
              drawn, context);
  const Plane<float> cover = covered(made, 2);
  double sum = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 110; x < 200; ++x) sum += static_cast<double>(cover(x, y));
  }
  EXPECT_LT(sum / (90 * 100), 0.005);
}

TEST_P(StippleStyles, ThreadsDoNotChangeLines) {
  const auto made_with = [&](int threads) {
    Context context;
    context.threads = threads;
    return stipple(scene(), tone_field(), options(), context);
  };
  const Stippling one = made_with(1);
  const Stippling two = made_with(2);
  const auto& lines = one.drawing.layers[0].lines;
  const auto& others = two.drawing.layers[0].lines;
  ASSERT_EQ(lines.size(), others.size());
  for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i].points, others[i].points);
}

// Every ink has its layer, and together they show the picture's color.
TEST_P(StippleStyles, InksMixToTheColorOfThePicture) {
  Image image;
  image.names = {"R", "G", "B"};
  image.encoding = Encoding::linear;
  image.type = PixelType::f32;
  // A quarter red, a quarter blue and half paper.
  for (const float light : {0.75f, 0.5f, 0.75f}) {
    image.channels.emplace_back(160, 120, light);
  }
  StippleOptions drawn = options();
  drawn.dots = 1500 * GetParam().density;
  drawn.ink.path = "#ff0000,#0000ff";
  PictureOptions field = tone_field();
  field.tone = Tone::linear;
  Context context;
  const Stippling made = stipple(image, field, drawn, context);
  ASSERT_EQ(made.drawing.layers.size(), 2U);
  const Image shown = rasterize(made.drawing, 640, 480, context);
  for (std::size_t c = 0; c < 3; ++c) {
    double mean = 0;
    for (const float v : shown.channels[c].values()) mean += static_cast<double>(srgb_to_linear(v));
    mean /= 640 * 480;
    EXPECT_NEAR(mean, static_cast<double>(image.channels[c](0, 0)), 0.025) << image.names[c];
  }
}

INSTANTIATE_TEST_SUITE_P(Each, StippleStyles,
                         testing::Values(StyleCase{StippleStyle::voronoi, 1, 0.05, 0.93, 0.01},
                                         StyleCase{StippleStyle::delaunay, 1, 0.05, 0.93, 0.02},
                                         StyleCase{StippleStyle::tree, 1, 0.05, 0.93, 0.01},
                                         StyleCase{StippleStyle::dashes, 1, 0.05, 0.93, 0.01},
                                         StyleCase{StippleStyle::hatch, 5, 0, 0.9, 0.01},
                                         StyleCase{StippleStyle::spiral, 1, 0, 0.87, 0.01},
                                         StyleCase{StippleStyle::sine, 1, 0, 0.87, 0.01},
                                         StyleCase{StippleStyle::flow, 1, 0.05, 0.93, 0.02},
                                         StyleCase{StippleStyle::scribble, 1, 0.05, 0.93, 0.02},
                                         StyleCase{StippleStyle::halftone, 1, 0, 0.93, 0.01},
                                         StyleCase{StippleStyle::text, 1, 0, 0.75, 0.01}),
                         [](const auto& of) { return name_of(of.param.style); });

TEST(StippleStyle, OptionsOfDotsAreRefused) {
  const auto refuses = [](const std::function<void(StippleOptions&)>& change,
                          const std::string& text) {
    StippleOptions options;
    options.style = StippleStyle::sine;
    change(options);
    Context context;
    try {
      stipple(scene(), tone_field(), options, context);
      ADD_FAILURE() << "not refused: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  refuses([](auto& options) { options.shape = DotShape::circle; }, "shape");
  refuses(
      [](auto& options) {
        options.dot_size.min = options.dot_size.max = {2, Unit::px};
      },
      "dot-size");
  refuses([](auto& options) { options.path = DotPath::tsp; }, "path");
  refuses([](auto& options) { options.progressive = true; }, "progressive");
  refuses([](auto& options) { options.split = 2; }, "split");
  refuses([](auto& options) { options.gap = Length{1, Unit::px}; }, "gap");
  refuses([](auto& options) { options.invert_darks = 0.8; }, "invert-darks");
  refuses([](auto& options) { options.regularity = 0.2; }, "regularity");
  refuses([](auto& options) { options.order = DotOrder::hilbert; }, "order");
  refuses([](auto& options) { options.words = "hello"; }, "words");
  refuses(
      [](auto& options) {
        options.pen = Length{3, Unit::px};
        options.dots = 100000;
      },
      "dots");
  refuses(
      [](auto& options) {
        options.style = StippleStyle::tree;
        options.pen = Length{1, Unit::px};
        options.dots = 1000;
      },
      "dots");
  refuses(
      [](auto& options) {
        options.style = StippleStyle::text;
        options.words = " ";
      },
      "words");
  EXPECT_THROW(
      {
        StippleOptions options;
        options.style = StippleStyle::flow;
        StippleSequence sequence(tone_field(), options);
      },
      Error);
}

}  // namespace
}  // namespace dapple
