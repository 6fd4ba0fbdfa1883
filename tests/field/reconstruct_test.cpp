// Maps as smooth functions between their pixels.
#include "field/reconstruct.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/modulo.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/limits.hpp"

namespace dapple {
namespace {

Plane<float> noise(int width, int height) {
  Random random(11, Stream::tests);
  Plane<float> map(width, height);
  for (float& v : map.values()) v = static_cast<float>(random.uniform());
  return map;
}

TEST(Reconstruct, StaysWithinThePixelsThatACellIsMadeOf) {
  const Plane<float> map = noise(13, 9);
  for (const bool wrap : {false, true}) {
    for (const int cells : {2, 4, 8}) {
      Context context;
      const Plane<float> fine = on_cells(map, cells, wrap, context);
      ASSERT_EQ(fine.width(), 13 * cells);
      ASSERT_EQ(fine.height(), 9 * cells);
      const auto inside = [&](int at, int size) {
        return wrap ? modulo(at, size) : mirrored(at, size);
      };
      for (int y = 0; y < fine.height(); ++y) {
        for (int x = 0; x < fine.width(); ++x) {
          float least = 2;
          float most = -1;
          const int left = x / cells - (x % cells < cells / 2 ? 2 : 1);
          const int top = y / cells - (y % cells < cells / 2 ? 2 : 1);
          for (int j = top; j < top + 4; ++j) {
            for (int i = left; i < left + 4; ++i) {
              const float v = map(inside(i, 13), inside(j, 9));
              least = std::min(least, v);
              most = std::max(most, v);
            }
          }
          ASSERT_GE(fine(x, y), least - 1e-6f) << x << ", " << y;
          ASSERT_LE(fine(x, y), most + 1e-6f) << x << ", " << y;
        }
      }
    }
  }
}

TEST(Reconstruct, SlopesStayWhatTheyAreAndStepsGetNoStairs) {
  Context context;
  Plane<float> slope(16, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) slope(x, y) = 0.02f * static_cast<float>(x + 2 * y);
  }
  const Plane<float> fine = on_cells(slope, 4, false, context);
  for (int y = 12; y < 52; ++y) {
    for (int x = 12; x < 52; ++x) {
      const double wanted = 0.02 * ((x + 0.5) / 4 - 0.5 + 2 * ((y + 0.5) / 4 - 0.5));
      ASSERT_NEAR(static_cast<double>(fine(x, y)), wanted, 1e-5);
    }
  }
  // From cell to cell nothing jumps: a step of the map is spread over some four pixels.
  const Plane<float> rough = on_cells(noise(20, 20), 8, false, context);
  for (int y = 0; y < rough.height(); ++y) {
    for (int x = 1; x < rough.width(); ++x) {
      ASSERT_LT(std::abs(rough(x, y) - rough(x - 1, y)), 0.2f);
    }
  }
}

TEST(Reconstruct, ATorusHasNoSeam) {
  Context context;
  const Plane<float> map = noise(8, 8);
  Plane<float> moved(8, 8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) moved((x + 3) % 8, (y + 5) % 8) = map(x, y);
  }
  const Plane<float> a = on_cells(map, 4, true, context);
  const Plane<float> b = on_cells(moved, 4, true, context);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) ASSERT_EQ(a(x, y), b((x + 12) % 32, (y + 20) % 32));
  }
}

TEST(Reconstruct, PixelsWithoutAValueStaySoAndTouchNoOther) {
  Context context;
  Plane<float> map(9, 9, 5.0f);
  map(4, 4) = map(4, 5) = map(5, 4) = -1;
  map(0, 0) = -1;
  const Plane<float> fine = on_cells(map, 4, false, context);
  for (int y = 0; y < 36; ++y) {
    for (int x = 0; x < 36; ++x) ASSERT_EQ(fine(x, y), map(x / 4, y / 4) < 0 ? -1.0f : 5.0f);
  }
}

TEST(Reconstruct, CellsAreAsSmallAsPointsNeedAndNoSmaller) {
  const auto fields = Cells::of_fields;
  const auto pictures = Cells::of_pictures;
  for (const Cells use : {fields, pictures}) {
    EXPECT_EQ(cells_for(1e6, 8, 1e4, use), 1);    // pixels are small beside the spacing
    EXPECT_EQ(cells_for(1e6, 0.5, 1e3, use), 1);  // a dark speck alone
    EXPECT_LE(cells_for(1, 1e-9, 1e9, use), 64);
  }
  EXPECT_EQ(cells_for(1e4, 0.3, 1e5, fields), 4);
  EXPECT_EQ(cells_for(1e4, 0.14, 5e5, fields), 8);
  EXPECT_EQ(cells_for(1e4, 1, 1e4, pictures), 2);
  EXPECT_EQ(cells_for(1e4, 0.3, 1e5, pictures), 4);
  EXPECT_EQ(cells_for(1e4, 0.14, 5e5, pictures), 8);
  Context context;
  context.limits.max_memory = 1 << 20;
  EXPECT_THROW(on_cells(Plane<float>(512, 512, 0.5f), 8, false, context), Error);
}

// The goal of docs/quality.md: what is left of the raster in the sampler's fields.
TEST(Reconstruct, FieldsReadSmallMapsSmoothlyUnlessTold) {
  Image image;
  image.names = {"Y"};
  image.encoding = Encoding::data;
  image.channels.push_back(noise(10, 10));
  FieldOptions options;
  options.count = 2000;
  Context context;
  const DensityField smooth = make_field(image, options, false, {10, 0}, 100, context);
  EXPECT_EQ(smooth.radius_map().width(), 80);
  options.map.interpolation = Interpolation::nearest;
  const DensityField squares = make_field(image, options, false, {10, 0}, 100, context);
  EXPECT_EQ(squares.radius_map().width(), 10);
  EXPECT_NEAR(smooth.integral() / squares.integral(), 1, 0.01);
}

}  // namespace
}  // namespace dapple
