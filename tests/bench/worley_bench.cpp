// Cell textures of 2048x2048, points given: time of the texture without files.
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/worley.hpp"
#include "lattice_cells.hpp"

namespace dapple {
namespace {

constexpr int side = 2048;

// One site in each cell of a lattice, on the torus.
Points make_sites(std::int64_t count) {
  Points sites;
  sites.domain = {side, side, true};
  Random random(1, Stream::tests);
  const auto along = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
  for (std::int64_t i = 0; i < along * along; ++i) {
    const double u =
        (static_cast<double>(i % along) + random.uniform()) / static_cast<double>(along);
    const double v =
        (static_cast<double>(i / along) + random.uniform()) / static_cast<double>(along);
    sites.add({u * side, v * side}, 1);
  }
  return sites;
}

// As the sampler places them where the spacing grows `ratio` times from left to right.
Points make_uneven_sites(std::int64_t count, double ratio) {
  constexpr int columns = 1024;
  Image map;
  map.names = {"Y"};
  map.encoding = Encoding::data;
  map.channels.emplace_back(columns, columns);
  for (int y = 0; y < columns; ++y) {
    for (int x = 0; x < columns; ++x) {
      const double spacing = 1 + (ratio - 1) * x / (columns - 1);
      map.channels[0](x, y) = static_cast<float>(1 / (spacing * spacing));
    }
  }
  SiteOptions options;
  options.size = {side, side};
  options.density.image = std::make_shared<const Image>(std::move(map));
  FieldOptions field;
  field.map.as = MapKind::density;
  field.count = count;
  Context context;
  return worley_sites(options, field, context);
}

void run(benchmark::State& state, const WorleyOptions& options, double ratio, int threads = 0) {
  const Points sites =
      ratio == 1 ? make_sites(state.range(0)) : make_uneven_sites(state.range(0), ratio);
  Context context;
  context.threads = threads;
  for (auto _ : state) {
    benchmark::DoNotOptimize(worley(sites, side, side, options, context));
  }
  state.counters["Mpx/s"] =
      benchmark::Counter(1e-6 * side * side, benchmark::Counter::kIsIterationInvariantRate);
}

void run(benchmark::State& state, const std::vector<std::string>& outputs, double ratio = 1,
         Metric metric = {}, int threads = 0) {
  WorleyOptions options;
  options.outputs = outputs;
  options.metric = metric;
  run(state, options, ratio, threads);
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
void worley_f1_1_thread(benchmark::State& state) {
  run(state, {"f1"}, 1, {}, 1);
}
void worley_f1_f2_f3_id_1_thread(benchmark::State& state) {
  run(state, {"f1", "f2", "f3", "id"}, 1, {}, 1);
}
void worley_f1_to_f4_1_thread(benchmark::State& state) {
  run(state, {"f1", "f2", "f3", "f4"}, 1, {}, 1);
}
void worley_edge_1_thread(benchmark::State& state) {
  run(state, {"edge"}, 1, {}, 1);
}
// What most programs do, pixel by pixel, on one thread: as many distances, some of them wrong.
// Counts the pixels whose farthest one is not the distance of our search.
template <std::size_t K>
void peer_lattice(benchmark::State& state) {
  const int across = static_cast<int>(std::lround(std::sqrt(static_cast<double>(state.range(0)))));
  const LatticeCells lattice(across, side / across);
  std::array<Plane<float>, K> distance;
  for (Plane<float>& plane : distance) plane = Plane<float>(side, side);
  for (auto _ : state) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const auto found =
            lattice.nearest<K>(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        for (std::size_t k = 0; k < K; ++k) distance[k](x, y) = std::sqrt(found[k]);
      }
    }
    benchmark::DoNotOptimize(distance);
  }
  WorleyOptions options;
  options.outputs = {"f" + std::to_string(K)};
  Context context;
  const Image right = worley(lattice.sites(), side, side, options, context);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < right.channels[0].size(); ++i) {
    wrong += distance[K - 1].values()[i] > right.channels[0].values()[i] + 1e-3f ? 1 : 0;
  }
  state.counters["Mpx/s"] =
      benchmark::Counter(1e-6 * side * side, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["wrong_pixels"] = static_cast<double>(wrong);
}
void peer_lattice_f1_1_thread(benchmark::State& state) {
  peer_lattice<1>(state);
}
void peer_lattice_f1_to_f4_1_thread(benchmark::State& state) {
  peer_lattice<4>(state);
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
  Points sites;
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
void worley_f1_variable_50_1_thread(benchmark::State& state) {
  run(state, {"f1"}, 50, {}, 1);
}
void worley_f1_f2_f3_id_variable_50_1_thread(benchmark::State& state) {
  run(state, {"f1", "f2", "f3", "id"}, 50, {}, 1);
}
void worley_edge_variable_50_1_thread(benchmark::State& state) {
  run(state, {"edge"}, 50, {}, 1);
}
void worley_power_f1_f2_variable_4(benchmark::State& state) {
  WorleyOptions options;
  options.outputs = {"f1", "f2"};
  options.power = 1;
  run(state, options, 4);
}
void worley_power_edge_variable_4(benchmark::State& state) {
  WorleyOptions options;
  options.outputs = {"edge"};
  options.power = 1;
  run(state, options, 4);
}
// Half of the spacing.
void worley_smooth_f1(benchmark::State& state) {
  WorleyOptions options;
  options.smooth = {0.5 * side / std::sqrt(static_cast<double>(state.range(0))), Unit::px};
  run(state, options, 1);
}
void worley_antialias_random(benchmark::State& state) {
  WorleyOptions options;
  options.outputs = {"random"};
  options.antialias = true;
  run(state, options, 1);
}
void worley_normal_of_edge(benchmark::State& state) {
  WorleyOptions options;
  options.outputs = {"normal"};
  options.height_of = HeightOf::edge;
  run(state, options, 1);
}
void worley_occlusion(benchmark::State& state) {
  run(state, {"occlusion"});
}

BENCHMARK(worley_f1)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_f3_id)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_1_thread)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_f3_id_1_thread)
    ->Arg(4096)
    ->Arg(65536)
    ->Arg(1048576)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_to_f4_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_1_thread)->Arg(4096)->Arg(65536)->Arg(1048576)->Unit(benchmark::kMillisecond);
BENCHMARK(peer_lattice_f1_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(peer_lattice_f1_to_f4_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f8)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_corner)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_perimeter)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_minkowski_3)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_variable_50)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_island)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_variable_50)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_variable_50_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_f1_f2_f3_id_variable_50_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_edge_variable_50_1_thread)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_power_f1_f2_variable_4)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_power_edge_variable_4)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_smooth_f1)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_antialias_random)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_normal_of_edge)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(worley_occlusion)->Arg(65536)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
