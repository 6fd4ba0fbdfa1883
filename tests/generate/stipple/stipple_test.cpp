// Stipplings: counts, ink, tone and paper, for every method.
#include "dapple/stipple.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <type_traits>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

using test::figure;
using test::picture;
using test::scene;
using test::tone_field;

constexpr double pi = std::numbers::pi;

double sum(const Plane<float>& plane) {
  double total = 0;
  for (const float v : plane.values()) total += static_cast<double>(v);
  return total;
}

double ink(const Points& dots) {
  double total = 0;
  for (const float a : dots.radius) total += pi * static_cast<double>(a) * static_cast<double>(a);
  return total;
}

// A program that sets nothing gets the picture, and cannot get its negative by an omission.
TEST(Stipple, DrawsDarkPlacesUnlessAskedForDensity) {
  static_assert(!std::is_convertible_v<MapOptions, PictureOptions>);
  const Image left_is_dark = picture(80, 40, [](double x, double) { return x < 0.5 ? 0.1 : 0.9; });
  StippleOptions options;
  options.dots = 200;
  const auto dots_on_the_left = [&](const PictureOptions& field) {
    Context context;
    const Points dots = stipple(left_is_dark, field, options, context).dots;
    return std::count_if(dots.x.begin(), dots.x.end(), [](double x) { return x < 40; });
  };
  EXPECT_GT(dots_on_the_left({}), 150);
  EXPECT_LT(dots_on_the_left(PictureOptions(MapOptions())), 50);
}

class EveryMethod : public ::testing::TestWithParam<StippleMethod> {
 protected:
  StippleOptions options() const {
    StippleOptions chosen;
    chosen.method = GetParam();
    chosen.dots = 700;
    return chosen;
  }
};

TEST_P(EveryMethod, SameBytesAtAnyThreadCount) {
  const Image image = scene();
  StippleOptions chosen = options();
  chosen.dots = 1500;
  chosen.no_overlap = true;
  std::string first;
  for (const int threads : {1, 2, 7}) {
    Context context;
    context.threads = threads;
    const std::string svg = encode_svg(stipple(image, tone_field(), chosen, context).drawing);
    if (first.empty()) first = svg;
    EXPECT_EQ(svg, first) << threads << " threads";
  }
  Context other;
  other.seed = 2;
  EXPECT_NE(encode_svg(stipple(image, tone_field(), chosen, other).drawing), first);
}

TEST_P(EveryMethod, CountsAreExactAndDotsDiffer) {
  for (const std::int64_t dots : {1, 2, 3, 10, 999}) {
    StippleOptions chosen = options();
    chosen.dots = dots;
    Context context;
    const Stippling made = stipple(scene(), tone_field(), chosen, context);
    ASSERT_EQ(static_cast<std::int64_t>(made.dots.size()), dots);
    ASSERT_EQ(static_cast<std::int64_t>(made.drawing.layers.at(0).discs.size()), dots);
    validate(made.dots);
    std::vector<std::pair<double, double>> places;
    for (std::size_t i = 0; i < made.dots.size(); ++i) {
      places.emplace_back(made.dots.x[i], made.dots.y[i]);
    }
    std::sort(places.begin(), places.end());
    EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
  }
}

TEST_P(EveryMethod, InkIsDarkness) {
  Context context;
  const Stippling by_number = stipple(scene(), tone_field(), options(), context);
  EXPECT_NEAR(ink(by_number.dots) / sum(by_number.darkness), 1, 1e-5);
  StippleOptions sized = options();
  sized.dots = 0;
  sized.dot_size = {{2.5, Unit::px}, {2.5, Unit::px}};
  const Stippling by_size = stipple(scene(), tone_field(), sized, context);
  EXPECT_FLOAT_EQ(by_size.dots.radius.at(0), 1.25f);
  // A whole number of dots: within half a dot, where the method does not find their number.
  const bool finds_number = GetParam() == StippleMethod::lbg;
  EXPECT_NEAR(ink(by_size.dots), sum(by_size.darkness),
              finds_number ? 0.03 * sum(by_size.darkness) : 0.51 * pi * 1.25 * 1.25);
  sized.dot_size.max = {5, Unit::px};
  const Stippling by_tone = stipple(scene(), tone_field(), sized, context);
  EXPECT_LT(*std::min_element(by_tone.dots.radius.begin(), by_tone.dots.radius.end()), 1.4f);
  EXPECT_GT(*std::max_element(by_tone.dots.radius.begin(), by_tone.dots.radius.end()), 2.0f);
  EXPECT_NEAR(ink(by_tone.dots) / sum(by_tone.darkness), 1, finds_number ? 0.03 : 0.01);
}

