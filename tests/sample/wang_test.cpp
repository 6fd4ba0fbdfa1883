// Tiles in any arrangement: spacing and coverage by brute force.
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

struct TileSheet {
  double side;
  std::map<int, std::vector<Vec2>> tiles;  // by class, from the corner of the tile
};

TileSheet cut(const Points& sheet, double side) {
  TileSheet result{side, {}};
  for (std::size_t i = 0; i < sheet.size(); ++i) {
    const Vec2 p = sheet[i];
    result.tiles[sheet.class_id[i]].push_back(
        {p.x - std::floor(p.x / side) * side, p.y - std::floor(p.y / side) * side});
  }
  return result;
}

// Points of n x n tiles whose corners have random colors.
std::vector<Vec2> random_tiling(const TileSheet& sheet, int colors, int n, std::uint64_t seed) {
  Random random(seed, Stream::tests);
  std::vector<int> color(static_cast<std::size_t>((n + 1) * (n + 1)));
  for (int& c : color) c = static_cast<int>(random.below(static_cast<std::uint32_t>(colors)));
  const auto at = [&](int x, int y) { return color[static_cast<std::size_t>(y * (n + 1) + x)]; };
  std::vector<Vec2> points;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const int tile =
          ((at(x, y) * colors + at(x + 1, y)) * colors + at(x, y + 1)) * colors + at(x + 1, y + 1);
      for (const Vec2 p : sheet.tiles.at(tile)) {
        points.push_back(p + Vec2{x * sheet.side, y * sheet.side});
      }
    }
  }
  return points;
}

double nearest_pair(const std::vector<Vec2>& points) {
  double least = 1e300;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, length(points[i] - points[j]));
    }
  }
  return least;
}

// Farthest that a place of a fine grid, away from the border, is from its nearest point.
double largest_hole(const std::vector<Vec2>& points, double size, double r) {
  double most = 0;
  const double step = r / 14;
  for (double y = r; y < size - r; y += step) {
    std::vector<Vec2> row;
    for (const Vec2 p : points) {
      if (std::abs(p.y - y) <= 1.2 * r) row.push_back(p);
    }
    for (double x = r; x < size - r; x += step) {
      double least = 1e300;
      for (const Vec2 p : row) least = std::min(least, length_squared(p - Vec2{x, y}));
      most = std::max(most, std::sqrt(least));
    }
  }
  return most;
}

TEST(Wang, AnyArrangementKeepsItsDistanceAndHasNoGaps) {
  for (const int colors : {2, 3}) {
    for (const double r : {1.5, 3.7}) {
      Context context;
      const double side = colors == 2 && r > 2 ? 14 : 16;  // as small as it gets, and not
      const TileSheet sheet = cut(wang_tiles(side, r, colors, context), side);
      EXPECT_EQ(sheet.tiles.size(), colors == 2 ? 16u : 81u);
      for (const std::uint64_t seed : {1, 2}) {
        const std::vector<Vec2> points = random_tiling(sheet, colors, 8, seed);
        EXPECT_GE(nearest_pair(points), r * (1 + 1e-6));
        EXPECT_LE(largest_hole(points, 8 * side, r), r * (1 + 1e-5));
      }
    }
  }
}

TEST(Wang, TheChecksCanFail) {
  Context context;
  TileSheet sheet = cut(wang_tiles(16, 2, 2, context), 16);
  std::vector<Vec2> points = random_tiling(sheet, 2, 8, 1);
  // Tiles that do not fit.
  std::rotate(sheet.tiles[3].begin(), sheet.tiles[3].begin() + 1, sheet.tiles[3].end());
  std::swap(sheet.tiles[3], sheet.tiles[12]);
  EXPECT_LT(nearest_pair(random_tiling(sheet, 2, 8, 1)), 2);
  // Half of the points gone.
  points.resize(points.size() / 2);
  EXPECT_GT(largest_hole(points, 8 * 16, 2), 2.1);
}

TEST(Wang, TheSheetIsAnArrangementThatWraps) {
  for (const int colors : {2, 3}) {
    Context context;
    const Points sheet = wang_tiles(20, 2.5, colors, context);
    EXPECT_EQ(sheet.domain, (Domain{20.0 * colors * colors, 20.0 * colors * colors, true}));
    EXPECT_NO_THROW(validate(sheet));
    const DensityField field = DensityField::constant(sheet.domain, 2.5);
    const Certificate proof = certify(sheet, field, ConflictRule::mean, context);
    EXPECT_EQ(proof.violations, 0);
    EXPECT_TRUE(proof.maximal());
    ASSERT_EQ(sheet.metadata.size(), 1u);
    EXPECT_EQ(sheet.metadata[0].first, "tiles");
  }
}

TEST(Wang, FollowsItsSeedAndRefusesSmallTiles) {
  Context context;
  const Points one = wang_tiles(20, 2.5, 2, context);
  EXPECT_EQ(context.seed, 1u);
  context.threads = 1;
  EXPECT_EQ(wang_tiles(20, 2.5, 2, context).x, one.x);
  context.seed = 2;
  EXPECT_NE(wang_tiles(20, 2.5, 2, context).x, one.x);
  EXPECT_THROW(wang_tiles(20, 6.5, 2, context), Error);
  EXPECT_THROW(wang_tiles(20, 2, 4, context), Error);
}

}  // namespace
}  // namespace dapple
