// Coverage of pixels by discs, and what a drawing looks like as pixels.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "dapple/color.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr double pi = std::numbers::pi;

// The same area by the midpoint rule over horizontal slices at y = r sin(t), whose chords have
// no infinite slope in t.
double sliced_area(Vec2 center, double r, const Box& box) {
  constexpr int slices = 20000;
  const double from = std::asin(std::clamp((box.y0 - center.y) / r, -1.0, 1.0));
  const double to = std::asin(std::clamp((box.y1 - center.y) / r, -1.0, 1.0));
  double area = 0;
  for (int i = 0; i < slices; ++i) {
    const double half = r * std::cos(from + (to - from) * (i + 0.5) / slices);
    const double chord = std::min(box.x1, center.x + half) - std::max(box.x0, center.x - half);
    if (chord > 0) area += chord * half * (to - from) / slices;
  }
  return area;
}

TEST(DiscBoxArea, MatchesSlices) {
  std::mt19937 engine(1);
  const auto any = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(engine()) / 4294967295.0;
  };
  for (int i = 0; i < 300; ++i) {
    const Vec2 center{any(-2, 2), any(-2, 2)};
    const double r = any(0.05, 3);
    const Box box{any(-2, 0), any(-2, 0), any(0, 2), any(0, 2)};
    EXPECT_NEAR(disc_box_area(center, r, box), sliced_area(center, r, box), 1e-7)
        << center.x << " " << center.y << " " << r;
  }
}

TEST(DiscBoxArea, KnownParts) {
  const Vec2 o{3, 4};
  for (const double r : {1e-9, 0.3, 1.0, 7.5, 1e6}) {
    const double full = pi * r * r;
    EXPECT_NEAR(disc_box_area(o, r, {3 - 2 * r, 4 - 2 * r, 3 + 2 * r, 4 + 2 * r}) / full, 1, 1e-6);
    EXPECT_NEAR(disc_box_area({0, 0}, r, {-r, -r, r, r}) / full, 1, 1e-15);
    EXPECT_NEAR(disc_box_area({0, 0}, r, {0, -r, r, r}) / full, 0.5, 1e-15);
    EXPECT_NEAR(disc_box_area({0, 0}, r, {0, 0, r, r}) / full, 0.25, 1e-15);
    // Half the radius cut off: r^2 (pi/3 - sqrt(3)/4).
    EXPECT_NEAR(disc_box_area({0, 0}, r, {r / 2, -r, r, r}) / (r * r), pi / 3 - std::sqrt(3.0) / 4,
                1e-14);
    EXPECT_NEAR(disc_box_area({0, 0}, r, {-r / 2, -r / 2, r / 2, r / 2}) / (r * r), 1, 1e-15);
    // A square whose side touches the disc, from outside.
    EXPECT_EQ(disc_box_area({0, 0}, r, {r, -r, 2 * r, r}), 0);
    EXPECT_EQ(disc_box_area({0, 0}, r, {-r, r, r, 2 * r}), 0);
  }
  EXPECT_EQ(disc_box_area(o, 0, {0, 0, 9, 9}), 0);
  EXPECT_EQ(disc_box_area(o, 1, {9, 9, 9, 9}), 0);
}

TEST(DiscBoxArea, KeepsItsDigitsWhereTheDiscIsHuge) {
  // The rim of a disc of radius 10^7 through a unit pixel is a straight line but for a sagitta of
  // 1e-8.
  const double r = 1e7;
  EXPECT_NEAR(disc_box_area({-r, 0.5}, r, {-0.25, 0, 0.75, 1}), 0.25, 2e-8);
  const double d = r / std::sqrt(2.0);
  EXPECT_NEAR(disc_box_area({-d, -d}, r, {-0.5, -0.5, 0.5, 0.5}), 0.5, 2e-7);
}

TEST(DiscBoxArea, PixelsAddUpToTheDisc) {
  std::mt19937 engine(2);
  const auto unit = [&] { return static_cast<double>(engine()) / 4294967296.0; };
  for (int i = 0; i < 200; ++i) {
    const double r = std::pow(10, 3 * unit() - 2) * 3;
    const Vec2 center{40 + unit(), 40 + unit()};
    const int reach = static_cast<int>(r) + 2;
    double sum = 0;
    for (int y = 40 - reach; y <= 40 + reach; ++y) {
      for (int x = 40 - reach; x <= 40 + reach; ++x) {
        const double area = disc_box_area(center, r, {x + 0.0, y + 0.0, x + 1.0, y + 1.0});
        EXPECT_GE(area, 0);
        EXPECT_LE(area, 1 + 1e-14);
        sum += area;
      }
    }
    EXPECT_NEAR(sum / (pi * r * r), 1, 1e-9);
  }
}

