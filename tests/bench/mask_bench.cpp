// Masks from nothing to ranks on one core, and dithering of a 2048x2048 picture.
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/dither.hpp"

namespace dapple {
namespace {

void mask(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(make_ranks(side, side, {}, context));
  }
  state.SetItemsProcessed(state.iterations() * side * side);
}
BENCHMARK(mask)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

// Smooth, with every hue: near the worst for palettes, as no two neighbours are equal.
Image picture(int side) {
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

void dither_picture(benchmark::State& state, const char* palette, int levels) {
  const Image image = picture(2048);
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
BENCHMARK_CAPTURE(dither_picture, 8_colours, "#000,#f00,#0f0,#00f,#ff0,#f0f,#0ff,#fff", 2)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
