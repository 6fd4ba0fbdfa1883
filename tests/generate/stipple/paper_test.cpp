// What stays true on the paper: gaps between dots, the picture inside its margin, marks of each
// ink.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <string>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "draw/snap_to_grid.hpp"
#include "stipple_on_paper.hpp"

namespace dapple {
namespace {
using namespace test::on_paper;

constexpr double pi = std::numbers::pi;

TEST(StippleGap, HoldsBetweenAllDots) {
  struct Case {
    const char* what;
    void (*set)(StippleOptions&);
  };
  for (const auto& [what, set] :
       std::vector<Case>{{"number", [](StippleOptions& o) { o.dots = 2000; }},
                         {"lbg",
                          [](StippleOptions& o) {
                            o.dots = 1500;
                            o.method = StippleMethod::lbg;
                          }},
                         {"voronoi",
                          [](StippleOptions& o) {
                            o.dots = 1500;
                            o.method = StippleMethod::voronoi;
                          }},
                         {"poisson",
                          [](StippleOptions& o) {
                            o.dots = 1500;
                            o.method = StippleMethod::poisson;
                          }},
                         {"regular",
                          [](StippleOptions& o) {
                            o.dots = 1500;
                            o.regularity = 1;
                          }},
                         {"size",
                          [](StippleOptions& o) {
                            o.dot_size = {{0.6, Unit::mm}, {0.6, Unit::mm}};
                          }},
                         {"sizes",
                          [](StippleOptions& o) {
                            o.dot_size = {{0.5, Unit::mm}, {2.5, Unit::mm}};
                          }},
                         {"inks",
                          [](StippleOptions& o) {
                            o.ink.path = "cmyk";
                            o.dots = 1500;
                          }},
                         {"point",
                          [](StippleOptions& o) {
                            o.shape = DotShape::point;
                            o.pen = {0.5, Unit::mm};
                          }},
                         {"circle",
                          [](StippleOptions& o) {
                            o.shape = DotShape::circle;
                            o.pen = {0.2, Unit::mm};
                            o.dots = 800;
                          }},
                         {"spiral",
                          [](StippleOptions& o) {
                            o.shape = DotShape::spiral;
                            o.pen = {0.3, Unit::mm};
                            o.dots = 800;
                          }},
                         {"outline", [](StippleOptions& o) {
                            o.shape = DotShape::outline;
                            o.outline.outline = std::make_shared<const Outline>(
                                make_outline({{{{{0, 0}, {5, 1}, {2, 2}, {1, 6}}}, false}}));
                            o.dots = 1000;
                          }}}) {
    SCOPED_TRACE(what);
    StippleOptions options = usual_paper();
    options.gap = {0.25, Unit::mm};
    set(options);
    Context context;
    const Stippling result = made(options, context);
    EXPECT_GT(result.dots.size(), 500u);
    if (options.dots > 0) {
      EXPECT_EQ(static_cast<std::int64_t>(result.dots.size()), options.dots);
    }
    EXPECT_GE(least_gap(result.drawing), 0.25);
    // Without it they would be nearer.
    options.gap = {};
    EXPECT_LT(least_gap(made(options, context).drawing), 0.2);
  }
}

// As many dots as fit, on the grid of HP-GL.
TEST(StippleGap, HoldsInStepsOfAPlotter) {
  StippleOptions options = usual_paper();
  options.gap = {0.3, Unit::mm};
  options.shape = DotShape::point;
  options.pen = {0.5, Unit::mm};
  options.dots = 100000;
  options.dots = advised(problem_of(options));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Context context;
    context.seed = seed;
    Drawing drawing = made(options, context).drawing;
    const std::vector<Disc> before = drawing.layers[0].discs;
    put_on_grid(drawing, 0.025);
    EXPECT_GE(least_gap(drawing), 0.3 - 1e-9);
    double farthest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec2 p = drawing.layers[0].discs[i].center;
      farthest = std::max(farthest, length(p - before[i].center));
      EXPECT_NEAR(p.x / 0.025, std::round(p.x / 0.025), 1e-6);
    }
    EXPECT_LT(farthest, 0.08);
  }
}