Drawing paper(double width, double height) {
  Drawing drawing;
  drawing.width = width;
  drawing.height = height;
  drawing.layers.push_back({"1 black", "#000000", {}, {}});
  return drawing;
}

double ink(const Image& image) {
  double sum = 0;
  for (const float v : image.channels[0].values()) sum += 1.0 - srgb_to_linear(v);
  return sum;
}

TEST(Rasterize, InkIsTheAreaOfTheDots) {
  Drawing drawing = paper(20, 10);
  double area = 0;
  for (int i = 0; i < 9; ++i) {
    drawing.layers[0].discs.push_back({{1.7 + 2.05 * i, 5.3}, 0.1 + 0.1 * i});
    area += pi * std::pow(0.1 + 0.1 * i, 2);
  }
  Context context;
  const Image image = rasterize(drawing, 333, 166, context);  // pixels that are not quite square
  EXPECT_EQ(image.names, std::vector<std::string>{"Y"});
  const double pixel = 20.0 / 333 * 10 / 166;
  EXPECT_NEAR(ink(image) * pixel / area, 1, 1e-5);
}

TEST(Rasterize, DotsOverTheEdgeAreCutOff) {
  Drawing drawing = paper(4, 4);
  drawing.layers[0].discs = {{{0, 0}, 1}, {{4, 2}, 1}, {{2, 90}, 1}, {{-50, 2}, 3}};
  Context context;
  const Image image = rasterize(drawing, 40, 40, context);
  EXPECT_NEAR(ink(image) / 100, pi / 4 + pi / 2, 1e-4);
}

TEST(Rasterize, DotsThatShareAPixel) {
  // Side by side their areas add up; one over the other they are the larger one.
  Drawing drawing = paper(1, 1);
  Context context;
  const auto covered = [&](std::vector<Disc> discs) {
    drawing.layers[0].discs = std::move(discs);
    const Image image = rasterize(drawing, 1, 1, context);
    return 1 - static_cast<double>(srgb_to_linear(image.channels[0](0, 0)));
  };
  EXPECT_NEAR(covered({{{0.3, 0.5}, 0.19}, {{0.7, 0.5}, 0.19}}), 2 * pi * 0.19 * 0.19, 0.003);
  EXPECT_NEAR(covered({{{0.5, 0.5}, 0.25}, {{0.5, 0.5}, 0.3}}), pi * 0.09, 0.02);
  EXPECT_NEAR(covered({{{0.5, 0.5}, 9}, {{0.5, 0.5}, 0.3}}), 1, 1e-6);
}

TEST(Rasterize, ToneIsTheSameAtAnySize) {
  // Dots on a slanted lattice that never touch: ink is their area, from large dots down to a tenth
  // of a pixel.
  Drawing drawing = paper(100, 80);
  for (int j = -40; j < 140; ++j) {
    for (int i = -40; i < 140; ++i) {
      const Vec2 p{i * 0.97 + j * 0.23, j * 0.97 - i * 0.23};
      if (p.x > 0.4 && p.x < 99.6 && p.y > 0.4 && p.y < 79.6) {
        drawing.layers[0].discs.push_back({p, 0.4});
      }
    }
  }
  Context context;
  const double area = pi * 0.16 * static_cast<double>(drawing.layers[0].discs.size()) / 8000;
  for (const int width : {1600, 500, 250, 90, 25}) {
    const Image image = rasterize(drawing, width, width * 4 / 5, context);
    EXPECT_NEAR(ink(image) / static_cast<double>(image.channels[0].size()), area, 0.012) << width;
  }
}

