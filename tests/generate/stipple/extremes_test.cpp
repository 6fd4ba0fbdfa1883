// Stipplings of what is hard to stipple: ramps, more dots than fit, thin and black pictures.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/stipple.hpp"

namespace dapple {
namespace {

Image gray(int width, int height, float lightness) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(width, height, lightness);
  return image;
}

PictureOptions as_tone() {
  PictureOptions field;
  field.as = MapKind::tone;
  return field;
}

struct Line {
  double slope, offset, worst;
};

// Tone drawn over tone asked for in 32 columns, as a straight line, and the largest distance.
Line tone_line(const QualityReport& report) {
  const Curve* asked = nullptr;
  const Curve* drawn = nullptr;
  for (const Curve& curve : report.curves) {
    if (curve.name == "asked for") asked = &curve;
    if (curve.name == "dots") drawn = &curve;
  }
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, worst = 0;
  for (std::size_t i = 0; i < asked->y.size(); ++i) {
    n += 1;
    x += asked->y[i];
    y += drawn->y[i];
    xx += asked->y[i] * asked->y[i];
    xy += asked->y[i] * drawn->y[i];
    worst = std::max(worst, std::abs(asked->y[i] - drawn->y[i]));
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {slope, (y - slope * x) / n, worst};
}

TEST(Extremes, ARampIsAStraightLineOfTone) {
  struct Gate {
    std::int64_t dots;
    double slope, offset, worst, p1, p2, dmin;
  };
  for (const Gate& gate : {Gate{1000, 0.005, 0.002, 0.06, 45, 60, 0.7},
                           {10000, 0.001, 0.0005, 0.0125, 45, 60, 0.7},
                           {100000, 0.0003, 0.0002, 0.002, 46, 60, 0.7}}) {
    for (std::uint64_t seed = 1; seed <= (gate.dots < 100000 ? 2 : 1); ++seed) {
      StippleOptions options;
      options.dots = gate.dots;
      options.order = DotOrder::none;
      options.frame = FrameEdge::fitted;
      options.frame = FrameEdge::fitted;
      Context context;
      context.seed = seed;
      const Image ramp = read_image(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", context);
      const Stippling made = stipple(ramp, as_tone(), options, context);
      const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
      const Line line = tone_line(report);
      EXPECT_NEAR(line.slope, 1, gate.slope) << gate.dots;
      EXPECT_NEAR(line.offset, 0, gate.offset) << gate.dots;
      EXPECT_LT(line.worst, gate.worst) << gate.dots;
      EXPECT_GT(report.find("P1")->value, gate.p1) << gate.dots;
      EXPECT_GT(report.find("P2")->value, gate.p2) << gate.dots;
      EXPECT_GT(report.find("dmin")->value, gate.dmin) << gate.dots;
    }
  }
}

// P1 of dots that form a hexagonal lattice of the right density everywhere: through a Gaussian of
// sigma its harmonics k keep exp(-(sigma k)^2 / 2) of their amplitude, the tone.
double lattice_likeness(const Plane<float>& darkness) {
  std::vector<double> squares;  // k^2 at density 1
  for (int i = -60; i <= 60; ++i) {
    for (int j = -60; j <= 60; ++j) {
      const double k2 = 8 * std::pow(std::numbers::pi, 2) / std::sqrt(3.0);
      if (i != 0 || j != 0) squares.push_back(k2 * (i * i + i * j + j * j));
    }
  }
  double total = 0;
  for (const float d : darkness.values()) total += static_cast<double>(d);
  const double mean = total / static_cast<double>(darkness.size());
  std::map<float, double> pixels;
  for (const float d : darkness.values()) pixels[d] += 1;
  double sum = 0;
  for (const auto& [value, count] : pixels) {
    const auto d = static_cast<double>(value);
    if (!(d > 0)) continue;
    // sigma^2 times the density: one over the mean density, times it.
    for (const double k2 : squares) sum += count * d * d * std::exp(-k2 * d / mean);
  }
  return 10 * std::log10(static_cast<double>(darkness.size()) / sum);
}

TEST(Extremes, ARampIsAsGoodAsItsLightTonesAllow) {
  const Image ramp = read_image(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", Limits{});
  StippleOptions options;
  options.dots = 10000;
  options.order = DotOrder::none;
  options.frame = FrameEdge::fitted;
  Context context;
  const Stippling made = stipple(ramp, as_tone(), options, context);
  const double bound = lattice_likeness(made.darkness);
  EXPECT_NEAR(bound, 47.0, 0.05) << "docs/notes/stippling.md";
  const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
  EXPECT_GT(report.find("P1")->value, bound - 0.6);
}

int touching(const std::vector<Disc>& discs) {
  int pairs = 0;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double gap = length(discs[i].center - discs[j].center);
      pairs += gap < discs[i].radius + discs[j].radius ? 1 : 0;
    }
  }
  return pairs;
}

double cover(const Drawing& drawing) {
  double ink = 0;
  for (const Disc& disc : drawing.layers.at(0).discs) {
    ink += std::numbers::pi * disc.radius * disc.radius;
  }
  return ink / (drawing.width * drawing.height);
}

TEST(Extremes, MoreDotsThanFitApartAreSmaller) {
  StippleOptions options;
  options.dots = 5000;
  options.no_overlap = true;
  Context context;
  const Drawing free = stipple(gray(60, 50, 0), as_tone(), options, context).drawing;
  ASSERT_EQ(free.layers.at(0).discs.size(), 5000u);
  EXPECT_EQ(touching(free.layers[0].discs), 0);
  EXPECT_GT(cover(free), 0.5);
  EXPECT_LT(cover(free), 0.907) << "the densest packing";
  EXPECT_TRUE(context.warnings().empty());
  // Of a size given they have five times the area there is: said, and none touch.
  options.dot_size = {{2, Unit::px}, {2, Unit::px}};
  const Drawing sized = stipple(gray(60, 50, 0), as_tone(), options, context).drawing;
  ASSERT_EQ(sized.layers.at(0).discs.size(), 5000u);
  EXPECT_EQ(touching(sized.layers[0].discs), 0);
  EXPECT_LT(cover(sized), 0.907);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_NE(context.warnings()[0].find("dots would match the tones"), std::string::npos);
}

// Their number is beyond all numbers, or their tone beyond all tones.
TEST(Extremes, DotsWithoutInkAreRefused) {
  StippleOptions sized;
  sized.dots = 20;
  sized.dot_size = {{1e-300, Unit::px}, {1e-300, Unit::px}};
  StippleOptions drawn;
  drawn.dots = 20;
  drawn.shape = DotShape::point;
  drawn.pen = {1e-300, Unit::px};
  for (const StippleOptions& options : {sized, drawn}) {
    Context context;
    try {
      stipple(gray(16, 16, 0.5f), as_tone(), options, context);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("pixels here, but must be"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Extremes, BlackAndThinPicturesAreEven) {
  struct Gate {
    int width, height;
    std::int64_t dots;
    double p2;
  };
  // Thin: one row of dots, and a few.
  for (const Gate& gate : {Gate{100, 80, 2000, 68},
                           {20000, 10, 2000, 62},
                           {10, 20000, 2000, 62},
                           {20000, 10, 20000, 60}}) {
    StippleOptions options;
    options.dots = gate.dots;
    options.order = DotOrder::none;
    options.frame = FrameEdge::fitted;
    Context context;
    const Stippling made = stipple(gray(gate.width, gate.height, 0), as_tone(), options, context);
    ASSERT_EQ(static_cast<std::int64_t>(made.dots.size()), gate.dots);
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    const std::string what = std::to_string(gate.width) + " " + std::to_string(gate.dots);
    EXPECT_GT(report.find("P2")->value, gate.p2) << what;
    EXPECT_GT(report.find("dmin")->value, 0.7) << what;
    EXPECT_LT(report.find("cap")->value, 0.06) << what;
  }
}

}  // namespace
}  // namespace dapple
