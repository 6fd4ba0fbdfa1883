// Prints how near dithered pictures come to the original, for the notes: what is left of the
// difference after a blur of light by sigma 1.5 pixels (grain, as seen from near) and 6 (tone, from
// afar), as root mean square in Oklab, times 1000; before it that of pixels as they are, beside
// grain that of the darks, where the original's light is below a fiftieth, and last the tone after
// a blur of encoded values, as programs scale pictures. Usage: dither_figures IMAGE [DITHERED...]
// (pictures that others made of it; else ours, by all ways)
#include <cstdio>

#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dither_differences.hpp"

namespace dapple {
namespace {

struct Original {
  Lab pixels, near, far, scaled;
};

void print_difference(const Image& out, const Original& original) {
  const Lab near = seen(out, 1.5);
  std::printf("  %5.1f %5.1f %5.1f %5.1f %5.1f", difference(seen(out, 0), original.pixels),
              difference(near, original.near), difference(near, original.near, dark_lightness),
              difference(seen(out, 6), original.far),
              difference(seen(out, 6, Averages::values), original.scaled));
  std::fflush(stdout);
}

struct Way {
  const char* name;
  int levels;
  int colors;
  const char* palette;
};

void print_figures(const Image& image, const Original& original) {
  std::printf("%-26s", "pixel, grain, darks, tones");
  for (const std::string_view name : option_names(DitherMethod{})) {
    std::printf(" %31s", std::string(name).c_str());
  }
  std::printf("\n");
  for (const Way& way :
       {Way{"2 levels", 2, 0, ""}, Way{"4 levels", 4, 0, ""}, Way{"4 colors", 2, 4, ""},
        Way{"8 colors", 2, 8, ""}, Way{"16 colors", 2, 16, ""}, Way{"64 colors", 2, 64, ""},
        Way{"256 colors", 2, 256, ""},
        Way{"#000 to #fff, 8", 2, 0, "#000,#f00,#0f0,#00f,#ff0,#f0f,#0ff,#fff"},
        Way{"PICO-8", 2, 0,
            "#000000,#1d2b53,#7e2553,#008751,#ab5236,#5f574f,#c2c3c7,#fff1e8,#ff004d,#ffa300,"
            "#ffec27,#00e436,#29adff,#83769c,#ff77a8,#ffccaa"}}) {
    std::printf("%-26s", way.name);
    for (int method = 0; method < 4; ++method) {
      DitherOptions options;
      options.levels = way.levels;
      options.colors = way.colors;
      options.palette.path = way.palette;
      options.method = static_cast<DitherMethod>(method);
      Context context;
      print_difference(dither(image, options, context), original);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace dapple

int main(int count, char** words) {
  if (count < 2) return 2;
  const dapple::Image image = dapple::read_image(words[1], dapple::Limits{});
  const dapple::Original original{dapple::seen(image, 0), dapple::seen(image, 1.5),
                                  dapple::seen(image, 6),
                                  dapple::seen(image, 6, dapple::Averages::values)};
  std::printf("%s\n", words[1]);
  if (count == 2) dapple::print_figures(image, original);
  for (int i = 2; i < count; ++i) {
    dapple::print_difference(dapple::read_image(words[i], dapple::Limits{}), original);
    std::printf("  %s\n", words[i]);
  }
}
