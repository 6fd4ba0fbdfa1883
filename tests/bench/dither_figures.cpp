// Prints how near dithered pictures come to the original, for the notes: what is left of the
// difference after a blur of light by sigma 1.5 pixels (grain, as seen from near) and 6 (tone, from
// afar), as root mean square in Oklab, times 1000.
// Usage: dither_figures IMAGE...
#include <cmath>
#include <cstdio>

#include "dapple/dither.hpp"
#include "dapple/image_files.hpp"

namespace dapple {
namespace {

using Lab = std::vector<std::array<double, 3>>;

std::vector<double> blurred(const Plane<float>& plane, double sigma) {
  const int w = plane.width();
  const int h = plane.height();
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel;
  for (int i = -reach; i <= reach; ++i) kernel.push_back(std::exp(-i * i / (2 * sigma * sigma)));
  double sum = 0;
  for (const double k : kernel) sum += k;
  std::vector<double> from(plane.size());
  std::vector<double> to(plane.size());
  for (std::size_t i = 0; i < plane.size(); ++i) {
    from[i] = static_cast<double>(srgb_to_linear(plane.values()[i]));
  }
  for (const bool across : {true, false}) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        double value = 0;
        for (int i = -reach; i <= reach; ++i) {
          const int u = across ? std::clamp(x + i, 0, w - 1) : x;
          const int v = across ? y : std::clamp(y + i, 0, h - 1);
          value += kernel[static_cast<std::size_t>(i + reach)] *
                   from[static_cast<std::size_t>(v) * static_cast<std::size_t>(w) +
                        static_cast<std::size_t>(u)];
        }
        to[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
           static_cast<std::size_t>(x)] = value / sum;
      }
    }
    std::swap(from, to);
  }
  return from;
}

Lab seen(const Image& image, double sigma) {
  std::vector<std::vector<double>> light;
  for (std::size_t c = 0; c < 3; ++c) {
    light.push_back(blurred(image.channels[image.channels.size() >= 3 ? c : 0], sigma));
  }
  Lab lab(light[0].size());
  for (std::size_t i = 0; i < lab.size(); ++i) {
    const double r = light[0][i];
    const double g = light[1][i];
    const double b = light[2][i];
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[i] = {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
              1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
              0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
  }
  return lab;
}

double difference(const Lab& a, const Lab& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) sum += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
  }
  return 1000 * std::sqrt(sum / static_cast<double>(a.size()));
}

struct Way {
  const char* name;
  int levels;
  int colors;
  const char* palette;
};

void print_figures(const char* path) {
  const Image image = read_image(path, Limits{});
  const Lab near = seen(image, 1.5);
  const Lab far = seen(image, 6);
  std::printf("%s\n%-20s", path, "grain, tone");
  for (const std::string_view name : option_names(DitherMethod{})) {
    std::printf(" %18s", std::string(name).c_str());
  }
  std::printf("\n");
  for (const Way& way :
       {Way{"2 levels", 2, 0, ""}, Way{"4 levels", 4, 0, ""}, Way{"4 colors", 2, 4, ""},
        Way{"8 colors", 2, 8, ""}, Way{"16 colors", 2, 16, ""}, Way{"64 colors", 2, 64, ""},
        Way{"256 colors", 2, 256, ""},
        Way{"#000 to #fff, 8", 2, 0, "#000,#f00,#0f0,#00f,#ff0,#f0f,#0ff,#fff"}}) {
    std::printf("%-20s", way.name);
    for (int method = 0; method < 4; ++method) {
      DitherOptions options;
      options.levels = way.levels;
      options.colors = way.colors;
      options.palette.path = way.palette;
      options.method = static_cast<DitherMethod>(method);
      Context context;
      const Image out = dither(image, options, context);
      std::printf("       %5.1f %5.1f", difference(seen(out, 1.5), near),
                  difference(seen(out, 6), far));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace dapple

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) dapple::print_figures(words[i]);
}
