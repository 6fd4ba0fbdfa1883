// Masks of every kind, from nothing to ranks or values.
#include <benchmark/benchmark.h>
#include <memory>

#include "dapple/context.hpp"
#include "dapple/mask.hpp"

namespace dapple {
namespace {

void mask(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  std::uint64_t seed = 0;  // small masks take more draws from some than from others
  for (auto _ : state) {
    Context context;
    context.seed = seed++ % 32 + 1;
    context.threads = static_cast<int>(state.range(1));
    benchmark::DoNotOptimize(make_ranks(side, side, {}, context));
  }
  state.SetItemsProcessed(state.iterations() * side * side);
}
BENCHMARK(mask)
    ->ArgNames({"side", "threads"})
    ->Args({32, 1})
    ->Args({64, 1})
    ->Args({96, 1})
    ->Args({128, 1})
    ->Args({256, 1})
    ->Args({512, 1})
    ->Args({1024, 1})
    ->Args({1024, 2})
    ->Args({4096, 1})
    ->Args({4096, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void mask_kind(benchmark::State& state, Size size, MaskKind kind,
               MaskValues values = MaskValues::uniform) {
  MaskOptions options;
  options.size = size;
  options.kind = kind;
  options.values = values;
  options.bits = MaskBits::f32;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(make_mask(options, context));
  }
}
BENCHMARK_CAPTURE(mask_kind, frames_128x128x64, Size{128, 128, 64}, MaskKind::spatiotemporal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mask_kind, vec2_64x64x32, Size{64, 64, 32}, MaskKind::scalar, MaskValues::vec2)
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

}  // namespace
}  // namespace dapple
