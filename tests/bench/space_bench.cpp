// Points of volumes, and of classes with distances of their own.
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// Arguments: threads, points in thousands.
void volume(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const double side = std::cbrt(1000 * static_cast<double>(state.range(1)) / 0.7335);
  std::size_t count = 0;
  for (auto _ : state) {
    count = sample_volume({side, side, true}, side, 0, 1, context).size();
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(volume)->Args({1, 100})->Args({1, 1000})->Args({2, 1000})->Unit(benchmark::kMillisecond);

// In four dimensions. Arguments as above.
void four(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const double side = std::sqrt(std::sqrt(1000 * static_cast<double>(state.range(1)) / 0.84));
  std::size_t count = 0;
  for (auto _ : state) {
    count = sample_4d({side, side, side, side}, true, 0, 1, context).size();
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(four)->Args({1, 100})->Args({2, 100})->Unit(benchmark::kMillisecond);

void volume_certificate(benchmark::State& state) {
  Context context;
  context.threads = 1;
  const Points points = sample_volume({111, 111, true}, 111, 0, 1, context);
  for (auto _ : state) benchmark::DoNotOptimize(certify_volume(points, 1, context));
}
BENCHMARK(volume_certificate)->Unit(benchmark::kMillisecond);

// r(x) of 64 slices, 4:1 along a wave. Arguments: threads, points in thousands, about.
void volume_of_slices(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  Voxels radius{64, 64, 64, {}};
  for (int i = 0; i < 64 * 64 * 64; ++i) {
    radius.values.push_back(static_cast<float>(2.5 - 1.5 * std::cos(6.2831853 * (i % 64) / 64)));
  }
  VolumeRules rules;
  rules.wrap = true;
  VolumeField field = VolumeField::from_radius(radius, rules, context);
  const double wanted = 1000 * static_cast<double>(state.range(1));
  field = field.times(std::cbrt(0.74 * field.integral() / wanted));
  std::size_t count = 0;
  for (auto _ : state) {
    count = sample_volume(field, ConflictRule::mean, 0, context).points.size();
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(volume_of_slices)->Args({1, 100})->Args({1, 1000})->Unit(benchmark::kMillisecond);

// Radii 4, 2 and 1, head starts included. Argument: threads.
void classes(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  ClassOptions options;
  options.radii = {4, 2, 1};
  std::size_t count = 0;
  for (auto _ : state) count = sample_classes({1150, 1150, true}, 0, options, 0, context).size();
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(classes)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

// Three classes with maps, whose radii meet: about fifty thousand points.
std::vector<DensityField> three_maps() {
  std::vector<DensityField> fields;
  for (const double coarser : {1.0, 1.6, 2.5}) {
    Plane<float> map(320, 320);
    for (int y = 0; y < 320; ++y) {
      for (int x = 0; x < 320; ++x) {
        const double wave = std::sin(0.0785398 * x + coarser) * std::cos(0.0392699 * y);
        map(x, y) = static_cast<float>(coarser * (3 + 1.5 * wave));
      }
    }
    fields.push_back(DensityField::from_radius(std::move(map), {640, 640, true}, 1.0));
  }
  return fields;
}
void say_rate(benchmark::State& state, std::size_t points) {
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(points),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
void class_maps(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const auto fields = three_maps();
  std::size_t count = 0;
  for (auto _ : state) count = sample_classes(fields, {}, 0, context).size();
  say_rate(state, count);
}
void class_maps_proof(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const auto fields = three_maps();
  const Points points = sample_classes(fields, {}, 0, context);
  for (auto _ : state) certify_classes(points, fields, ClassDistance::density, context);
  say_rate(state, points.size());
}
BENCHMARK(class_maps_proof)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(class_maps)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