TEST(StippleGap, SaysTheLargestNumberThatFits) {
  for (const bool point : {false, true}) {
    StippleOptions options = usual_paper();
    options.gap = {0.6, Unit::mm};
    if (point) {
      options.shape = DotShape::point;
      options.pen = {0.5, Unit::mm};
    }
    options.dots = 100000;
    const std::int64_t most = advised(problem_of(options));
    EXPECT_GT(most, 1000);
    options.dots = most + 1;
    EXPECT_EQ(advised(problem_of(options)), most);
    options.dots = most;
    Context context;
    const Stippling result = made(options, context);
    EXPECT_EQ(static_cast<std::int64_t>(result.dots.size()), most);
    EXPECT_GE(least_gap(result.drawing), 0.6);
  }
  // Thin papers and black ones.
  for (const auto& [width, height] : {std::pair{400, 4}, std::pair{3, 90}, std::pair{60, 60}}) {
    Image black;
    black.names = {"Y"};
    black.channels.emplace_back(width, height, 0.0f);
    StippleOptions options;
    options.gap = {1, Unit::px};
    options.dots = 1000000;
    options.dots = advised(problem_of(options, black));
    ASSERT_GT(options.dots, 0);
    Context context;
    EXPECT_GE(least_gap(made(options, context, black).drawing), 25.4 / 96 * (1 - 1e-9));
  }
}

TEST(StippleGap, KeepsTheTonesThatItCan) {
  StippleOptions options = usual_paper();
  options.dots = 900;
  Context context;
  const Stippling wide = made(options, context);
  options.gap = {0.2, Unit::mm};
  const Stippling held = made(options, context);
  // The same ink where it fits, and what is drawn is what is said.
  double most = 0;
  double asked = 0;
  double drawn = 0;
  for (std::size_t i = 0; i < held.darkness.size(); ++i) {
    const auto got = static_cast<double>(held.darkness.values()[i]);
    const auto want = static_cast<double>(wide.darkness.values()[i]);
    EXPECT_LE(got, want * (1 + 1e-6));
    most = std::max(most, got);
    asked += want;
    drawn += got;
  }
  double ink = 0;
  for (const float r : held.dots.radius)
    ink += pi * static_cast<double>(r) * static_cast<double>(r);
  EXPECT_NEAR(ink / drawn, 1, 1e-3);
  EXPECT_LT(drawn, asked);
  EXPECT_GT(most, 0.4);
  for (std::size_t i = 0; i < held.darkness.size(); ++i) {
    const float want = wide.darkness.values()[i];
    if (static_cast<double>(want) < most - 1e-3) {
      ASSERT_NEAR(held.darkness.values()[i], want, 1e-5);
    }
  }
  EXPECT_EQ(context.warnings().size(), 1u) << "black is drawn lighter";
  options.path = DotPath::tsp;
  EXPECT_NE(problem_of(options).find("gap: works only with dots"), std::string::npos);
}

TEST(StippleGap, DotsThatMayNotTouchCoverMostOfThePaper) {
  StippleOptions options = usual_paper();
  options.no_overlap = true;
  options.dots = 1500;
  Context context;
  for (const bool sizes : {false, true}) {
    if (sizes) {
      options.dots = 0;
      options.dot_size = {{0.6, Unit::mm}, {2, Unit::mm}};
    }
    const Stippling result = made(options, context);
    EXPECT_GE(least_gap(result.drawing), 0);
    const auto values = result.darkness.values();
    EXPECT_NEAR(*std::max_element(values.begin(), values.end()), 0.9 * pi / 4, 1e-4);
    // In the black corner too.
    double ink = 0;
    for (std::size_t i = 0; i < result.dots.size(); ++i) {
      const Vec2 p = result.dots[i];
      if (p.x < 0.75 * 160 || p.y > 0.25 * 120) continue;
      const auto r = static_cast<double>(result.dots.radius[i]);
      ink += pi * r * r;
    }
    EXPECT_NEAR(ink / (0.25 * 160 * 0.25 * 120), 0.9 * pi / 4, 0.05);
  }
}

