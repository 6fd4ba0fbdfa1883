// A drawing on a sheet larger than its machine: its tiles together are the drawing, no more and no
// less, and their seams are no lines.
#include "draw/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "draw/snap_to_grid.hpp"
#include "stipple_on_paper.hpp"

namespace dapple {
namespace {

using namespace test::on_paper;

StippleOptions large_sheet(const char* tiles) {
  StippleOptions options;
  options.paper = {400, 300, 1, Unit::mm};
  options.margin = {10, Unit::mm};
  options.dots = 1200;
  from_text(tiles, options.tiles);
  return options;
}

// Rounded to what no two dots share.
std::pair<std::int64_t, std::int64_t> place_of(Vec2 p) {
  return {std::llround(p.x * 1e6), std::llround(p.y * 1e6)};
}

// Its marks are the first layer.
std::vector<Layer> drawn(const DrawingTile& tile) {
  EXPECT_EQ(tile.drawing.layers.front().name, "0 registration");
  return {tile.drawing.layers.begin() + 1, tile.drawing.layers.end()};
}

void expect_on_page(const DrawingTile& tile) {
  const auto is_on = [&](Vec2 p, double reach) {
    return p.x >= reach - 1e-9 && p.y >= reach - 1e-9 && p.x <= tile.drawing.width - reach + 1e-9 &&
           p.y <= tile.drawing.height - reach + 1e-9;
  };
  for (const Layer& layer : tile.drawing.layers) {
    for (const Disc& disc : layer.discs) {
      EXPECT_TRUE(is_on(disc.center, rim_of_mark(tile.drawing, disc)));
    }
    for (const Polyline& line : layer.lines) {
      for (const Vec2 p : line.points) EXPECT_TRUE(is_on(p, 0.5 * line.width)) << p.x << " " << p.y;
    }
  }
}

TEST(Tiles, HoldEveryDotOnce) {
  for (const int split : {1, 3}) {
    StippleOptions options = large_sheet("3x2");
    options.split = split;
    options.ink.path = "navy,orange";
    Context context;
    const Drawing whole = made(options, context, scene(400, 300)).drawing;
    const std::vector<DrawingTile> tiles = tiles_of(whole, context);
    ASSERT_EQ(tiles.size(), 6u);
    for (std::size_t layer = 0; layer < whole.layers.size(); ++layer) {
      std::map<std::pair<std::int64_t, std::int64_t>, double> once;
      for (const Disc& disc : whole.layers[layer].discs) once[place_of(disc.center)] = disc.radius;
      ASSERT_EQ(once.size(), whole.layers[layer].discs.size());
      ASSERT_GT(once.size(), 100u);
      for (const DrawingTile& tile : tiles) {
        const std::vector<Layer> layers = drawn(tile);
        ASSERT_EQ(layers.size(), whole.layers.size());
        EXPECT_EQ(layers[layer].name, whole.layers[layer].name);
        EXPECT_GT(layers[layer].discs.size(), 5u);
        for (const Disc& disc : layers[layer].discs) {
          const auto found = once.find(place_of(disc.center + tile.corner));
          ASSERT_NE(found, once.end()) << "drawn twice, or by no one before";
          EXPECT_EQ(found->second, disc.radius);
          once.erase(found);
        }
      }
      EXPECT_TRUE(once.empty()) << once.size() << " dots are lost";
    }
    for (const DrawingTile& tile : tiles) expect_on_page(tile);
  }
}

TEST(Tiles, HoldEveryPartOfALineOnce) {
  StippleOptions options = large_sheet("2x3");
  options.path = DotPath::tsp;
  options.pen = {0.8, Unit::mm};
  Context context;
  const Drawing whole = made(options, context, scene(400, 300)).drawing;
  const std::vector<DrawingTile> tiles = tiles_of(whole, context);
  const auto length_of = [](const std::vector<Polyline>& lines) {
    double sum = 0;
    for (const Polyline& line : lines) {
      for (std::size_t i = 1; i < line.points.size(); ++i) {
        sum += length(line.points[i] - line.points[i - 1]);
      }
    }
    return sum;
  };
  Drawing together = whole;
  together.layers[0].lines.clear();
  std::set<std::pair<std::int64_t, std::int64_t>> corners;
  for (const DrawingTile& tile : tiles) {
    expect_on_page(tile);
    for (Polyline line : std::vector(drawn(tile)[0].lines)) {
      ASSERT_GE(line.points.size(), 2u);
      for (Vec2& p : line.points) {
        p = p + tile.corner;
        corners.insert(place_of(p));
      }
      together.layers[0].lines.push_back(std::move(line));
    }
  }
  EXPECT_NEAR(length_of(together.layers[0].lines), length_of(whole.layers[0].lines), 1e-6);
  for (const Polyline& line : whole.layers[0].lines) {
    for (const Vec2 p : line.points) EXPECT_TRUE(corners.contains(place_of(p)));
  }
  // What covers as much of each pixel, but where two pieces meet end to end.
  const Image a = rasterize(whole, 400, 300, context);
  const Image b = rasterize(together, 400, 300, context);
  double off = 0;
  for (std::size_t i = 0; i < a.channels[0].size(); ++i) {
    off += std::abs(static_cast<double>(a.channels[0].values()[i] - b.channels[0].values()[i]));
  }
  EXPECT_LT(off / static_cast<double>(a.channels[0].size()), 1e-4);
}

// Of a band round the seam each tile draws a part, the smaller the farther it lies beyond; and both
// of its parts are even.
TEST(Tiles, SeamsAreNoLines) {
  Image gray;
  gray.names = {"Y"};
  gray.channels.emplace_back(400, 300, 0.6f);
  StippleOptions options = large_sheet("2x1");
  options.dots = 24000;
  options.tile_overlap = {40, Unit::mm};
  Context context;
  const std::vector<DrawingTile> tiles = tiles_of(made(options, context, gray).drawing, context);
  std::array<std::array<double, 10>, 2> counts{};
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Disc& disc : std::vector(drawn(tiles[side])[0].discs)) {
      const double x = disc.center.x + tiles[side].corner.x - 180;
      if (x >= 0 && x < 40) ++counts[side][static_cast<std::size_t>(x / 4)];
    }
  }
  for (std::size_t i = 0; i < 10; ++i) {
    const double share = counts[1][i] / (counts[0][i] + counts[1][i]);
    EXPECT_NEAR(share, (static_cast<double>(i) + 0.5) / 10, 0.1) << i;
  }
}

