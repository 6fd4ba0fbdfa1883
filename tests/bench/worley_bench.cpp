// Cell textures of 2048x2048, points given: time of the texture without files.
#include <benchmark/benchmark.h>
#include <cmath>

#include "core/random.hpp"
#include "dapple/worley.hpp"

namespace dapple {
namespace {

constexpr int side = 2048;

// One site in each cell of a lattice, on the torus; `ratio` > 1: the spacing grows that many times
// from left to right.
PointSet make_sites(std::int64_t count, double ratio) {
  PointSet sites;
  sites.domain = {side, side, true};
  Random random(1, Stream::tests);
  const auto along = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
  for (std::int64_t i = 0; i < along * along; ++i) {
    const double u =
        (static_cast<double>(i % along) + random.uniform()) / static_cast<double>(along);
    const double v =
        (static_cast<double>(i / along) + random.uniform()) / static_cast<double>(along);
    if (ratio == 1) {
      sites.add({u * side, v * side}, 1);
    } else {
      // Density 1 / (1 + (ratio - 1) x)^2: the inverse of its integral.
      const double x = u / (ratio - (ratio - 1) * u);
      sites.add({x * side, v * side}, 1);
    }
  }
  return sites;
}

void run(benchmark::State& state, const std::vector<std::string>& outputs, double ratio = 1,
         Metric metric = {}) {
  const PointSet sites = make_sites(state.range(0), ratio);
  WorleyOptions options;
  options.outputs = outputs;
  options.metric = metric;
  Context context;
  for (auto _ : state) {
    benchmark::DoNotOptimize(worley(sites, side, side, options, context));
  }
  state.counters["Mpx/s"] =
      benchmark::Counter(1e-6 * side * side, benchmark::Counter::kIsIterationInvariantRate);
}

void worley_f1(benchmark::State& state) {
  run(state, {"f1"});
}
void worley_f1_f2(benchmark::State& state) {
  run(state, {"f1", "f2"});
}
void worley_f1_f2_f3_id(benchmark::State& state) {
  run(state, {"f1", "f2", "f3", "id"});
}
void worley_edge(benchmark::State& state) {
  run(state, {"edge"});
}
void worley_f8(benchmark::State& state) {
  run(state, {"f8"});
}
void worley_corner(benchmark::State& state) {
  run(state, {"corner"});
}
void worley_perimeter(benchmark::State& state) {
  run(state, {"perimeter"});
}
void worley_f1_minkowski_3(benchmark::State& state) {
  run(state, {"f1"}, 1, {Metric::minkowski, 3});
}
void worley_f1_f2_variable_50(benchmark::State& state) {
  run(state, {"f1", "f2"}, 50);
}
// Sites in a disc, nothing round it, no torus: cells at the rim reach far.
void worley_edge_island(benchmark::State& state) {
  PointSet sites;
  sites.domain = {side, side, false};
  Random random(1, Stream::tests);
  while (static_cast<std::int64_t>(sites.size()) < state.range(0)) {
    const double x = random.uniform() - 0.5;
    const double y = random.uniform() - 0.5;
    if (x * x + y * y < 0.1) sites.add({(x + 0.5) * side, (y + 0.5) * side}, 1);
  }
  WorleyOptions options;
  options.outputs = {"edge"};
  Context context;
  for (auto _ : state) {
    benchmark::DoNotOptimize(worley(sites, side, side, options, context));
  }
}
void worley_edge_variable_50(benchmark::State& state) {
  run(state, {"edge"}, 50);
}

BENCHMARK(worley_f1)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_f3_id)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f8)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_corner)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_perimeter)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_minkowski_3)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_variable_50)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_island)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_variable_50)->Arg(65536)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
