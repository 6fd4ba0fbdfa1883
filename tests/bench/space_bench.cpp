// Points of volumes, and of classes with distances of their own.
#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/regions.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"

namespace dapple {
namespace {

void say_rate(benchmark::State& state, std::size_t points) {
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(points),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

// Samples with the threads of the first argument.
void sample_all(benchmark::State& state, const Space& space, const Radii& radii) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  std::size_t count = 0;
  for (auto _ : state) count = sample(space, radii, {}, context).size();
  say_rate(state, count);
}

// Proves a set on one thread.
void prove_all(benchmark::State& state, const Space& space, const Radii& radii) {
  Context context;
  context.threads = 1;
  const Points points = sample(space, radii, {}, context);
  for (auto _ : state) benchmark::DoNotOptimize(certify(points, context));
  say_rate(state, points.size());
}

// A million points in 3,000 polygons whose densities differ by up to 1000 to 1.
void counts_in_regions(benchmark::State& state) {
  Random random(1, Stream::tests);
  auto regions = std::make_shared<Regions>();
  std::vector<std::int64_t> counts;
  double total = 0;
  for (int k = 0; k < 3000; ++k) {
    const double x = k % 60;
    const double y = k / 60;
    regions->all.push_back({"", {{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}}, {}});
    counts.push_back(std::llround(1e6 * std::pow(1e-3, random.uniform())));
    total += static_cast<double>(counts.back());
  }
  for (std::int64_t& count : counts) count = std::llround(static_cast<double>(count) * 1e6 / total);
  sample_all(state, Space::in_regions(regions, counts), 0.0);
}

// Arguments: threads, points in thousands.
void volume(benchmark::State& state) {
  const double side = std::cbrt(1000 * static_cast<double>(state.range(1)) / 0.7335);
  sample_all(state, Space::box({side, side, true}, side), 1.0);
}
BENCHMARK(volume)->Args({1, 100})->Args({1, 1000})->Args({2, 1000})->Unit(benchmark::kMillisecond);

// In four dimensions. Arguments as above.
void four(benchmark::State& state) {
  const double side = std::sqrt(std::sqrt(1000 * static_cast<double>(state.range(1)) / 0.84));
  sample_all(state, Space::box({side, side, true}, side, side), 1.0);
}
BENCHMARK(four)->Args({1, 100})->Args({2, 100})->Unit(benchmark::kMillisecond);

void volume_certificate(benchmark::State& state) {
  prove_all(state, Space::box({111, 111, true}, 111), 1.0);
}
BENCHMARK(volume_certificate)->Unit(benchmark::kMillisecond);

// r(x) of 64 slices, 4:1 along a wave, for about so many points.
VolumeField wave(double points, bool wrap) {
  Context context;
  Voxels radius{64, 64, 64, {}};
  for (int i = 0; i < 64 * 64 * 64; ++i) {
    radius.values.push_back(static_cast<float>(2.5 - 1.5 * std::cos(6.2831853 * (i % 64) / 64)));
  }
  VolumeRules rules;
  rules.wrap = wrap;
  const VolumeField field = VolumeField::from_radius(radius, rules, context);
  return field.times(std::cbrt(0.74 * field.integral() / points));
}

// Arguments: threads, points in thousands, about.
void volume_of_slices(benchmark::State& state) {
  const VolumeField field = wave(1000 * static_cast<double>(state.range(1)), true);
  sample_all(state, Space::box({64, 64, true}, 64), field);
}
BENCHMARK(volume_of_slices)->Args({1, 100})->Args({1, 1000})->Unit(benchmark::kMillisecond);

// Radii 4, 2 and 1, head starts included. Argument: threads.
void classes(benchmark::State& state) {
  sample_all(state, Domain{1150, 1150, true}, ClassRadii{{4, 2, 1}});
}
BENCHMARK(classes)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

// Three classes with maps, whose radii meet: about fifty thousand points.
ClassFields three_maps() {
  ClassFields classes;
  for (const double coarser : {1.0, 1.6, 2.5}) {
    Plane<float> map(320, 320);
    for (int y = 0; y < 320; ++y) {
      for (int x = 0; x < 320; ++x) {
        const double height = std::sin(0.0785398 * x + coarser) * std::cos(0.0392699 * y);
        map(x, y) = static_cast<float>(coarser * (3 + 1.5 * height));
      }
    }
    classes.fields.push_back(DensityField::from_radius(std::move(map), {640, 640, true}, 1.0));
  }
  return classes;
}
void class_maps(benchmark::State& state) {
  sample_all(state, Domain{640, 640, true}, three_maps());
}
void class_maps_proof(benchmark::State& state) {
  prove_all(state, Domain{640, 640, true}, three_maps());
}
BENCHMARK(class_maps)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK(class_maps_proof)->Arg(1)->Unit(benchmark::kMillisecond);

// Radii by place and class in other spaces, about fifty thousand points. Argument: threads.
void slices_in_a_solid(benchmark::State& state) {
  sample_all(state, Space::in_solid(torus(80, 40)), wave(200000, false));
}
void classes_in_a_solid(benchmark::State& state) {
  sample_all(state, Space::in_solid(torus(80, 40)), ClassRadii{{0.06, 0.04}});
}
void classes_on_a_sphere(benchmark::State& state) {
  const double r = std::sqrt(0.5 * 4 * std::numbers::pi / 25000);
  sample_all(state, Space::on_sphere(1), ClassRadii{{r, r}});
}
BENCHMARK(slices_in_a_solid)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(counts_in_regions)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(classes_in_a_solid)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(classes_on_a_sphere)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
