// Coverage of pixels by discs, and what a drawing looks like as pixels.
#include "draw/raster.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>

#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

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

// Evenly spaced dots, some of which touch.
Drawing even_dots(double width, double height, double radius, double spacing) {
  Drawing drawing = paper(width, height);
  Context context;
  const Points points =
      sample(DensityField::constant({width, height, false}, spacing), {}, 0, context);
  for (std::size_t i = 0; i < points.size(); ++i) {
    drawing.layers[0].discs.push_back({points[i], radius});
  }
  return drawing;
}

// The share of the paper under ink, by `parts` a millimeter each way.
double covered_share(const Drawing& drawing, int parts) {
  const int width = static_cast<int>(drawing.width) * parts;
  const int height = static_cast<int>(drawing.height) * parts;
  Plane<std::uint8_t> ink(width, height);
  for (const Disc& disc : drawing.layers[0].discs) {
    const Vec2 p = disc.center * parts;
    const double r = disc.radius * parts;
    for (int y = std::max(0, static_cast<int>(p.y - r));
         y < std::min(height, static_cast<int>(p.y + r) + 1); ++y) {
      for (int x = std::max(0, static_cast<int>(p.x - r));
           x < std::min(width, static_cast<int>(p.x + r) + 1); ++x) {
        if (length(Vec2{x + 0.5, y + 0.5} - p) < r) ink(x, y) = 1;
      }
    }
  }
  return std::accumulate(ink.values().begin(), ink.values().end(), 0.0) /
         static_cast<double>(ink.size());
}

TEST(Rasterize, ToneIsThatOfManyParts) {
  Context context;
  // Radius in pixels; dots combined as if by chance, in parts of pixels, are .005 too light.
  for (const double radius : {0.52, 1.66}) {
    const Drawing drawing = even_dots(120, 80, radius, 1.92 * radius);
    const Image image = rasterize(drawing, 120, 80, context);
    EXPECT_NEAR(ink(image) / static_cast<double>(image.channels[0].size()),
                covered_share(drawing, 24), 0.002)
        << radius;
  }
}

TEST(Rasterize, DotsInACrowdLieByChance) {
  std::mt19937 engine(5);
  const auto unit = [&] { return static_cast<double>(engine()) / 4294967296.0; };
  for (const double part : {1.0, 0.03}) {
    // All of them cover half of what they lie in.
    constexpr int dots = 20000;
    Drawing drawing = paper(100, 100);
    const double side = 100 * part;
    const double radius = std::sqrt(0.7 * side * side / pi / dots);
    for (int i = 0; i < dots; ++i) {
      drawing.layers[0].discs.push_back(
          {{20 * part + side * unit() * 0.6, 30 * part + side * 0.6 * unit()}, radius});
    }
    Context context;
    const double share = (1 - std::exp(-0.7 / 0.36)) * 0.36 * part * part;
    EXPECT_NEAR(ink(rasterize(drawing, 200, 200, context)) / 40000 / share, 1, 0.04) << part;
  }
}

TEST(Rasterize, InsideADotAllIsInk) {
  Drawing drawing = paper(40, 40);
  Context context;
  for (const double radius : {2.0, 7.3, 11.9, 14.2}) {
    drawing.layers[0].discs = {{{20.3, 19.8}, radius}};
    const Image image = rasterize(drawing, 40, 40, context);
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 40; ++x) {
        const double area =
            disc_box_area({20.3, 19.8}, radius, {1.0 * x, 1.0 * y, x + 1.0, y + 1.0});
        const float value = image.channels[0](x, y);
        if (area >= 1) {
          ASSERT_EQ(value, 0) << x << ", " << y;
        } else if (area <= 0) {
          ASSERT_EQ(value, 1) << x << ", " << y;
        }
        ASSERT_NEAR(1 - srgb_to_linear(value), area, 1e-4) << x << ", " << y;
      }
    }
  }
}

