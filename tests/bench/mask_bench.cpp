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
    context.threads = static_cast<int>(state.range(1));
    benchmark::DoNotOptimize(make_ranks(side, side, {}, context));
  }
  state.SetItemsProcessed(state.iterations() * side * side);
}
BENCHMARK(mask)
    ->ArgNames({"side", "threads"})
    ->Args({64, 1})
    ->Args({256, 1})
    ->Args({1024, 1})
    ->Args({1024, 2})
    ->Args({4096, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void mask_kind(benchmark::State& state, Size size, MaskKind kind) {
  MaskOptions options;
  options.size = size;
  options.kind = kind;
  options.bits = MaskBits::f32;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(make_mask(options, context));
  }
}
BENCHMARK_CAPTURE(mask_kind, frames_128x128x64, Size{128, 128, 64}, MaskKind::spatiotemporal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mask_kind, volume_64x64x64, Size{64, 64, 64}, MaskKind::scalar)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mask_kind, vector3_128x128, Size{128, 128}, MaskKind::vector3)
    ->Unit(benchmark::kMillisecond);

void mask_of_map(benchmark::State& state) {
  Image map;
  map.names = {"Y"};
  map.encoding = Encoding::data;
  map.channels.emplace_back(512, 512);
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) map.channels[0](x, y) = static_cast<float>(x * y) / (511 * 511);
  }
  MaskOptions options;
  options.density.image = std::make_shared<const Image>(std::move(map));
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(make_mask(options, context));
  }
}
BENCHMARK(mask_of_map)->Unit(benchmark::kMillisecond);

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