TEST(Tiles, MarksLieAtTheSamePlacesOfTheSheet) {
  Context context;
  const auto tiles = tiles_of(made(large_sheet("3x2"), context, scene(400, 300)).drawing, context);
  std::map<std::pair<std::int64_t, std::int64_t>, int> crosses;
  for (const DrawingTile& tile : tiles) {
    const Layer& marks = tile.drawing.layers.front();
    ASSERT_EQ(marks.lines.size(), 8u);
    for (std::size_t i = 0; i < 8; i += 2) {
      const Vec2 middle = (marks.lines[i].points[0] + marks.lines[i].points[1]) * 0.5;
      ++crosses[place_of(middle + tile.corner)];
    }
  }
  // Four at corners of the sheet, six on its edges between two tiles, two between four.
  ASSERT_EQ(crosses.size(), 12u);
  std::map<int, int> tiles_of_a_cross;
  for (const auto& [place, number] : crosses) ++tiles_of_a_cross[number];
  EXPECT_EQ(tiles_of_a_cross, (std::map<int, int>{{1, 4}, {2, 6}, {4, 2}}));
}

TEST(Tiles, FitIntoTheAreaOfTheMachine) {
  for (const auto& [area, columns, rows] :
       {std::tuple{"218x300mm", 2, 1}, std::tuple{"150x120mm", 3, 3}, std::tuple{"A3", 2, 1},
        std::tuple{"A2-landscape", 1, 1}}) {
    SCOPED_TRACE(area);
    const StippleOptions options = large_sheet(area);
    Context context;
    const Drawing whole = made(options, context, scene(400, 300)).drawing;
    EXPECT_EQ(whole.tiling.columns, columns);
    EXPECT_EQ(whole.tiling.rows, rows);
    for (const DrawingTile& tile : tiles_of(whole, context)) {
      EXPECT_LE(tile.drawing.width, options.tiles.area.width_mm() + 1e-9);
      EXPECT_LE(tile.drawing.height, options.tiles.area.height_mm() + 1e-9);
      expect_on_page(tile);
    }
  }
  EXPECT_NE(problem_of(large_sheet("12x300mm")).find("leaves no room"), std::string::npos);
  Context context;
  const Drawing whole = made(large_sheet("60x1"), context, scene(400, 300)).drawing;
  EXPECT_THROW(tiles_of(whole, context), Error);
}

TEST(Tiles, AreAskedForInWords) {
  TileGrid tiles;
  for (const char* text : {"2x3", "1x1", "300x218mm", "11x17in"}) {
    from_text(text, tiles);
    EXPECT_EQ(to_text(tiles), text);
  }
  for (const char* text : {"0x2", "2.5x1", "300x218", "x", "2x3x4", "-1x2"}) {
    EXPECT_THROW(from_text(text, tiles), Error) << text;
  }
}

}  // namespace
}  // namespace dapple