TEST(Rasterize, RowsMayBeLowerThanPixelsAreWide) {
  Context context;
  for (const double radius : {0.8, 2.4, 5.8, 6.2}) {
    Drawing drawing = paper(20, 20);
    drawing.layers[0].discs = {{{10.1, 9.7}, radius}};
    const Image image = rasterize(drawing, 40, 320, context);
    EXPECT_NEAR(ink(image) / 32 / (pi * radius * radius), 1, 1e-4) << radius;
  }
}

TEST(Rasterize, DotsOfNoSizeLeaveNothing) {
  Context context;
  for (const double radius : {0.0, 1e-300, 1e-50, 1e-20}) {
    for (const DotShape shape : {DotShape::disc, DotShape::circle}) {
      Drawing drawing = paper(4, 4);
      drawing.shape = shape;
      drawing.layers[0].discs = {{{1.5, 1.5}, radius}, {{2, 2}, radius}};
      const Image image = rasterize(drawing, 4, 4, context);
      for (const float v : image.channels[0].values()) EXPECT_EQ(v, 1) << radius;
    }
  }
}

TEST(Rasterize, AWindowIsACutOfTheWhole) {
  std::mt19937 engine(7);
  const auto below = [&](int limit) {
    return static_cast<int>(engine() % static_cast<unsigned>(limit));
  };
  Drawing dots = even_dots(60, 40, 0.5, 0.9);
  Drawing crowd = even_dots(60, 40, 2, 0.9);
  Drawing circles = even_dots(60, 40, 0.8, 1.9);
  circles.shape = DotShape::circle;
  circles.pen = 0.2;
  Drawing large = even_dots(60, 40, 9, 17);
  Drawing lines = dots;
  lines.layers[0].lines = {{{{1, 1}, {58, 3}, {2, 39}}, 0.7}};
  Context context;
  for (const Drawing* drawing : {&dots, &crowd, &circles, &large, &lines}) {
    const Image whole = rasterize(*drawing, 123, 81, context);
    const PreparedDrawing prepared(std::make_shared<Drawing>(*drawing), context);
    for (int i = 0; i < 20; ++i) {
      PictureWindow window{below(123), below(81), 0, 0};
      window.width = 1 + below(123 - window.left);
      window.height = 1 + below(81 - window.top);
      const Image part = prepared.rasterize({123, 81, window}, context);
      for (int y = 0; y < window.height; ++y) {
        for (int x = 0; x < window.width; ++x) {
          ASSERT_EQ(part.channels[0](x, y), whole.channels[0](window.left + x, window.top + y))
              << window.left << " + " << x << ", " << window.top << " + " << y;
        }
      }
    }
  }
}

// At any scale, and between pixels: what a drawing shows that was scaled and moved itself.
TEST(Rasterize, AWindowBetweenPixels) {
  Drawing dots = even_dots(60, 40, 0.5, 0.9);
  dots.layers[0].lines = {{{{1, 1}, {58, 3}, {2, 39}}, 0.7}};
  dots.layers[0].fills = {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}};
  const double scale = 2.3;
  const Vec2 corner{17.25, 9.5};
  Drawing moved = dots;
  moved.width = 50;
  moved.height = 30;
  const auto move = [&](Vec2 p) { return p * scale - corner; };
  for (Disc& disc : moved.layers[0].discs) disc = {move(disc.center), disc.radius * scale};
  for (Vec2& p : moved.layers[0].lines[0].points) p = move(p);
  moved.layers[0].lines[0].width *= scale;
  for (Vec2& p : moved.layers[0].fills[0]) p = move(p);
  Context context;
  const Image expected = rasterize(moved, 50, 30, context);
  const PreparedDrawing prepared(std::make_shared<Drawing>(dots), context);
  const Image seen =
      prepared.rasterize({60 * scale, 40 * scale, {17, 9, 50, 30, {0.25, 0.5}}}, context);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 50; ++x) {
      ASSERT_NEAR(seen.channels[0](x, y), expected.channels[0](x, y), 1e-5) << x << " " << y;
    }
  }
  EXPECT_THROW(prepared.rasterize({2e9, 1e9, {0, 0, 9, 9}}, context), Error);
  EXPECT_THROW(prepared.rasterize({60, 40, {0, 0, 0, 9}}, context), Error);
}

