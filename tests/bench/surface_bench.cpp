// Points on the surface of a torus: from a mesh in memory to columns of points, and their proof.
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/surface.hpp"
#include "meshes.hpp"

namespace dapple {
namespace {

// The radius at which a maximal set has about so many points.
double radius_of(double count) {
  const double area = 4 * 9.8696044 * 0.4;
  return std::sqrt(0.6965 * area / count);
}

// Arguments: rings of triangles, threads, points in thousands.
void surface(benchmark::State& state) {
  const auto rings = static_cast<int>(state.range(0));
  const Mesh mesh = torus(2 * rings, rings);
  Context context;
  context.threads = static_cast<int>(state.range(1));
  std::size_t count = 0;
  for (auto _ : state) {
    count = sample_surface(mesh, radius_of(1000 * static_cast<double>(state.range(2))), {}, context)
                .size();
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(surface)
    ->Args({16, 1, 1000})
    ->Args({158, 1, 1000})
    ->Args({158, 2, 1000})
    ->Args({500, 1, 100})
    ->Unit(benchmark::kMillisecond);

void surface_certificate(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  Context context;
  context.threads = 1;
  const SurfacePoints points = sample_surface(mesh, radius_of(1e6), {}, context);
  for (auto _ : state) benchmark::DoNotOptimize(certify(points, mesh, {}, context));
}
BENCHMARK(surface_certificate)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
