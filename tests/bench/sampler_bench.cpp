// Points from a field in memory to an array of points, and queries of the index over them.
#include <benchmark/benchmark.h>
#include <cmath>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

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

// Smooth noise in [0, 1]: a lattice of random values, eight a side, with rounded ramps between.
double smooth_noise(double x, double y) {
  const Random random(5, Stream::tests);
  const auto at = [&](int i, int j) {
    return to_unit(random.at(static_cast<std::uint64_t>(j * 9 + i)));
  };
  const auto round = [](double t) { return t * t * (3 - 2 * t); };
  const int i = static_cast<int>(8 * x);
  const int j = static_cast<int>(8 * y);
  const double u = round(8 * x - i);
  const double v = round(8 * y - j);
  return (1 - v) * ((1 - u) * at(i, j) + u * at(i + 1, j)) +
         v * ((1 - u) * at(i, j + 1) + u * at(i + 1, j + 1));
}

// Radii of `ratio`:1 over 1024x1024 pixels. Noise as it comes from images, with the usual limit to
// its slope; the others without any.
enum class Map { ramp, blob, noise, step };
DensityField map_of(Map map, double ratio, double count) {
  constexpr int pixels = static_cast<int>(side);
  Plane<float> radius(pixels, pixels);
  for (int y = 0; y < pixels; ++y) {
    for (int x = 0; x < pixels; ++x) {
      const double from_center = std::hypot(x - 0.5 * side, y - 0.5 * side) / (0.71 * side);
      const double part = map == Map::ramp    ? x / side
                          : map == Map::blob  ? from_center
                          : map == Map::noise ? smooth_noise(x / side, y / side)
                          : x < pixels / 2    ? 0.0
                                              : 1.0;
      radius(x, y) = static_cast<float>(std::pow(ratio, part));
    }
  }
  const auto slope = map == Map::noise ? std::optional(1.0) : std::nullopt;
  DensityField field = DensityField::from_radius(std::move(radius), {side, side, false}, slope);
  // The limit moves as the field is scaled.
  for (int i = 0; i < 4; ++i) field = for_points(field, count);
  return field;
}

// Smallest distance over that of a hexagonal lattice of the local density.
double rho_min(const Points& points, const DensityField& field) {
  const double stretch =
      std::sqrt(static_cast<double>(points.size()) / (1.1547005 * field.integral()));
  const PointIndex index(points);
  std::vector<Neighbor> found;
  double least = 10;
  for (std::size_t i = 0; i < points.size(); ++i) {
    index.nearest(points[i], 6, found, static_cast<std::int32_t>(i));
    for (const Neighbor& n : found) {
      const double mean =
          0.5 * (field.radius(points[i]) + field.radius(points[static_cast<std::size_t>(n.index)]));
      least = std::min(least, n.distance / mean);
    }
  }
  return least * stretch;
}

void run(benchmark::State& state, const DensityField& field, const SampleOptions& options,
         std::int64_t count, int threads) {
  double points = 0;
  Points set;
  for (auto _ : state) {
    Context context;
    context.threads = threads;
    set = sample(field, options, count, context);
    points = static_cast<double>(set.size());
  }
  state.counters["points"] = points;
  if (count == 0) state.counters["kappa"] = points / field.integral();
  if (count > 0) state.counters["rho"] = rho_min(set, field);
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

// Points of a window of the endless plane, strip after strip.
void sample_endless(benchmark::State& state) {
  const double window = std::sqrt(static_cast<double>(state.range(0)) / 0.696);
  double points = 0;
  for (auto _ : state) {
    Context context;
    context.threads = static_cast<int>(state.range(1));
    EndlessPoints endless(1, {0, 0, window, window}, context);
    points = 0;
    for (std::vector<Vec2> strip; endless.next(strip);) points += static_cast<double>(strip.size());
  }
  state.counters["points"] = points;
  state.counters["points/s"] =
      benchmark::Counter(points, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(sample_endless)
    ->ArgNames({"points", "threads"})
    ->Args({10000000, 1})
    ->Args({10000000, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Maps of 100:1 and 1000:1; arguments: points, threads.
void sample_variable(benchmark::State& state, Map map, double ratio, ConflictRule rule) {
  SampleOptions options;
  options.conflict = rule;
  run(state, map_of(map, ratio, static_cast<double>(state.range(0))), options, 0,
      static_cast<int>(state.range(1)));
}
void on_100k(benchmark::internal::Benchmark* b) {
  b->ArgNames({"points", "threads"})
      ->Args({100000, 1})
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}
void on_1m(benchmark::internal::Benchmark* b) {
  b->ArgNames({"points", "threads"})
      ->Args({1000000, 1})
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}
void on_1m_threads(benchmark::internal::Benchmark* b) {
  on_1m(b);
  b->Args({1000000, 2});
}
BENCHMARK_CAPTURE(sample_variable, 100_ramp_mean, Map::ramp, 100, ConflictRule::mean)
    ->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 100_ramp_min, Map::ramp, 100, ConflictRule::min)->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 100_ramp_max, Map::ramp, 100, ConflictRule::max)->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 100_ramp_candidate, Map::ramp, 100, ConflictRule::candidate)
    ->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 100_blob_mean, Map::blob, 100, ConflictRule::mean)
    ->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 100_step_mean, Map::step, 100, ConflictRule::mean)
    ->Apply(on_100k);