// Root mean square over 32 columns of (drawn tone - asked tone), measured on the rendered picture.
double column_error(const Stippling& made, Context& context) {
  const int width = made.darkness.width();
  const int height = made.darkness.height();
  const Image image = rasterize(made.drawing, 2 * width, 2 * height, context);
  double squares = 0;
  for (int column = 0; column < 32; ++column) {
    double drawn = 0;
    double asked = 0;
    int pixels = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = column * width / 32; x < (column + 1) * width / 32; ++x) {
        ++pixels;
        asked += static_cast<double>(made.darkness(x, y));
        for (const int k : {0, 1, 2, 3}) {
          const float v = image.channels[0](2 * x + k % 2, 2 * y + k / 2);
          drawn += 0.25 * (1 - static_cast<double>(srgb_to_linear(v)));
        }
      }
    }
    squares += std::pow((drawn - asked) / pixels, 2);
  }
  return std::sqrt(squares / 32);
}

// Those that promise the tone.
class FaithfulMethod : public EveryMethod {};

TEST_P(FaithfulMethod, ToneOfARampHoldsWithinAPercent) {
  StippleOptions chosen = options();
  chosen.dots = 6000;
  for (const Tone tone : {Tone::perceptual, Tone::linear}) {
    // Up to the darkness at which dots begin to cover each other.
    const double darkest = tone == Tone::perceptual ? 0.5 : 0.25;
    const Image ramp = picture(768, 192, [&](double x, double) { return 1 - darkest * x * x; });
    PictureOptions field = tone_field();
    field.tone = tone;
    Context context;
    const Stippling made = stipple(ramp, field, chosen, context);
    const double asked =
        tone == Tone::perceptual ? 0.25 : 1 - static_cast<double>(srgb_to_linear(0.875f));
    EXPECT_NEAR(static_cast<double>(made.darkness(543, 100)), asked, 0.002);
    EXPECT_LT(column_error(made, context), 0.01);
  }
  // The measure can fail: the same dots against a picture a tenth lighter.
  Context context;
  const Image ramp = picture(768, 192, [](double x, double) { return 1 - 0.5 * x * x; });
  Stippling wrong = stipple(ramp, tone_field(), chosen, context);
  for (float& d : wrong.darkness.values()) d *= 0.9f;
  EXPECT_GT(column_error(wrong, context), 0.01);
}

// D = n pi a^2 where dots swell with the tone: the ink of the dots in a column, each counted where
// its center is, against the darkness asked for there.
TEST_P(FaithfulMethod, ToneHoldsWithinAPercentWhateverTheSizes) {
  const Image ramp = picture(768, 192, [&](double x, double) { return 1 - 0.9 * x * x; });
  for (const auto& [least, most] : {std::pair{4.0, 4.0}, {2.0, 6.0}, {1.5, 7.5}}) {
    StippleOptions chosen = options();
    chosen.dots = 0;
    chosen.dot_size = {{least, Unit::px}, {most, Unit::px}};
    std::vector<double> drawn(16, 0.0);
    std::vector<double> asked(16, 0.0);
    // A column holds a hundred dots: the chance of one seed is about a percent.
    constexpr int seeds = 4;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Context context;
      context.seed = seed;
      const Stippling made = stipple(ramp, tone_field(), chosen, context);
      ASSERT_GT(made.dots.size(), 1500u);
      for (std::size_t i = 0; i < made.dots.size(); ++i) {
        const double a = static_cast<double>(made.dots.radius[i]);
        drawn[static_cast<std::size_t>(made.dots.x[i] / 48)] += pi * a * a / (48 * 192 * seeds);
      }
    }
    for (int y = 0; y < 192; ++y) {
      for (int x = 0; x < 768; ++x) {
        const double d = 0.9 * std::pow((x + 0.5) / 768, 2);
        asked[static_cast<std::size_t>(x / 48)] += d / (48 * 192);
      }
    }
    double squares = 0;
    for (std::size_t c = 0; c < 16; ++c) squares += std::pow(drawn[c] - asked[c], 2);
    EXPECT_LT(std::sqrt(squares / 16), 0.01) << least << ':' << most;
    // Where sizes are large, off the border, along which darts lie closer.
    EXPECT_NEAR((drawn[12] + drawn[13] + drawn[14]) / (asked[12] + asked[13] + asked[14]), 1, 0.02);
  }
}

