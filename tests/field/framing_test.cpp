// Turned and cropped pictures: places of pixels, companions, and texts of crops.
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"

namespace dapple {
namespace {

// A picture whose values tell their pixel: 0.01 x + 0.1 y.
Image numbered(int width, int height) {
  Image image;
  image.channels.emplace_back(width, height);
  image.names = {"Y"};
  image.encoding = Encoding::data;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.channels[0](x, y) = 0.01f * static_cast<float>(x) + 0.1f * static_cast<float>(y);
    }
  }
  return image;
}

PrepareOptions frame(const char* crop, double rotate = 0) {
  PrepareOptions options;
  from_text(crop, options.crop);
  options.rotate = rotate;
  return options;
}

Image part(const Image& image, const PrepareOptions& options) {
  Context context;
  return framed(image, options, Interpolation::smooth, context);
}

float at(const Image& image, int x, int y) {
  return image.channels[0](x, y);
}

TEST(Framing, CropsByPixelsPercentAndProportions) {
  const Image image = numbered(8, 6);
  const Image corner = part(image, frame("3x2+4+1"));
  EXPECT_EQ(corner.width(), 3);
  EXPECT_EQ(corner.height(), 2);
  EXPECT_EQ(at(corner, 0, 0), at(image, 4, 1));
  EXPECT_EQ(at(corner, 2, 1), at(image, 6, 2));
  const Image middle = part(image, frame("4x2"));
  EXPECT_EQ(at(middle, 0, 0), at(image, 2, 2));
  const Image half = part(image, frame("50%"));
  EXPECT_EQ(half.width(), 4);
  EXPECT_EQ(half.height(), 3);
  const Image quarter = part(image, frame("25%x50%+75%+50%"));
  EXPECT_EQ(at(quarter, 0, 0), at(image, 6, 3));
  const Image square = part(image, frame("1:1"));
  EXPECT_EQ(square.width(), 6);
  EXPECT_EQ(square.height(), 6);
  EXPECT_EQ(at(square, 0, 0), at(image, 1, 0));
  const Image wide = part(image, frame("4:1"));
  EXPECT_EQ(wide.width(), 8);
  EXPECT_EQ(wide.height(), 2);
}

TEST(Framing, TurnsQuartersExactly) {
  const Image image = numbered(5, 3);
  for (const double degrees : {90.0, -270.0}) {
    const Image turned = part(image, frame("", degrees));
    ASSERT_EQ(turned.width(), 3);
    ASSERT_EQ(turned.height(), 5);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 5; ++x) EXPECT_EQ(at(turned, 2 - y, x), at(image, x, y));
    }
    EXPECT_EQ(turned.find("A"), -1);
  }
  const Image over = part(image, frame("", 180));
  EXPECT_EQ(at(over, 0, 0), at(image, 4, 2));
  const Image back = part(part(image, frame("", 90)), frame("", 270));
  EXPECT_EQ(back.channels[0], image.channels[0]);
  // The crop is one of the turned picture.
  EXPECT_EQ(at(part(image, frame("1x1+0+0", 90)), 0, 0), at(image, 0, 2));
}

TEST(Framing, OtherAnglesLeaveTransparentCorners) {
  const Image image = numbered(40, 30);
  const Image turned = part(image, frame("", 30));
  EXPECT_EQ(turned.width(), 50);   // 40 cos 30 + 30 sin 30 = 49.6
  EXPECT_EQ(turned.height(), 46);  // 40 sin 30 + 30 cos 30 = 45.98
  ASSERT_EQ(turned.find("A"), 1);
  EXPECT_EQ(turned.channels[1](0, 0), 0.0f);
  EXPECT_EQ(turned.channels[1](25, 23), 1.0f);
  // A linear ramp stays one: the middle of the picture has the value 0.01 * 19.5 + 0.1 * 14.5.
  EXPECT_NEAR(at(turned, 24, 22) + at(turned, 25, 23), 2 * (0.195 + 1.45), 1e-4);
  // The largest part of some proportions has no empty corner.
  for (const double degrees : {1.5, 30.0, 45.0, 123.0, -80.0}) {
    for (const char* crop : {"3:2", "1:1", "1:4"}) {
      const Image full = part(numbered(200, 120), frame(crop, degrees));
      for (const float a : full.channels[1].values()) ASSERT_EQ(a, 1.0f) << crop << degrees;
    }
  }
}