BENCHMARK_CAPTURE(sample_variable, 1000_ramp_mean, Map::ramp, 1000, ConflictRule::mean)
    ->Apply(on_1m_threads);
BENCHMARK_CAPTURE(sample_variable, 1000_blob_mean, Map::blob, 1000, ConflictRule::mean)
    ->Apply(on_1m_threads);
BENCHMARK_CAPTURE(sample_variable, 1000_noise_mean, Map::noise, 1000, ConflictRule::mean)
    ->Apply(on_1m_threads);
BENCHMARK_CAPTURE(sample_variable, 1000_step_mean, Map::step, 1000, ConflictRule::mean)
    ->Apply(on_1m_threads);
BENCHMARK_CAPTURE(sample_variable, 1000_ramp_min, Map::ramp, 1000, ConflictRule::min)->Apply(on_1m);
BENCHMARK_CAPTURE(sample_variable, 1000_ramp_max, Map::ramp, 1000, ConflictRule::max)->Apply(on_1m);

void sample_count(benchmark::State& state, bool varied) {
  const std::int64_t count = state.range(0);
  const auto points = static_cast<double>(count);
  run(state, varied ? map_of(Map::ramp, 100, points) : constant_field(points), {}, count,
      static_cast<int>(state.range(1)));
}
BENCHMARK_CAPTURE(sample_count, constant, false)
    ->ArgNames({"points", "threads"})
    ->Args({1000, 1})
    ->Args({100000, 1})
    ->Args({1000000, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_count, ramp, true)
    ->ArgNames({"points", "threads"})
    ->Args({1000, 1})
    ->Args({10000, 1})
    ->Args({100000, 1})
    ->Args({1000000, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sample_elimination(benchmark::State& state, bool varied) {
  SampleOptions options;
  options.method = SampleMethod::elimination;
  run(state, varied ? map_of(Map::ramp, 100, 100000) : constant_field(100000), options, 100000, 1);
}
BENCHMARK_CAPTURE(sample_elimination, constant, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_elimination, ramp, true)->Unit(benchmark::kMillisecond)->UseRealTime();

void sample_progressive(benchmark::State& state, bool varied) {
  SampleOptions options;
  options.progressive = true;
  run(state, varied ? map_of(Map::ramp, 100, 100000) : constant_field(100000), options, 100000, 1);
}
BENCHMARK_CAPTURE(sample_progressive, constant, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_progressive, ramp, true)->Unit(benchmark::kMillisecond)->UseRealTime();

void sample_dart_throwing(benchmark::State& state, bool varied) {
  SampleOptions options;
  options.method = SampleMethod::dart_throwing;
  run(state, varied ? map_of(Map::ramp, 100, 100000) : constant_field(100000), options, 0,
      static_cast<int>(state.range(0)));
}
BENCHMARK_CAPTURE(sample_dart_throwing, constant, false)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_dart_throwing, ramp, true)
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sample_bridson(benchmark::State& state, bool varied) {
  SampleOptions options;
  options.method = SampleMethod::bridson;
  run(state, varied ? map_of(Map::ramp, 100, 20000) : constant_field(20000), options, 0, 1);
}
BENCHMARK_CAPTURE(sample_bridson, constant, false)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(sample_bridson, ramp, true)->Unit(benchmark::kMillisecond)->UseRealTime();

void sample_dense(benchmark::State& state, SampleMethod method, bool varied) {
  SampleOptions options;
  options.method = method;
  const auto count = static_cast<double>(state.range(0));
  run(state, varied ? map_of(Map::ramp, 100, count) : constant_field(count), options, 0, 1);
}
BENCHMARK_CAPTURE(sample_dense, constant, SampleMethod::dense, false)
    ->ArgName("points")
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_dense, ramp, SampleMethod::dense, true)
    ->ArgName("points")
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_dense, polished, SampleMethod::polished, false)
    ->ArgName("points")
    ->Arg(12400)  // of darts: 16k
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// The proof of a set that is exact and maximal.
void sample_certify(benchmark::State& state, bool varied) {
  const auto count = static_cast<double>(state.range(0));
  const DensityField field = varied ? map_of(Map::ramp, 100, count) : constant_field(count);
  Context context;
  context.threads = static_cast<int>(state.range(1));
  const Points points = sample(field.domain(), field, {}, context);
  double hole = 0;
  for (auto _ : state) hole = certify(points, field, ConflictRule::mean, context).hole;
  state.counters["points"] = static_cast<double>(points.size());
  state.counters["hole"] = hole;
}
BENCHMARK_CAPTURE(sample_certify, constant, false)
    ->ArgNames({"points", "threads"})
    ->Args({1000000, 1})
    ->Args({1000000, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(sample_certify, ramp, true)
    ->ArgNames({"points", "threads"})
    ->Args({100000, 1})
    ->Args({1000000, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// ---- the index ----------------------------------------------------------------------------------

const Points& uneven_points() {
  static const Points points = [] {
    Context context;
    return sample(map_of(Map::ramp, 100, 100000), {}, 0, context);
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
  const Points& points = uneven_points();
  const PointIndex index(points);
  std::vector<Neighbor> found;
  std::size_t i = 0;
  for (auto _ : state) {
    index.nearest(points[i], static_cast<int>(state.range(0)), found, static_cast<std::int32_t>(i));
    benchmark::DoNotOptimize(found.data());
    i = i + 1 == points.size() ? 0 : i + 1;
  }
}
BENCHMARK(index_nearest)->ArgName("k")->Arg(1)->Arg(8);

void index_within(benchmark::State& state) {
  const Points& points = uneven_points();
  const PointIndex index(points);
  std::vector<Neighbor> found;
  std::size_t i = 0;
  for (auto _ : state) {
    index.within(points[i], static_cast<double>(state.range(0)) * points.radius[i], found);
    benchmark::DoNotOptimize(found.data());
    i = i + 1 == points.size() ? 0 : i + 1;
  }
}
BENCHMARK(index_within)->ArgName("radii")->Arg(2)->Arg(4);

// Picks every `part`-th of a million points of a square, or of a sphere that a scanner sees from
// its middle.
void thin_million(benchmark::State& state, bool on_sphere) {
  Points cloud;
  Random random(9, Stream::tests);
  for (int i = 0; i < 1000000; ++i) {
    const double u = random.uniform();
    const double v = random.uniform();
    const double around = 6.283185307179586 * u;
    const double down = 3.141592653589793 * v;
    if (on_sphere) {
      cloud.add({1 + std::sin(down) * std::cos(around), 1 + std::sin(down) * std::sin(around)}, 0);
      cloud.z.push_back(1 + std::cos(down));
    } else {
      cloud.add({u, v}, 0);
    }
  }
  cloud.domain = {2, 2, false};
  cloud.depth = 2;
  for (auto _ : state) {
    Context context;
    SampleOptions options;
    options.count = 1000000 / state.range(0);
    benchmark::DoNotOptimize(thin(cloud, options, context));
  }
}
BENCHMARK_CAPTURE(thin_million, square, false)
    ->ArgName("part")
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(thin_million, sphere, true)
    ->ArgName("part")
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace dapple