TEST_P(FaithfulMethod, NoOverlapHolds) {
  const Image dark = picture(120, 90, [](double x, double y) { return 0.9 * x * y; });
  for (const double largest : {3.0, 6.0}) {
    StippleOptions chosen = options();
    chosen.dots = 0;
    chosen.no_overlap = true;
    chosen.dot_size = {{3, Unit::px}, {largest, Unit::px}};
    Context context;
    const Stippling made = stipple(dark, tone_field(), chosen, context);
    const std::vector<Disc>& discs = made.drawing.layers[0].discs;
    ASSERT_GT(discs.size(), 100u);
    int touching = 0;
    for (std::size_t i = 0; i < discs.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double gap = length(discs[i].center - discs[j].center);
        touching += gap < discs[i].radius + discs[j].radius ? 1 : 0;
      }
    }
    EXPECT_EQ(touching, 0);
    // The compensation works: what can be drawn is drawn.
    EXPECT_GT(ink(made.dots) / sum(made.darkness), 0.93);
    EXPECT_LT(ink(made.dots) / sum(made.darkness), 1.01);
  }
}

TEST_P(EveryMethod, OddPictures) {
  Context context;
  StippleOptions chosen = options();
  const auto black = [](double, double) { return 0.0; };
  EXPECT_EQ(stipple(picture(40, 30, black), tone_field(), chosen, context).dots.size(), 700u);
  EXPECT_EQ(stipple(picture(1, 1, black), tone_field(), chosen, context).dots.size(), 700u);
  EXPECT_EQ(stipple(picture(20000, 10, black), tone_field(), chosen, context).dots.size(), 700u);
  EXPECT_EQ(stipple(picture(3, 900, black), tone_field(), chosen, context).dots.size(), 700u);
  // One dark pixel on white.
  const Image speck = picture(50, 50, [](double x, double y) {
    return std::abs(x - 0.51) < 0.001 && std::abs(y - 0.51) < 0.001 ? 0.0 : 1.0;
  });
  chosen.dots = 1;
  const Stippling one = stipple(speck, tone_field(), chosen, context);
  EXPECT_NEAR(one.dots.x.at(0), 25.5, 3);
  EXPECT_NEAR(one.dots.y.at(0), 25.5, 3);
}

std::string name_of(const ::testing::TestParamInfo<StippleMethod>& method) {
  return std::string(word_of(method.param));
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::Values(StippleMethod::kernel, StippleMethod::lbg,
                                           StippleMethod::voronoi, StippleMethod::poisson),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Methods, FaithfulMethod,
                         ::testing::Values(StippleMethod::kernel, StippleMethod::poisson), name_of);

Stippling stipple_sample(const char* name, std::int64_t dots, Context& context) {
  StippleOptions options;
  options.dots = dots;
  options.order = DotOrder::none;
  // Figures of whole pictures: a cut-out's rim is measured where frames are.
  options.frame = FrameEdge::fitted;
  const std::string path = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/" + name;
  return stipple(read_image(path, context), tone_field(), options, context);
}

