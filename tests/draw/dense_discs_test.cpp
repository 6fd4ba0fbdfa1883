// Crowds of dots about as large as pixels, drawn by stamps.
#include "draw/dense_discs.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>

#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/plane.hpp"
#include "dapple/sample.hpp"
#include "draw/disc_coverage_table.hpp"
#include "draw/raster.hpp"
#include "old_names.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

constexpr int width = 400;
constexpr int height = 250;

// So many even dots that they are a crowd. Some of them share up to a tenth with others.
std::shared_ptr<const Drawing> crowd(double least, double most) {
  auto drawing = std::make_shared<Drawing>();
  drawing->width = width;
  drawing->height = height;
  drawing->layers.emplace_back();
  Context context;
  const Points points =
      sample(DensityField::constant({1.0 * width, 1.0 * height, false}, 0.66), {}, 0, context);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = static_cast<double>(i * 7919 % 1000) / 1000;
    drawing->layers[0].discs.push_back({points[i], least + (most - least) * share});
  }
  return drawing;
}
const std::shared_ptr<const Drawing>& of_one_size() {
  static const auto made = crowd(0.37, 0.37);
  return made;
}

const PreparedDrawing& prepared() {
  static const PreparedDrawing made = [] {
    Context context;
    return PreparedDrawing(of_one_size(), context, true);
  }();
  return made;
}

PreparedDrawing::View view(double scale, bool roughly) {
  const auto side = [scale](int mm) { return static_cast<int>(std::ceil(mm * scale)); };
  PreparedDrawing::View view{width * scale, height * scale, {0, 0, side(width), side(height)}};
  view.roughly = roughly;
  return view;
}

double ink(const Image& image) {
  double sum = 0;
  for (const float v : image.channels[0].values()) sum += 1.0 - srgb_to_linear(v);
  return sum / static_cast<double>(image.channels[0].size());
}

// The share of the paper under ink, by parts of it.
double covered_share(const Drawing& drawing) {
  constexpr int parts = 8;  // a millimeter
  Plane<std::uint8_t> covered(width * parts, height * parts);
  for (const Disc& disc : drawing.layers[0].discs) {
    const Vec2 p = disc.center * parts;
    const double r = disc.radius * parts;
    const auto lines = [r](double at, int limit) {
      return std::pair(std::max(0, static_cast<int>(at - r)),
                       std::min(limit, static_cast<int>(at + r) + 1));
    };
    const auto rows = lines(p.y, covered.height());
    const auto columns = lines(p.x, covered.width());
    for (int y = rows.first; y < rows.second; ++y) {
      for (int x = columns.first; x < columns.second; ++x) {
        if (length(Vec2{x + 0.5, y + 0.5} - p) < r) covered(x, y) = 1;
      }
    }
  }
  double sum = 0;
  for (const std::uint8_t c : covered.values()) sum += c;
  return sum / static_cast<double>(covered.size());
}

