// Points on the surface of a torus: from a mesh in memory to columns of points, and their proof.
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/geodesic/disc.hpp"

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

// A radius for each vertex, to a hundred times the least, in proportion along an axis: some million
// points on 100,000 triangles. Arguments: threads.
SurfaceRadius hundredfold(const Mesh& mesh) {
  SurfaceRadius radius;
  constexpr double least = 0.001;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<float, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double share = 0.5 + corner(mesh, t, c).x / 2.8;
      corners[c] = static_cast<float>(least * std::pow(100.0, share));
    }
    radius.corners.push_back(corners);
  }
  return radius;
}

void surface_radii(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  const SurfaceRadius radius = hundredfold(mesh);
  Context context;
  context.threads = static_cast<int>(state.range(0));
  std::size_t count = 0;
  for (auto _ : state) count = sample_surface(mesh, radius, {}, context).size();
  state.counters["points"] = static_cast<double>(count);
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(surface_radii)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void surface_radii_certificate(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  const SurfaceRadius radius = hundredfold(mesh);
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, radius, {}, context);
  for (auto _ : state) benchmark::DoNotOptimize(certify(points, mesh, radius, {}, context));
}
BENCHMARK(surface_radii_certificate)->Unit(benchmark::kMillisecond);

// Distances along it. Arguments: rings of triangles, points in thousands.
void surface_along(benchmark::State& state) {
  const auto rings = static_cast<int>(state.range(0));
  const Mesh mesh = torus(2 * rings, rings);
  SurfaceOptions options;
  options.metric = SurfaceMetric::surface;
  Context context;
  context.threads = 1;
  Points points;
  for (auto _ : state) {
    points = sample_surface(mesh, radius_of(1000 * static_cast<double>(state.range(1))), options,
                            context);
  }
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(points.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
  const surface::Frame frame = surface::frame_of(mesh, static_cast<double>(points.radius.front()));
  const surface::Triangles triangles = surface::canonical_triangles(mesh, frame, context);
  const geodesic::Net net = geodesic::make_net(mesh, triangles, frame, context);
  geodesic::PathFinder finder(net);
  double windows = 0;
  constexpr std::size_t looks = 100;
  for (std::size_t i = 0; i < looks; ++i) {
    const std::size_t f = i * triangles.all.size() / looks;
    const surface::Triangle& t = triangles.all[f];
    const Vec3 middle = t.a + (t.e1 + t.e2) * (1.0 / 3);
    windows +=
        static_cast<double>(finder.disc(static_cast<std::int32_t>(f), middle, 1, false).size());
  }
  state.counters["windows"] = windows / looks;
}
BENCHMARK(surface_along)
    ->Args({22, 10})
    ->Args({70, 10})
    ->Args({158, 10})
    ->Args({350, 10})
    ->Unit(benchmark::kMillisecond);

void surface_certificate(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  Context context;
  context.threads = 1;
  const Points points = sample_surface(mesh, radius_of(1e6), {}, context);
  for (auto _ : state) benchmark::DoNotOptimize(certify(points, mesh, {}, context));
}
BENCHMARK(surface_certificate)->Unit(benchmark::kMillisecond);

// Three classes by Wei's matrix, with their trials, and their proof: about a million points.
void surface_classes(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  ClassOptions options;
  options.radii = {0.012, 0.006, 0.003};
  options.certify = state.range(0) != 0;
  std::size_t count = 0;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    count = sample_classes(mesh, options, 0, {}, context).points.size();
  }
  state.counters["points"] = static_cast<double>(count);
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(surface_classes)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// The order of a million points.
void surface_order(benchmark::State& state) {
  const Mesh mesh = torus(316, 158);
  Context context;
  context.threads = 1;
  const double radius = radius_of(1e6);
  const Points points = sample_surface(mesh, radius, {}, context);
  for (auto _ : state) {
    Points ordered = points;
    order_progressively(ordered, radius, {}, context);
    benchmark::DoNotOptimize(ordered.rank.data());
  }
}
BENCHMARK(surface_order)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