struct Extent {
  Vec2 low{1e9, 1e9};
  Vec2 high{-1e9, -1e9};
};
Extent extent_of(const Drawing& drawing) {
  Extent extent;
  for (const Disc& disc : drawing.layers[0].discs) {
    extent.low = {std::min(extent.low.x, disc.center.x), std::min(extent.low.y, disc.center.y)};
    extent.high = {std::max(extent.high.x, disc.center.x), std::max(extent.high.y, disc.center.y)};
  }
  return extent;
}

TEST(StippleFit, FillsThePaperInsideTheMargin) {
  const Image image = scene();
  for (const auto& [width, height] : {std::pair{200.0, 90.0}, std::pair{70.0, 180.0}}) {
    for (const PaperFit fit : {PaperFit::contain, PaperFit::cover, PaperFit::stretch}) {
      StippleOptions options;
      options.paper = {width, height, 1, Unit::mm};
      options.margin = {10, Unit::mm};
      options.fit = fit;
      options.dots = 4000;
      Context context;
      const Stippling result = made(options, context, image);
      const Extent extent = extent_of(result.drawing);
      EXPECT_GE(extent.low.x, 10 - 1e-9);
      EXPECT_GE(extent.low.y, 10 - 1e-9);
      EXPECT_LE(extent.high.x, width - 10 + 1e-9);
      EXPECT_LE(extent.high.y, height - 10 + 1e-9);
      const double spare =
          std::max({extent.low.x, extent.low.y, width - extent.high.x, height - extent.high.y}) -
          10;
      if (fit == PaperFit::contain) {
        EXPECT_GT(spare, 15);
        EXPECT_EQ(result.dots.domain.width, 160);
        continue;
      }
      EXPECT_LT(spare, 5) << "light corners have dots a few spacings from the edge";
      const Domain& domain = result.dots.domain;
      EXPECT_NEAR(domain.width / domain.height / ((width - 20) / (height - 20)), 1, 0.02);
      EXPECT_EQ(result.darkness.width(), domain.width);
      const auto dark = [&](double u, double v) {
        return result.darkness(static_cast<int>(u * domain.width),
                               static_cast<int>(v * domain.height));
      };
      if (fit == PaperFit::cover) {
        // The middle of the picture, as large as fits: pixel by pixel what the whole one has there.
        EXPECT_TRUE(domain.width == 160 || domain.height == 120);
        options.fit = PaperFit::contain;
        const Stippling whole = made(options, context, image);
        const int left = (160 - result.darkness.width()) / 2;
        const int top = (120 - result.darkness.height()) / 2;
        for (int y = 0; y < result.darkness.height(); ++y) {
          for (int x = 0; x < result.darkness.width(); ++x) {
            ASSERT_EQ(result.darkness(x, y), whole.darkness(x + left, y + top));
          }
        }
      } else {
        // All of the picture, along its sides and in its corners.
        EXPECT_TRUE(domain.width == 160 || domain.height == 120);
        EXPECT_GE(domain.width, 160);
        EXPECT_GE(domain.height, 120);
        EXPECT_EQ(dark(0.85, 0.15), 1);
        EXPECT_EQ(dark(0.1, 0.9), 0);
        for (const double u : {0.05, 0.35, 0.65}) {
          EXPECT_NEAR(static_cast<double>(dark(u, 0.5)), 0.1 + 0.5 * u + 0.15, 0.01);
        }
      }
    }
  }
  StippleOptions options;
  options.fit = PaperFit::cover;
  EXPECT_NE(problem_of(options).find("`paper"), std::string::npos);
}