TEST(DenseDiscs, ToneIsThatOfTheDots) {
  Context context;
  for (const double least : {0.37, 0.2}) {
    const auto drawing = least < 0.37 ? crowd(least, 0.44) : of_one_size();
    ASSERT_GT(drawing->layers[0].discs.size(), 150'000u);
    const PreparedDrawing looked_at(drawing, context, true);
    const double share = covered_share(*drawing);
    for (const double scale : {0.4, 1.0, 2.2}) {
      EXPECT_NEAR(ink(looked_at.rasterize(view(scale, true), context)), share, 0.0015)
          << least << " " << scale;
    }
  }
}

TEST(DenseDiscs, PixelsAreNearlyExact) {
  Context context;
  for (const double scale : {0.7, 2.2}) {
    const Image exact = prepared().rasterize(view(scale, false), context);
    const Image rough = prepared().rasterize(view(scale, true), context);
    double squares = 0;
    bool same = true;
    for (std::size_t i = 0; i < exact.channels[0].size(); ++i) {
      const float a = exact.channels[0].values()[i];
      const float b = rough.channels[0].values()[i];
      same = same && a == b;
      squares += std::pow(srgb_to_linear(a) - srgb_to_linear(b), 2);
    }
    EXPECT_FALSE(same) << "there were no stamps";
    EXPECT_LT(std::sqrt(squares / static_cast<double>(exact.channels[0].size())), 0.012) << scale;
  }
  // Larger dots than stamps hold are exact.
  PreparedDrawing::View large = view(3, true);
  large.window = {90, 80, 50, 40, {}};
  const Image a = prepared().rasterize(large, context);
  large.roughly = false;
  const Image b = prepared().rasterize(large, context);
  EXPECT_TRUE(std::ranges::equal(a.channels[0].values(), b.channels[0].values()));
}

TEST(DenseDiscs, WindowsAndFirstDotsAreParts) {
  Context context;
  PreparedDrawing::View whole = view(1.3, true);
  const Image all = prepared().rasterize(whole, context);
  for (const PictureWindow window :
       {PictureWindow{0, 0, 1, 1}, {7, 33, 200, 100}, {500, 300, 20, 25}}) {
    PreparedDrawing::View part = whole;
    part.window = window;
    context.threads = 1;
    const Image seen = prepared().rasterize(part, context);
    for (int y = 0; y < window.height; ++y) {
      for (int x = 0; x < window.width; ++x) {
        ASSERT_EQ(seen.channels[0](x, y), all.channels[0](window.left + x, window.top + y))
            << x << " " << y;
      }
    }
  }
  const std::size_t dots = of_one_size()->layers[0].discs.size();
  whole.layers = {{true, dots / 3}};
  const double third = ink(prepared().rasterize(whole, context));
  whole.roughly = false;
  EXPECT_NEAR(third, ink(prepared().rasterize(whole, context)), 0.002);
}

TEST(DenseDiscs, TheSameBytesOnAnyProcessor) {
  std::vector<float> first;
  for_each_simd_target([&](const char* target) {
    Context context;
    const Image image = prepared().rasterize(view(0.6, true), context);
    const auto values = image.channels[0].values();
    if (first.empty()) first.assign(values.begin(), values.end());
    EXPECT_TRUE(std::ranges::equal(first, values)) << target;
  });
}

// However many lie on each other, and however large they are beside each other.
TEST(DenseDiscs, WhatDotsShareCountsOnce) {
  const Frame frame{.width = 20, .height = 20};
  const auto covered = [&](const std::vector<DenseDiscs::Circle>& circles) {
    Context context;
    const DenseDiscs crowd(
        circles.size(), [&](std::size_t i) { return circles[i]; }, context);
    Plane<float> clear(frame.width, frame.height, 1.0f);
    CoverageStamps(crowd, frame, context).draw(0, circles.size(), clear);
    double sum = 0;
    for (const float c : clear.values()) sum += 1 - static_cast<double>(c);
    return sum / std::numbers::pi;
  };
  const Vec2 p{5.3, 8.7};
  EXPECT_NEAR(covered({{p, 1}}), 1, 0.003);
  EXPECT_NEAR(covered({{p, 0.8}, {{12.1, 3}, 0.3}}), 0.64 + 0.09, 0.003);
  EXPECT_NEAR(covered({{p, 0.8}, {p, 0.3}}), 0.64, 0.003);
  EXPECT_NEAR(covered({{p, 0.6}, {p, 0.6}, {p, 0.6}, {p, 0.6}, {p, 0.6}}), 0.36, 0.005);
  // Two discs one radius apart share 2 pi / 3 - sqrt(3) / 2 of the square of it.
  const double lens = 2.0 / 3 - std::sqrt(3.0) / 2 / std::numbers::pi;
  EXPECT_NEAR(covered({{p, 1}, {{p.x + 1, p.y}, 1}}), 2 - lens, 0.004);
  EXPECT_NEAR(covered({{p, 1}, {{p.x + 1.9, p.y}, 1}, {{-3, 30}, 1}}), 2, 0.03);
  EXPECT_EQ(covered({}), 0);
}

}  // namespace
}  // namespace dapple
