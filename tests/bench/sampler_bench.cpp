// Points from a field in memory to an array of points, and queries of the index over them.
#include <benchmark/benchmark.h>
#include <cmath>

#include "core/random.hpp"
#include "dapple/sample.hpp"

namespace dapple {
namespace {

constexpr double side = 1024;

// The field at which darts under the mean rule place about `count` points.
DensityField for_points(const DensityField& field, double count) {
  const double expected =
      packing_constant(SampleMethod::darts, ConflictRule::mean) * field.integral();
  return field.scaled(std::sqrt(expected / count));
}

DensityField constant_field(double count) {
  return for_points(DensityField::constant({side, side, true}, 1), count);
}

// Radii of 100:1 over 1024x1024 pixels.
enum class Map { ramp, blob, step };
DensityField map_of_100_to_1(Map map, double count) {
  constexpr int pixels = static_cast<int>(side);
  Plane<float> radius(pixels, pixels);
  for (int y = 0; y < pixels; ++y) {
    for (int x = 0; x < pixels; ++x) {
      const double from_centre = std::hypot(x - 0.5 * side, y - 0.5 * side) / (0.71 * side);
      const double part = map == Map::ramp   ? x / side
                          : map == Map::blob ? from_centre
                          : x < pixels / 2   ? 0.0
                                             : 1.0;
      radius(x, y) = static_cast<float>(std::pow(100, part));
    }
  }
  return for_points(DensityField::from_radius(std::move(radius), {side, side, false}, std::nullopt),
                    count);
}

void run(benchmark::State& state, const DensityField& field, const SampleOptions& options,
         std::int64_t count, int threads) {
  double points = 0;
  for (auto _ : state) {
    Context context;
    context.threads = threads;
    points = static_cast<double>(sample(field, options, count, context).size());
  }
  state.counters["points"] = points;
  if (count == 0) state.counters["kappa"] = points / field.integral();
  state.counters["points/s"] =
      benchmark::Counter(points, benchmark::Counter::kIsIterationInvariantRate);
}

void sample_constant(benchmark::State& state) {
  run(state, constant_field(static_cast<double>(state.range(0))), {}, 0,
      static_cast<int>(state.range(1)));
}
BENCHMARK(sample_constant)
    ->ArgNames({"points", "threads"})
    ->Args({100000, 1})
    ->Args({100000, 2})
    ->Args({1000000, 1})
    ->Args({1000000, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sample_100_to_1(benchmark::State& state, Map map, ConflictRule rule) {
  SampleOptions options;
  options.conflict = rule;
  run(state, map_of_100_to_1(map, 100000), options, 0, static_cast<int>(state.range(0)));
}
BENCHMARK_CAPTURE(sample_100_to_1, ramp_mean, Map::ramp, ConflictRule::mean)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_100_to_1, ramp_min, Map::ramp, ConflictRule::min)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_100_to_1, ramp_max, Map::ramp, ConflictRule::max)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_100_to_1, ramp_candidate, Map::ramp, ConflictRule::candidate)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_100_to_1, blob_mean, Map::blob, ConflictRule::mean)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_100_to_1, step_mean, Map::step, ConflictRule::mean)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sample_count(benchmark::State& state) {
  const std::int64_t count = state.range(0);
  run(state, map_of_100_to_1(Map::ramp, static_cast<double>(count)), {}, count,
      static_cast<int>(state.range(1)));
}
BENCHMARK(sample_count)
    ->ArgNames({"points", "threads"})
    ->Args({1000, 1})
    ->Args({10000, 1})
    ->Args({100000, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sample_bridson(benchmark::State& state, bool varied) {
  SampleOptions options;
  options.method = SampleMethod::bridson;
  run(state, varied ? map_of_100_to_1(Map::ramp, 20000) : constant_field(20000), options, 0, 1);
}
BENCHMARK_CAPTURE(sample_bridson, constant, false)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(sample_bridson, ramp, true)->Unit(benchmark::kMillisecond)->UseRealTime();

void sample_certify(benchmark::State& state) {
  const DensityField field = map_of_100_to_1(Map::ramp, 100000);
  Context context;
  context.threads = 1;
  const PointSet points = sample(field, {}, 0, context);
  for (auto _ : state) {
    benchmark::DoNotOptimize(certify(points, field, ConflictRule::mean, context));
  }
}
BENCHMARK(sample_certify)->Unit(benchmark::kMillisecond)->UseRealTime();

// ---- the index
// -----------------------------------------------------------------------------------

const PointSet& uneven_points() {
  static const PointSet points = [] {
    Context context;
    return sample(map_of_100_to_1(Map::ramp, 100000), {}, 0, context);
  }();
  return points;
}

void index_build_100k(benchmark::State& state) {
  for (auto _ : state) {
    const PointIndex index(uneven_points());
    benchmark::DoNotOptimize(&index);
  }
}
BENCHMARK(index_build_100k)->Unit(benchmark::kMillisecond);

// One query a point, in the order of points.
void index_nearest(benchmark::State& state) {
  const PointSet& points = uneven_points();
  const PointIndex index(points);
  std::vector<Neighbour> found;
  std::size_t i = 0;
  for (auto _ : state) {
    index.nearest(points[i], static_cast<int>(state.range(0)), found, static_cast<std::int32_t>(i));
    benchmark::DoNotOptimize(found.data());
    i = i + 1 == points.size() ? 0 : i + 1;
  }
}
BENCHMARK(index_nearest)->ArgName("k")->Arg(1)->Arg(8);

void index_within(benchmark::State& state) {
  const PointSet& points = uneven_points();
  const PointIndex index(points);
  std::vector<Neighbour> found;
  std::size_t i = 0;
  for (auto _ : state) {
    index.within(points[i], static_cast<double>(state.range(0)) * points.radius[i], found);
    benchmark::DoNotOptimize(found.data());
    i = i + 1 == points.size() ? 0 : i + 1;
  }
}
BENCHMARK(index_within)->ArgName("radii")->Arg(2)->Arg(4);

}  // namespace
}  // namespace dapple
