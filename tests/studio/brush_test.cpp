// The brush: what strokes do to the weight of a photo.
#include "studio/brush.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple::studio {
namespace {

using app::Json;

std::shared_ptr<const Stroke> stroke(BrushTool tool, std::vector<Vec2> points, double size = 0.2,
                                     double softness = 0) {
  return std::make_shared<const Stroke>(Stroke{tool, size, softness, std::move(points)});
}

// At a place given by shares.
int at(const Plane<std::uint8_t>& plane, double x, double y) {
  return plane(static_cast<int>(x * plane.width()), static_cast<int>(y * plane.height()));
}

class BrushTest : public testing::Test {
 protected:
  BrushTest() { brush.begin(unbrushed(200, 100, nullptr)); }
  Brush brush;
  Context context;
};

TEST_F(BrushTest, StrokesGoHalfTheWayThatIsLeft) {
  const auto more = stroke(BrushTool::more, {{0.25, 0.5}});
  const auto fewer = stroke(BrushTool::fewer, {{0.75, 0.5}});
  EXPECT_EQ(at(brush.replayed({}, context).weight, 0.25, 0.5), neutral_weight);
  EXPECT_EQ(at(brush.replayed({more}, context).weight, 0.25, 0.5), 192);
  EXPECT_EQ(at(brush.replayed({more, more}, context).weight, 0.25, 0.5), 224);
  const BrushLayers& both = brush.replayed({more, fewer}, context);
  EXPECT_EQ(at(both.weight, 0.25, 0.5), 192);
  EXPECT_EQ(at(both.weight, 0.75, 0.5), 64);
  EXPECT_EQ(at(both.weight, 0.5, 0.5), neutral_weight);
  // A circle: its diameter is a share of the longer side, 40 of 200 pixels.
  EXPECT_EQ(both.weight(50 + 18, 50), 192);
  EXPECT_EQ(both.weight(50 + 21, 50), neutral_weight);
  EXPECT_EQ(both.weight(50, 50 + 18), 192);
  EXPECT_EQ(both.weight(50, 50 + 21), neutral_weight);
}

TEST_F(BrushTest, AStrokeThatCrossesItselfCountsOnce) {
  const auto there_and_back =
      stroke(BrushTool::more, {{0.2, 0.5}, {0.6, 0.5}, {0.2, 0.5}, {0.6, 0.5}});
  const BrushLayers& layers = brush.replayed({there_and_back}, context);
  for (const double x : {0.2, 0.33, 0.4, 0.59}) EXPECT_EQ(at(layers.weight, x, 0.5), 192) << x;
}

TEST_F(BrushTest, ASoftRimFades) {
  const BrushLayers& layers =
      brush.replayed({stroke(BrushTool::more, {{0.5, 0.5}}, 0.4, 0.5)}, context);
  for (int x = 100; x < 145; ++x) {
    const int step = layers.weight(x, 50) - layers.weight(x + 1, 50);
    EXPECT_GE(step, 0) << x;
    EXPECT_LE(step, 10) << x;
  }
  EXPECT_EQ(layers.weight(115, 50), 192);
  EXPECT_GT(layers.weight(130, 50), neutral_weight);
  EXPECT_LT(layers.weight(130, 50), 190);
  EXPECT_EQ(layers.weight(141, 50), neutral_weight);
}

TEST_F(BrushTest, WhatIsProtectedStaysUntilItIsErased) {
  const auto protect = stroke(BrushTool::protect, {{0.4, 0.5}});
  const auto more = stroke(BrushTool::more, {{0.1, 0.5}, {0.9, 0.5}});
  const auto erase = stroke(BrushTool::erase, {{0.4, 0.5}});
  const auto before = stroke(BrushTool::fewer, {{0.4, 0.5}});
  EXPECT_EQ(at(brush.replayed({before, protect, more}, context).weight, 0.4, 0.5), 64);
  EXPECT_EQ(at(brush.replayed({before, protect, more}, context).weight, 0.8, 0.5), 192);
  EXPECT_EQ(at(brush.replayed({before, protect, more}, context).shield, 0.4, 0.5), 255);
  const Strokes all{before, protect, more, erase};
  EXPECT_EQ(at(brush.replayed(all, context).weight, 0.4, 0.5), neutral_weight);
  EXPECT_EQ(at(brush.replayed(all, context).shield, 0.4, 0.5), 0);
  EXPECT_EQ(at(brush.replayed({before, protect, more, erase, more}, context).weight, 0.4, 0.5),
            192);
}

// Whatever was replayed before: undone, grown, or another.
TEST_F(BrushTest, TheSameStrokesGiveTheSameLayers) {
  const auto a = stroke(BrushTool::more, {{0.3, 0.4}, {0.5, 0.8}}, 0.3, 0.7);
  const auto b = stroke(BrushTool::fewer, {{0.4, 0.4}, {0.8, 0.1}}, 0.25, 0.3);
  const auto c = stroke(BrushTool::erase, {{0.5, 0.5}}, 0.1, 1);
  const auto anew = [&](const Strokes& strokes) {
    Brush other;
    other.begin(unbrushed(200, 100, nullptr));
    return other.replayed(strokes, context).weight;
  };
  for (const Strokes& strokes : {Strokes{a}, Strokes{a, b}, Strokes{a, b, c}, Strokes{a, c},
                                 Strokes{a}, Strokes{}, Strokes{b, a, c}, Strokes{b, a}}) {
    EXPECT_EQ(brush.replayed(strokes, context).weight, anew(strokes)) << strokes.size();
  }
}

// Returns what a stroke covers of a place, by its nearest segment.
double covered(const Stroke& stroke, Vec2 p, int width, int height) {
  double distance = 1e9;
  for (std::size_t i = 0; i < stroke.points.size(); ++i) {
    const Vec2 before = stroke.points[i == 0 ? 0 : i - 1];
    const Vec2 a{before.x * width, before.y * height};
    const Vec2 way = Vec2{stroke.points[i].x * width, stroke.points[i].y * height} - a;
    const double squared = dot(way, way);
    const double t = squared > 0 ? std::clamp(dot(p - a, way) / squared, 0.0, 1.0) : 0.0;
    distance = std::min(distance, length(p - (a + way * t)));
  }
  const double radius = 0.5 * stroke.size * std::max(width, height);
  const double fade = std::max(stroke.softness * radius, 1.0);
  const double hard = stroke.softness * radius < 1 ? 0.5 : 0.0;
  const double t = std::clamp((radius + hard - distance) / fade, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

TEST_F(BrushTest, CoversByItsNearestSegment) {
  constexpr int width = 300, height = 170;
  Random random(7, Stream::darts, 0);
  for (const int points : {1, 2, 40, 3000}) {
    for (const double size : {0.004, 0.1, 0.9}) {
      for (const double softness : {0.0, 0.5, 1.0}) {
        std::vector<Vec2> path;
        for (int i = 0; i < points; ++i) {
          path.push_back({random.uniform() * 1.4 - 0.2, random.uniform() * 0.3 + 0.6});
        }
        const auto made = stroke(BrushTool::protect, path, size, softness);
        brush.begin(unbrushed(width, height, nullptr));
        const auto& shield = brush.replayed({made}, context).shield;
        for (int n = 0; n < 200; ++n) {
          const int x = static_cast<int>(random.uniform() * width);
          const int y = static_cast<int>(random.uniform() * height);
          EXPECT_NEAR(shield(x, y), 255 * covered(*made, {x + 0.5, y + 0.5}, width, height), 0.51)
              << points << " " << size << " " << softness << " at " << x << " " << y;
        }
      }
    }
  }
}

// Each of these strokes took minutes while every segment met every pixel.
TEST_F(BrushTest, StrokesOfManyPointsTakeLittleWork) {
  constexpr std::size_t most = 1 << 14;
  Random random(7, Stream::darts, 0);
  const auto path = [&](double across) {
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < most; ++i) {
      points.push_back(
          {0.5 + across * (random.uniform() - 0.5), 0.5 + across * (random.uniform() - 0.5)});
    }
    return points;
  };
  std::vector<Vec2> to_and_fro;
  for (std::size_t i = 0; i < most; ++i) {
    to_and_fro.push_back({i % 2 == 0 ? 0.0 : 1.0, 0.5 + 1e-7 * static_cast<double>(i)});
  }
  brush.begin(unbrushed(1024, 1024, nullptr));
  for (const auto& points : {path(0.001), path(0.03), path(1), to_and_fro}) {
    brush.replayed({stroke(BrushTool::more, points, 2, 1)}, context);
  }
}

TEST_F(BrushTest, ACancelLeavesTheLayersAsTheyWere) {
  const auto a = stroke(BrushTool::more, {{0.3, 0.4}, {0.5, 0.8}}, 0.3, 0.7);
  const auto b = stroke(BrushTool::fewer, {{0.4, 0.4}, {0.8, 0.1}}, 0.25, 0.3);
  const Plane<std::uint8_t> both = brush.replayed({a, b}, context).weight;
  brush.begin(unbrushed(200, 100, nullptr));
  brush.replayed({a}, context);
  context.cancel();
  EXPECT_THROW(brush.replayed({a, b}, context), Error);
  context.reset();
  EXPECT_EQ(brush.replayed({a, b}, context).weight, both);
}

// Of a large photo the layers are smaller, but never of a shape that --weight refuses.
TEST(Brush, LayersHaveTheShapeOfThePhoto) {
  for (const auto& [width, height] :
       {std::pair{4000, 3000}, std::pair{100, 100}, std::pair{5000, 30}, std::pair{317, 4711}}) {
    const BrushLayers layers = unbrushed(width, height, nullptr);
    const double ratio = 1.0 * layers.weight.width() / layers.weight.height();
    EXPECT_NEAR(ratio * height / width, 1, 0.009) << width << "x" << height;
    EXPECT_LE(layers.weight.size(), 1024u * 1024u);
  }
}

TEST(Brush, AWeightThatIsThereIsGoneOnFrom) {
  Context context;
  Image given = image_of(Plane<std::uint8_t>(200, 100, std::uint8_t{200}));
  Brush brush;
  brush.begin(unbrushed(200, 100, &given));
  EXPECT_EQ(at(brush.replayed({}, context).weight, 0.5, 0.5), 200);
  const auto fewer = stroke(BrushTool::fewer, {{0.5, 0.5}});
  EXPECT_EQ(at(brush.replayed({fewer}, context).weight, 0.5, 0.5), 100);
  EXPECT_EQ(
      at(brush.replayed({fewer, stroke(BrushTool::erase, {{0.5, 0.5}})}, context).weight, 0.5, 0.5),
      200);
  given = image_of(Plane<std::uint8_t>(100, 100));
  EXPECT_THROW(unbrushed(200, 100, &given), Error);
}

class BrushFileTest : public test::ProgramTest {};

// What the page shows is what the program reads from a file of it, to the bit.
TEST_F(BrushFileTest, AFileOfTheWeightIsTheWeight) {
  Plane<std::uint8_t> weight(256, 64);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight.values()[i] = static_cast<std::uint8_t>(i);
  }
  const Image image = image_of(weight);
  write_file((folder / "w.png").string(), encode_image(image, "png"), Overwrite::never);
  const Image again = read_image((folder / "w.png").string(), Context());
  ASSERT_EQ(again.channels.size(), 1u);
  EXPECT_EQ(again.channels[0], image.channels[0]);
  EXPECT_EQ(again.encoding, image.encoding);
}

TEST(Brush, StrokesAreChecked) {
  const Json good =
      Json::parse(R"({"tool":"fewer","size":0.3,"softness":1,"points":[0.1,0.2,0.3,0.4]})");
  const Stroke first = stroke_of(good, nullptr);
  EXPECT_EQ(first.tool, BrushTool::fewer);
  ASSERT_EQ(first.points.size(), 2u);
  EXPECT_EQ(first.points[1].y, 0.4);
  const Stroke longer = stroke_of(Json::parse(R"({"points":[1,1]})"), &first);
  EXPECT_EQ(longer.points.size(), 3u);
  EXPECT_EQ(longer.size, 0.3);
  for (const char* bad : {R"({"tool":"fewer","size":0.3,"softness":1})",
                          R"({"tool":"fewer","size":0.3,"softness":1,"points":[1]})",
                          R"({"tool":"fewer","size":0.3,"softness":1,"points":[1,"2"]})",
                          R"({"tool":"fewer","size":"0.3","softness":1,"points":[]})",
                          R"({"tool":"fewer","size":0.3,"points":[]})",
                          R"({"tool":"spray","size":0.3,"softness":1,"points":[]})",
                          R"({"size":0.3,"softness":1,"points":[]})"}) {
    EXPECT_THROW(stroke_of(Json::parse(bad), nullptr), Error) << bad;
  }
  Json endless = good;
  for (int i = 0; i < 40000; ++i) endless["points"].push_back(0.5);
  EXPECT_THROW(stroke_of(endless, nullptr), Error);
}

}  // namespace
}  // namespace dapple::studio