// The first marks of a layer alone: what a drawing shows that has no more.
TEST(Rasterize, PartsOfLayers) {
  Drawing whole = even_dots(60, 40, 0.5, 0.9);
  whole.layers[0].lines = {{{{1, 1}, {58, 3}, {2, 39}}, 0.7}, {{{5, 5}, {9, 9}}, 0.7}};
  whole.layers[0].fills = {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}};
  whole.layers.push_back({"2", "#808080", {{{30, 20}, 8}}, {}});
  Drawing part = whole;
  part.layers[0].lines.resize(1);
  part.layers[0].lines[0].points.resize(2);
  part.layers[1].discs.clear();
  Context context;
  const PreparedDrawing prepared(std::make_shared<Drawing>(whole), context);
  const std::size_t dots = whole.layers[0].discs.size();
  const auto shown = [&](std::size_t marks, bool fills) {
    return prepared.rasterize({60, 40, {0, 0, 60, 40}, {{fills, marks}, {false, 0}}}, context)
        .channels[0];
  };
  const Plane<float> all_but_the_last = rasterize(part, 60, 40, context).channels[0];
  EXPECT_TRUE(std::ranges::equal(shown(dots + 2, true).values(), all_but_the_last.values()));
  // How dots are combined is a matter of the whole layer: as with lines, wherever those are.
  part.layers[0].lines = {{{{-90, -90}}, 0.1}};
  part.layers[0].fills.clear();
  part.layers[0].discs.resize(dots / 3);
  const Plane<float> a_third = rasterize(part, 60, 40, context).channels[0];
  EXPECT_TRUE(std::ranges::equal(shown(dots / 3, false).values(), a_third.values()));
}

TEST(DotTiles, FindWhatTouchesAndLittleMore) {
  std::mt19937 engine(11);
  const auto any = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(engine()) / 4294967296.0;
  };
  std::vector<DotTiles::Dot> dots;
  for (int i = 0; i < 40000; ++i) {
    dots.push_back({{any(0, 400), any(0, 100)}, i % 997 == 0 ? any(0, 30) : any(0, 0.5)});
  }
  Context context;
  const auto dot = [&](std::size_t i) { return dots[i]; };
  const DotTiles tiles(dots.size(), dot, context);
  EXPECT_LT(tiles.bytes(), 4 * 5 * dots.size());
  std::vector<std::uint32_t> found;
  for (int i = 0; i < 60; ++i) {
    const Vec2 p{any(-20, 420), any(-20, 120)};
    const Box part{p.x, p.y, p.x + any(0, 20), p.y + any(0, 20)};
    const std::size_t end = i % 3 == 0 ? dots.size() / 2 : dots.size();
    tiles.find(part, end, found);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), std::less_equal<>()));  // each once
    EXPECT_LT(found.size(), 4000u);
    for (std::size_t k = 0; k < dots.size(); ++k) {
      const auto& [center, reach] = dots[k];
      const bool touches = center.x + reach > part.x0 && center.x - reach < part.x1 &&
                           center.y + reach > part.y0 && center.y - reach < part.y1;
      if (k >= end || !touches) continue;
      ASSERT_TRUE(std::binary_search(found.begin(), found.end(), k)) << k;
    }
    EXPECT_TRUE(found.empty() || found.back() < end);
  }
  // All at one place, on a line, none at all.
  for (const Vec2 step : {Vec2{0, 0}, Vec2{0.25, 0}, Vec2{0, 3}}) {
    const DotTiles line(
        500,
        [&](std::size_t i) {
          return DotTiles::Dot{step * static_cast<double>(i), 0};
        },
        context);
    line.find({-1, -1, 2000, 2000}, 500, found);
    EXPECT_EQ(found.size(), 500u);
  }
  DotTiles().find({0, 0, 1, 1}, 0, found);
  EXPECT_TRUE(found.empty());
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
