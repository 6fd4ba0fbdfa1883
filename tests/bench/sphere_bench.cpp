// Points on spheres: of one radius, by a map round it, and their proof.
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// The radius at which a maximal set of a sphere of radius 1 has about so many points.
double radius_of(double count) {
  return std::sqrt(0.6965 * 12.5663706 / count);
}

// Arguments: threads, points in thousands.
void sphere(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const double radius = radius_of(1000 * static_cast<double>(state.range(1)));
  std::size_t count = 0;
  for (auto _ : state) count = sample_sphere(1, 0, radius, context).size();
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(sphere)->Args({1, 100})->Args({1, 1000})->Args({2, 1000})->Unit(benchmark::kMillisecond);

void sphere_certificate(benchmark::State& state) {
  Context context;
  context.threads = 1;
  const Points points = sample_sphere(1, 0, radius_of(1e6), context);
  for (auto _ : state) benchmark::DoNotOptimize(certify_sphere(points, 1, context));
}
BENCHMARK(sphere_certificate)->Unit(benchmark::kMillisecond);

// A map of waves, 10:1: some 100,000 points.
SurfaceRadius waves(Context& context) {
  Plane<float> map(1024, 512);
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) {
      const double wave = std::sin(12.5663706 * x / map.width()) * std::sin(0.02 * y);
      map(x, y) = static_cast<float>(0.012 * std::pow(10.0, 0.5 * wave));
    }
  }
  SurfaceRadius radius;
  radius.texture =
      DensityField::from_radius(std::move(map), {1024, 512, true}, std::nullopt, context);
  radius.largest = 0.05;
  return radius;
}

// Arguments: threads.
void sphere_map(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  const SurfaceRadius radius = waves(context);
  std::size_t count = 0;
  for (auto _ : state) count = sample_sphere(1, 0, radius, context).points.size();
  state.counters["points"] = static_cast<double>(count);
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(sphere_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void sphere_map_certificate(benchmark::State& state) {
  Context context;
  context.threads = 1;
  const SurfaceSet set = sample_sphere(1, 0, waves(context), context);
  for (auto _ : state) {
    benchmark::DoNotOptimize(certify_sphere(set.points, 1, set.radius, context));
  }
}
BENCHMARK(sphere_map_certificate)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