TEST(Stipple, FiguresOfPhotosHold) {
  struct Gate {
    std::int64_t dots;
    double dmean, cap;
  };
  for (const char* name : {"raccoon.png", "ascent.png"}) {
    for (const Gate& gate :
         {Gate{1000, 0.875, 0.065}, Gate{10000, 0.89, 0.051}, {100000, 0.89, 0.05}}) {
      Context context;
      const Stippling made = stipple_sample(name, gate.dots, context);
      const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
      const std::string what = name + (" " + std::to_string(gate.dots));
      EXPECT_GE(figure(report, "P1"), 50) << what;
      EXPECT_GE(figure(report, "P2"), 62) << what;
      EXPECT_GE(figure(report, "dmin"), 0.7) << what;
      EXPECT_GE(figure(report, "dmean"), gate.dmean) << what;
      EXPECT_LE(figure(report, "cap"), gate.cap) << what;
    }
  }
}

// From white to black: no dot is thrown onto the white.
// The honest comparison: dots of the classics are less even in what they hold, and those at the
// centroids of their cells have too little contrast.
TEST(Stipple, ClassicsAreWhatTheirPapersSay) {
  const std::string path = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/ascent.png";
  const auto measure = [&](StippleMethod method) {
    StippleOptions options;
    options.dots = 4000;
    options.method = method;
    options.order = DotOrder::none;
    Context context;
    const Stippling made = stipple(read_image(path, context), tone_field(), options, context);
    EXPECT_EQ(made.dots.size(), 4000u);
    return analyze_stippling(made.dots, made.darkness, context);
  };
  const QualityReport voronoi = measure(StippleMethod::voronoi);
  EXPECT_GT(figure(voronoi, "P1"), 20);
  EXPECT_LT(figure(voronoi, "P1"), 40);
  EXPECT_GT(figure(voronoi, "dmean"), 0.85);
  const QualityReport lbg = measure(StippleMethod::lbg);
  EXPECT_GT(figure(lbg, "P1"), 20);
  EXPECT_LT(figure(lbg, "P1"), 40);
  EXPECT_LT(figure(lbg, "cap"), figure(voronoi, "cap"));
  EXPECT_GT(figure(lbg, "dmean"), 0.83);
}

TEST(Stipple, LbgFindsTheNumberOfDots) {
  StippleOptions options;
  options.method = StippleMethod::lbg;
  options.dot_size = {{2.5, Unit::px}, {2.5, Unit::px}};
  Context context;
  const Stippling made = stipple(scene(), tone_field(), options, context);
  const double asked = sum(made.darkness) / (pi * 1.25 * 1.25);
  EXPECT_NEAR(static_cast<double>(made.dots.size()) / asked, 1, 0.06);
  EXPECT_NE(static_cast<double>(made.dots.size()), std::round(asked));
}

TEST(Stipple, FiguresOfARampHold) {
  for (const std::int64_t dots : {10000, 100000}) {
    Context context;
    const Stippling made = stipple_sample("ramp.png", dots, context);
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    EXPECT_GE(figure(report, "P2"), 60);
    EXPECT_GE(figure(report, "dmin"), 0.7);
    EXPECT_LE(figure(report, "ramp"), dots == 10000 ? 0.35 : 0.25);
  }
}

Stippling stipple_gray(double regularity, Context& context) {
  StippleOptions options;
  options.dots = 5000;
  options.regularity = regularity;
  options.order = DotOrder::none;
  options.frame = FrameEdge::fitted;
  const Image gray = picture(600, 600, [](double, double) { return 0.5; });
  return stipple(gray, tone_field(), options, context);
}

TEST(Stipple, RegularityGoesFromOrganicToHexagonal) {
  const auto measure = [](double regularity) {
    Context context;
    Points dots = stipple_gray(regularity, context).dots;
    std::fill(dots.radius.begin(), dots.radius.end(), 0.0f);
    return analyze_points(dots, context);
  };
  const QualityReport organic = measure(0);
  EXPECT_LE(figure(organic, "LF"), 2e-5);
  EXPECT_LE(figure(organic, "oscillation"), 4.7);
  const QualityReport usual = measure(0.5);
  const QualityReport regular = measure(1);
  EXPECT_GE(figure(regular, "nu_eff"), 0.97);
  EXPECT_GT(figure(usual, "oscillation"), 1.5 * figure(organic, "oscillation"));
  EXPECT_GT(figure(regular, "oscillation"), 1.2 * figure(usual, "oscillation"));
}

