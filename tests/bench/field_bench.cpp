// From a 1024x768 picture to r(x), and bounds of r over boxes.
#include <benchmark/benchmark.h>
#include <cmath>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/field.hpp"

namespace dapple {
namespace {

constexpr int width = 1024;
constexpr int height = 768;

// Colors with texture and hard edges, as a photo has them.
const Image& photo() {
  static const Image image = [] {
    Image made;
    made.names = {"R", "G", "B"};
    for (int c = 0; c < 3; ++c) {
      Plane<float> plane(width, height);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const double light = 0.5 + 0.3 * std::sin(x * 0.011 + c) * std::cos(y * 0.017);
          const double grain = 0.1 * std::sin(x * 0.9) * std::sin(y * 0.7);
          plane(x, y) = static_cast<float>(light + grain - (x > 700 ? 0.1 : 0.0));
        }
      }
      made.channels.push_back(std::move(plane));
    }
    return made;
  }();
  return image;
}

void field_demand(benchmark::State& state, MapKind as) {
  MapOptions options;
  options.as = as;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(target_density(photo(), options, context));
  }
}
BENCHMARK_CAPTURE(field_demand, tone, MapKind::tone)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(field_demand, density, MapKind::density)->Unit(benchmark::kMillisecond);

// The whole stage: demand, slope limit, the radius that gives the count, pyramid.
void field_make(benchmark::State& state, MapKind as, std::optional<double> slope) {
  FieldOptions options;
  options.map.as = as;
  options.slope = slope;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(make_field(photo(), options, false, {}, 10000, context));
  }
}
BENCHMARK_CAPTURE(field_make, density, MapKind::density, 1.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(field_make, density_no_slope_limit, MapKind::density, std::nullopt)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(field_make, tone, MapKind::tone, 1.0)->Unit(benchmark::kMillisecond);

void field_bounds(benchmark::State& state) {
  Context context;
  const DensityField field = make_field(photo(), {}, false, {}, 10000, context);
  Random random(1, Stream::tests);
  const auto size = static_cast<double>(state.range(0));
  std::vector<Box> boxes(4096);
  for (Box& box : boxes) {
    box.x0 = random.uniform() * (width - size);
    box.y0 = random.uniform() * (height - size);
    box.x1 = box.x0 + size;
    box.y1 = box.y0 + size;
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(field.radius_bounds(boxes[i++ % boxes.size()]));
  }
}
BENCHMARK(field_bounds)->ArgName("pixels")->Arg(1)->Arg(8)->Arg(64)->Arg(512);

void field_radius(benchmark::State& state) {
  Context context;
  const DensityField field = make_field(photo(), {}, false, {}, 10000, context);
  Random random(1, Stream::tests);
  std::vector<Vec2> places(4096);
  for (Vec2& p : places) {
    p.x = random.uniform() * width;
    p.y = random.uniform() * height;
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(field.radius(places[i++ % places.size()]));
}
BENCHMARK(field_radius);

}  // namespace
}  // namespace dapple
