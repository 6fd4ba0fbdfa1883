// Dithering of large pictures on one core: levels, palettes, error diffusion.
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/dither.hpp"

namespace dapple {
namespace {

// Smooth, with every hue: no two neighbors are equal, so no mixture of a palette serves twice.
Image waves(int side) {
  Image image;
  image.names = {"R", "G", "B"};
  for (int c = 0; c < 3; ++c) {
    Plane<float> plane(side, side);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double wave = std::sin(0.004 * (x + c * 300)) * std::cos(0.003 * (y - c * 200));
        plane(x, y) = static_cast<float>(std::round(127.5 + 127 * wave) / 255);
      }
    }
    image.channels.push_back(std::move(plane));
  }
  return image;
}

void dither_large(benchmark::State& state, DitherMethod method, int levels, DitherNoise noise,
                  int colors) {
  const Image image = waves(4096);
  DitherOptions options;
  options.method = method;
  options.levels = levels;
  options.noise = noise;
  options.colors = colors;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(dither(image, options, context));
  }
  state.SetItemsProcessed(state.iterations() * 4096 * 4096);
}
BENCHMARK_CAPTURE(dither_large, 2_levels, DitherMethod::mask, 2, DitherNoise::uniform, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_large, triangular, DitherMethod::mask, 256, DitherNoise::triangular, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_large, 16_colors, DitherMethod::mask, 2, DitherNoise::uniform, 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_large, 256_colors, DitherMethod::mask, 2, DitherNoise::uniform, 256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_large, floyd_steinberg, DitherMethod::floyd_steinberg, 2,
                  DitherNoise::uniform, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_large, floyd_steinberg_16_colors, DitherMethod::floyd_steinberg, 2,
                  DitherNoise::uniform, 16)
    ->Unit(benchmark::kMillisecond);

void dither_picture(benchmark::State& state, const char* palette, int levels) {
  const Image image = waves(2048);
  DitherOptions options;
  options.levels = levels;
  options.palette.path = palette;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(dither(image, options, context));
  }
  state.SetItemsProcessed(state.iterations() * 2048 * 2048);
}
BENCHMARK_CAPTURE(dither_picture, 2_levels, "", 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_picture, 4_greens, "#0f380f,#306230,#8bac0f,#9bbc0f", 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dither_picture, 8_colors, "#000,#f00,#0f0,#00f,#ff0,#f0f,#0ff,#fff", 2)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