// Dots that met their own reflections at the frame would line up half a spacing from it.
TEST(Stipple, DotsDoNotLineUpAlongTheFrame) {
  Context context;
  const Stippling made = stipple_gray(0.5, context);
  const double spacing = std::sqrt(made.dots.domain.area() / 5000);
  std::vector<double> depths;
  for (std::size_t i = 0; i < made.dots.size(); ++i) {
    const Vec2 p = made.dots[i];
    const double depth =
        std::min({p.x, p.y, made.dots.domain.width - p.x, made.dots.domain.height - p.y}) / spacing;
    if (depth < 0.9) depths.push_back(depth);
  }
  ASSERT_GT(depths.size(), 180u);
  // The fullest tenth of a spacing; a row along the frame holds four in five.
  std::array<int, 10> counts{};
  for (const double depth : depths) ++counts.at(static_cast<std::size_t>(10 * depth));
  const int most = *std::max_element(counts.begin(), counts.end());
  EXPECT_LT(most, 0.4 * static_cast<double>(depths.size()));
}

TEST(Stipple, DefaultDotsFollowTheDetail) {
  struct Case {
    double wave;  // pixels
    int side;     // pixels
    std::size_t dots;
  };
  for (const Case& c : {Case{1000, 400, 10000}, {6, 420, 40000}, {6, 100, 10000}}) {
    const Image waves = picture(c.side, c.side, [&](double x, double y) {
      const double turns = c.side * (x + 0.3 * y) / c.wave;
      return 0.5 + 0.3 * std::sin(2 * std::numbers::pi * turns);
    });
    StippleOptions options;
    options.method = StippleMethod::poisson;
    options.order = DotOrder::none;
    Context context;
    EXPECT_EQ(stipple(waves, tone_field(), options, context).dots.size(), c.dots) << c.wave;
    ASSERT_EQ(context.notes().size(), 1u);
    EXPECT_EQ(context.notes()[0],
              std::to_string(c.dots) + " dots for the detail of this picture; `dots` changes it");
    Context told;
    options.dots = 500;
    EXPECT_EQ(stipple(waves, tone_field(), options, told).dots.size(), 500u);
    EXPECT_TRUE(told.notes().empty());
  }
}

TEST(Stipple, KernelMatchesToneFarBetterThanChance) {
  // Ink in windows four spacings wide against their darkness: Poisson-disk darts miss by some
  // per cent of a dot's share, relaxed dots by a fraction of that.
  const Image image = scene(256, 192);
  const auto window_error = [&](StippleMethod method) {
    StippleOptions options;
    options.method = method;
    options.dots = 3072;
    Context context;
    const Stippling made = stipple(image, tone_field(), options, context);
    constexpr int side = 16;
    Plane<double> windows(256 / side, 192 / side);
    for (int y = 0; y < 192; ++y) {
      for (int x = 0; x < 256; ++x) {
        windows(x / side, y / side) -= static_cast<double>(made.darkness(x, y));
      }
    }
    const double share = sum(made.darkness) / 3072;
    for (std::size_t i = 0; i < made.dots.size(); ++i) {
      windows(static_cast<int>(made.dots.x[i]) / side, static_cast<int>(made.dots.y[i]) / side) +=
          share;
    }
    double squares = 0;
    for (const double v : windows.values()) squares += v * v;
    return std::sqrt(squares / static_cast<double>(windows.size())) / share;
  };
  const double relaxed = window_error(StippleMethod::kernel);
  EXPECT_LT(relaxed, 1.5);
  EXPECT_LT(relaxed, 0.75 * window_error(StippleMethod::poisson));
}