TEST(Framing, EachSliceIsTurnedAlike) {
  Image image = numbered(4, 6);
  image.slices = 2;
  const Image turned = part(image, frame("1x2+0+1", 90));
  ASSERT_EQ(turned.slices, 2);
  ASSERT_EQ(turned.height(), 4);
  EXPECT_EQ(at(turned, 0, 0), at(image, 1, 2));
  EXPECT_EQ(at(turned, 0, 2), at(image, 1, 5));
}

TEST(Framing, MasksAndWeightsFollow) {
  Context context;
  Image image = numbered(40, 20);
  for (float& v : image.channels[0].values()) v = 0.5f;
  Image mask = numbered(80, 40);  // of twice the size, white in its right half
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 80; ++x) mask.channels[0](x, y) = x < 40 ? 0.0f : 1.0f;
  }
  MapOptions options;
  options.prepare = frame("20x20+10+0", 180);
  options.mask.image = std::make_shared<const Image>(mask);
  const Plane<float> density = target_density(image, options, context);
  ASSERT_EQ(density.width(), 20);
  EXPECT_GT(density(2, 10), 0.4f);  // the right half is on the left after half a turn
  EXPECT_EQ(density(17, 10), 0.0f);
  options.mask.image = std::make_shared<const Image>(numbered(20, 20));
  EXPECT_THROW(target_density(image, options, context), Error);  // it must cover the whole picture
}

TEST(Framing, IsOneForAllCommands) {
  Context context;
  Image photo = numbered(60, 40);
  for (float& v : photo.channels[0].values()) v = std::min(1.0f, 0.2f * v);
  const PrepareOptions options = frame("30x20+5+10", 90);
  const Image alone = part(photo, options);

  PictureOptions map;
  map.as = MapKind::tone;
  StippleOptions dots;
  dots.dots = 60;
  const Stippling expected = stipple(alone, map, dots, context);
  map.prepare = options;
  const Stippling cropped = stipple(photo, map, dots, context);
  EXPECT_EQ(cropped.dots.x, expected.dots.x);
  EXPECT_EQ(cropped.drawing.width, expected.drawing.width);

  PointsOptions points;
  points.field.count = 50;
  const Points plain = make_points(&alone, points, context);
  points.field.map.prepare = options;
  EXPECT_EQ(make_points(&photo, points, context).x, plain.x);

  DitherOptions pixels;
  const Image whole = dither(alone, pixels, context);
  pixels.prepare = options;
  EXPECT_EQ(dither(photo, pixels, context).channels[0], whole.channels[0]);
}

TEST(Framing, RefusesPartsOutsideAndTextsWithoutMeaning) {
  const Image image = numbered(8, 6);
  for (const char* outside : {"9x1", "8x7", "4x4+5+0", "50%x50%+60%+0"}) {
    EXPECT_THROW(part(image, frame(outside)), Error) << outside;
  }
  EXPECT_NO_THROW(part(image, frame("6x8", 90)));
  for (const double degrees : {361.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(framed_part(8, 6, frame("", degrees)), Error) << degrees;
    EXPECT_THROW(part(image, frame("", degrees)), Error) << degrees;
  }
  PrepareOptions broken = frame("4x4");
  broken.crop.width.value = -1;
  EXPECT_THROW(part(image, broken), Error);
  EXPECT_THROW(part(Image(), frame("4x4")), Error);
  EXPECT_THROW(framed_part(0, 6, frame("")), Error);
  for (const char* wrong : {"x", "4x", "4x4+1", "4x4+-1+0", "0x4", "3:0", "3:2%", "1.5x2", "110%",
                            "4x4+1+1+1", "4 x 4", "-4x4", "3:2:1", "nan:1"}) {
    Crop crop;
    EXPECT_THROW(from_text(wrong, crop), Error) << wrong;
  }
  for (const char* right : {"4x3", "4x3+1+2", "50%x25%", "50%x25%+1%+20", "3:2", "1.91:1", ""}) {
    Crop crop;
    from_text(right, crop);
    EXPECT_EQ(to_text(crop), right);
  }
}

}  // namespace
}  // namespace dapple
