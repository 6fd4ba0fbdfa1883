// Photos dithered to few colors: grain and tones. The figures are those of docs/notes/dithering.md.
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/image_files.hpp"
#include "dither_differences.hpp"

namespace dapple {
namespace {

struct Photo {
  const char* name;
  double pixels, grain, darks, tone;  // at most, of 16 colors
};

// Palettes of ends had pixels of 95, 81 and 39, darks of 29, 9 and 11.
TEST(DitherPicture, SixteenColorsHoldDarksAndTones) {
  for (const Photo& photo :
       {Photo{"raccoon.png", 66, 11, 17.5, 7}, Photo{"seeding.jpg", 50, 8, 8.5, 5.8},
        Photo{"hubble.jpg", 39, 9.2, 7.8, 4.4}}) {
    Context context;
    const Image image =
        read_image(std::string(DAPPLE_SOURCE_FOLDER "/samples/") + photo.name, context);
    DitherOptions options;
    options.colors = 16;
    const Image out = dither(image, options, context);
    const Lab near = seen(image, 1.5);
    EXPECT_LT(difference(seen(out, 0), seen(image, 0)), photo.pixels) << photo.name;
    EXPECT_LT(difference(seen(out, 1.5), near), photo.grain) << photo.name;
    EXPECT_LT(difference(seen(out, 1.5), near, dark_lightness), photo.darks) << photo.name;
    EXPECT_LT(difference(seen(out, 6), seen(image, 6)), photo.tone) << photo.name;
  }
}

TEST(DitherPicture, StrengthTradesToneForGrain) {
  Context context;
  const Image image = read_image(DAPPLE_SOURCE_FOLDER "/samples/raccoon.png", context);
  for (const DitherMethod method : {DitherMethod::mask, DitherMethod::floyd_steinberg}) {
    double pixels = 1000;
    double tone = 0;
    for (const double strength : {1.0, 0.7, 0.3}) {
      DitherOptions options;
      options.method = method;
      options.colors = 16;
      options.strength = strength;
      const Image out = dither(image, options, context);
      const double grainy = difference(seen(out, 0), seen(image, 0));
      const double off = difference(seen(out, 6), seen(image, 6));
      EXPECT_LT(grainy, pixels) << strength;
      EXPECT_GT(off, tone) << strength;
      pixels = grainy;
      tone = off;
    }
  }
}

}  // namespace
}  // namespace dapple