TEST(Stipple, PaperHoldsThePicture) {
  StippleOptions options;
  options.dots = 200;
  Context context;
  from_text("A4", options.paper);
  EXPECT_EQ(stipple(scene(), tone_field(), options, context).drawing.width, 297)
      << "a paper named alone lies as the picture does";
  from_text("A4-portrait", options.paper);
  options.margin = {20, Unit::mm};
  const Stippling made = stipple(scene(), tone_field(), options, context);
  EXPECT_EQ(made.drawing.width, 210);
  EXPECT_EQ(made.drawing.height, 297);
  // 160 x 120 fills the 170 mm between the margins, centered.
  const double scale = 170.0 / 160;
  const double top = (297 - 120 * scale) / 2;
  for (std::size_t i = 0; i < made.dots.size(); ++i) {
    const Disc& disc = made.drawing.layers[0].discs[i];
    EXPECT_NEAR(disc.center.x, 20 + made.dots.x[i] * scale, 1e-9);
    EXPECT_NEAR(disc.center.y, top + made.dots.y[i] * scale, 1e-9);
    EXPECT_NEAR(disc.radius, static_cast<double>(made.dots.radius[i]) * scale, 1e-9);
  }
  EXPECT_EQ(made.raster_width, 794);  // 96 dpi
  EXPECT_EQ(made.raster_height, 1123);

  options.paper = {};
  const Stippling framed = stipple(scene(), tone_field(), options, context);
  EXPECT_NEAR(framed.drawing.width, 160 * 25.4 / 96 + 40, 1e-9);
  options.margin = {};
  options.size = {1000, 1000, 1, Unit::px};
  const Stippling plain = stipple(scene(), tone_field(), options, context);
  EXPECT_NEAR(plain.drawing.width, 160 * 25.4 / 96, 1e-9);
  EXPECT_EQ(plain.raster_width, 1000);
  EXPECT_EQ(plain.raster_height, 750);
}

TEST(Stipple, PensAndShapes) {
  StippleOptions options;
  options.shape = DotShape::point;
  options.pen = {0.5, Unit::mm};
  options.paper = {60, 45, 1, Unit::mm};
  Context context;
  const Stippling points = stipple(scene(), tone_field(), options, context);
  EXPECT_EQ(points.drawing.pen, 0.5);
  const double pixel = points.drawing.width / 160;
  const double dot = pi * 0.25 * 0.25;
  EXPECT_NEAR(static_cast<double>(points.dots.size()), sum(points.darkness) * pixel * pixel / dot,
              0.51);
  EXPECT_NEAR(points.ink, 1, 1e-3);
  options.dots = 300;
  EXPECT_NEAR(stipple(scene(), tone_field(), options, context).ink *
                  static_cast<double>(points.dots.size()),
              300, 1);
  options.dots = 3 * static_cast<std::int64_t>(points.dots.size());
  EXPECT_NEAR(stipple(scene(), tone_field(), options, context).ink, 3, 0.01);
  EXPECT_TRUE(context.warnings().empty()) << "whoever plots it is told of its ink";

  options.shape = DotShape::circle;
  options.dots = 300;
  options.pen = {0.2, Unit::mm};
  const Stippling rings = stipple(scene(), tone_field(), options, context);
  const double radius = rings.drawing.layers[0].discs[0].radius;
  EXPECT_NEAR(300 * 2 * pi * radius * 0.2 / (sum(rings.darkness) * pixel * pixel), 1, 1e-3);
  options.pen = {};
  EXPECT_THROW(stipple(scene(), tone_field(), options, context), Error);
}

TEST(Stipple, Refusals) {
  const auto kind = [](const Image& image, const StippleOptions& options) {
    Context context;
    context.limits.max_memory = 1 << 30;
    try {
      stipple(image, tone_field(), options, context);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  const Image white = picture(20, 20, [](double, double) { return 1.0; });
  EXPECT_EQ(kind(white, {}), ErrorKind::input);
  EXPECT_EQ(kind(Image{}, {}), ErrorKind::input);
  StippleOptions options;
  options.dots = 1000000000;
  EXPECT_EQ(kind(scene(), options), ErrorKind::limit);
  options.dots = 0;
  options.dot_size = {{1e-4, Unit::px}, {1e-4, Unit::px}};
  EXPECT_EQ(kind(scene(), options), ErrorKind::limit);
  options.dot_size = {};
  from_text("A6", options.paper);
  options.margin = {60, Unit::mm};
  EXPECT_EQ(kind(scene(), options), ErrorKind::usage);
  options.margin = {};
  options.ink.path = "blakc";
  EXPECT_EQ(kind(scene(), options), ErrorKind::usage);
}

}  // namespace
}  // namespace dapple