TEST(Rasterize, ColorsAndTransparency) {
  Drawing drawing = paper(2, 1);
  drawing.background = "none";
  drawing.layers[0].color = "#ff8000";
  drawing.layers[0].discs = {{{0.5, 0.5}, 0.25}};
  Context context;
  const Image image = rasterize(drawing, 2, 1, context);
  EXPECT_EQ(image.names, (std::vector<std::string>{"R", "G", "B", "A"}));
  EXPECT_NEAR(image.channels[3](0, 0), pi * 0.0625, 1e-6);
  EXPECT_EQ(image.channels[3](1, 0), 0);
  EXPECT_NEAR(image.channels[1](0, 0), 128.0 / 255, 1e-6);

  drawing.background = "#808080";
  const Image opaque = rasterize(drawing, 2, 1, context);
  ASSERT_EQ(opaque.channels.size(), 3u);
  EXPECT_NEAR(opaque.channels[2](1, 0), 128.0 / 255, 1e-6);
  const double cover = pi * 0.0625;
  const double blue = srgb_to_linear(128.0f / 255) * (1 - cover);
  EXPECT_NEAR(srgb_to_linear(opaque.channels[2](0, 0)), blue, 1e-6);
}

TEST(Rasterize, PlotterShapes) {
  Drawing drawing = paper(10, 10);
  drawing.layers[0].discs = {{{5, 5}, 2}};
  drawing.pen = 0.5;
  Context context;
  drawing.shape = DotShape::point;
  EXPECT_NEAR(ink(rasterize(drawing, 100, 100, context)) / 100, pi * 0.0625, 1e-5);
  drawing.shape = DotShape::circle;
  const Image ring = rasterize(drawing, 100, 100, context);
  EXPECT_NEAR(ink(ring) / 100, 2 * pi * 2 * 0.5, 1e-4);
  EXPECT_EQ(ring.channels[0](50, 50), 1);
}

TEST(Rasterize, LinesHaveTheirWidth) {
  Drawing drawing = paper(10, 10);
  // Ends off the paper: what is left is a parallelogram of known area.
  drawing.layers[0].lines = {{{{-5, 2}, {15, 6}}, 0.4}};
  Context context;
  const double slope_length = std::hypot(20, 4) / 20;
  EXPECT_NEAR(ink(rasterize(drawing, 200, 200, context)) / 400, 10 * 0.4 * slope_length, 1e-4);
  // Thin and in many pieces: no gaps and no blobs where they meet.
  drawing.layers[0].lines[0].points.clear();
  drawing.layers[0].lines[0].width = 0.03;
  for (int i = 0; i <= 50; ++i) {
    drawing.layers[0].lines[0].points.push_back({-5 + 0.4 * i, 2 + 0.08 * i});
  }
  EXPECT_NEAR(ink(rasterize(drawing, 200, 200, context)) / 400, 10 * 0.03 * slope_length, 1e-4);
  // A capsule.
  drawing.layers[0].lines = {{{{3, 5}, {7, 5}}, 2}};
  EXPECT_NEAR(ink(rasterize(drawing, 200, 200, context)) / 400, 8 + pi, 0.02);
}

TEST(Rasterize, SamePixelsAtAnyThreadCount) {
  Drawing drawing = paper(30, 30);
  std::mt19937 engine(3);
  for (int i = 0; i < 2000; ++i) {
    drawing.layers[0].discs.push_back(
        {{static_cast<double>(engine() % 3000) / 100, static_cast<double>(engine() % 3000) / 100},
         static_cast<double>(engine() % 100) / 100});
  }
  drawing.layers[0].lines = {{{{1, 1}, {28, 3}, {2, 29}}, 0.3}};
  std::vector<Plane<float>> seen;
  for (const int threads : {1, 2, 7}) {
    Context context;
    context.threads = threads;
    seen.push_back(rasterize(drawing, 301, 299, context).channels[0]);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(Rasterize, Refusals) {
  Context context;
  EXPECT_THROW(rasterize(paper(0, 4), 4, 4, context), Error);
  EXPECT_THROW(rasterize(paper(4, 4), 0, 4, context), Error);
  context.limits.max_pixels = 100;
  EXPECT_THROW(rasterize(paper(4, 4), 11, 10, context), Error);
  context.cancel();
  EXPECT_THROW(rasterize(paper(4, 4), 4, 4, context), Error);
}

TEST(Color, NamesAndHex) {
  EXPECT_EQ(parse_color("#fff"), (std::array<float, 3>{1, 1, 1}));
  EXPECT_EQ(parse_color("#336699"), (std::array<float, 3>{0.2f, 0.4f, 0.6f}));
  EXPECT_EQ(parse_color("blue"), (std::array<float, 3>{0, 0, 1}));
  for (const char* text : {"", "#12", "#12345", "#gggggg", "blu", "336699"}) {
    EXPECT_THROW(parse_color(text), Error) << text;
  }
}

}  // namespace
}  // namespace dapple