TEST(StippleRegistration, MarksAreTheSameForEachInk) {
  for (const DotPath path : {DotPath::none, DotPath::tsp}) {
    StippleOptions options = usual_paper();
    options.ink.path = "black,red";
    options.dots = 600;
    options.pen = {0.3, Unit::mm};
    options.path = path;
    if (path == DotPath::none) options.shape = DotShape::point;
    Context context;
    const Stippling plain = made(options, context);
    options.registration = true;
    const Stippling marked = made(options, context);
    ASSERT_EQ(marked.drawing.layers.size(), 2u);
    EXPECT_EQ(marked.drawing.layers[1].name, "2 red");
    const std::size_t before = plain.drawing.layers[0].lines.size();
    double drawn = 0;
    for (std::size_t ink = 0; ink < 2; ++ink) {
      const Layer& layer = marked.drawing.layers[ink];
      ASSERT_EQ(layer.lines.size(), before + 8);
      for (std::size_t i = before; i < layer.lines.size(); ++i) {
        const Polyline& line = layer.lines[i];
        EXPECT_EQ(line.points, marked.drawing.layers[0].lines[i].points);
        EXPECT_EQ(line.width, 0.3);
        ASSERT_EQ(line.points.size(), 2u);
        drawn += length(line.points[1] - line.points[0]);
        // In the margin, and on the paper with all of its width.
        for (const Vec2& p : line.points) {
          const double edge = std::min({p.x, p.y, 100 - p.x, 80 - p.y});
          EXPECT_GT(edge, 0.15);
          EXPECT_LT(edge, 10 - 0.15);
        }
      }
    }
    EXPECT_NEAR(forecast(marked.drawing).drawn - forecast(plain.drawing).drawn, drawn, 1e-6);
    EXPECT_GT(drawn, 2 * 8 * 5.0);
    const auto more = [&](const char* format) {
      return encode_drawing(marked.drawing, format).size() >
             encode_drawing(plain.drawing, format).size() + 100;
    };
    for (const char* format : {"svg", "hpgl", "gcode"}) EXPECT_TRUE(more(format)) << format;
    const Image image = rasterize(marked.drawing, 1000, 800, context);
    const Image without = rasterize(plain.drawing, 1000, 800, context);
    EXPECT_EQ(without.channels[0](50, 50), 1);
    EXPECT_LT(image.channels[1](50, 50), 0.5) << "a cross at 5 mm from both sides";
    options.margin = {1, Unit::mm};
    EXPECT_NE(problem_of(options).find("margin"), std::string::npos);
  }
}

TEST(StipplePen, PicturesShowItsWidth) {
  struct Case {
    DotShape shape;
    double pen;
    double ink;  // mm^2 of a dot of radius 1.2
  };
  for (const auto& [shape, pen, ink] :
       std::vector<Case>{{DotShape::point, 0.7, pi * 0.35 * 0.35},
                         {DotShape::circle, 0.4, 2 * pi * 1.2 * 0.4},
                         {DotShape::circle, 0.8, 2 * pi * 1.2 * 0.8},
                         {DotShape::spiral, 0.3, pi * 1.44}}) {
    StippleOptions options = usual_paper();
    options.shape = shape;
    options.pen = {pen, Unit::mm};
    if (shape != DotShape::point) options.dot_size = {{2.4, Unit::mm}, {2.4, Unit::mm}};
    options.gap = {0.3, Unit::mm};  // so that no ink lies on ink
    options.dots = 150;
    Context context;
    const Stippling result = made(options, context);
    for (const int size : {500, 1600}) {
      const Image image = rasterize(result.drawing, size, size * 4 / 5, context);
      EXPECT_NEAR(ink_of(image) * 8000 / (150 * ink), 1, 0.01) << pen << ' ' << size;
    }
  }
}

}  // namespace
}  // namespace dapple
