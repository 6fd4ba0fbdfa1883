// Stippling, drawing order, rasterizing and SVG.
#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>

#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"
#include "draw/raster.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// Smooth light with texture and a hard edge, like a photo.
const Image& photo() {
  static const Image image = [] {
    Image made;
    made.names = {"Y"};
    made.channels.emplace_back(1024, 768);
    for (int y = 0; y < 768; ++y) {
      for (int x = 0; x < 1024; ++x) {
        const double light = 0.5 + 0.25 * std::sin(x * 0.011) * std::cos(y * 0.017);
        const double grain = 0.1 * std::sin(x * 0.9) * std::sin(y * 0.7);
        made.channels[0](x, y) = static_cast<float>(light + grain - (x > 700 ? 0.12 : 0.0));
      }
    }
    return made;
  }();
  return image;
}

Stippling make(StippleMethod method, std::int64_t dots, DotOrder order, Context& context) {
  PictureOptions field;
  field.as = MapKind::tone;
  StippleOptions options;
  options.method = method;
  options.dots = dots;
  options.order = order;
  return stipple(photo(), field, options, context);
}

const Stippling& ten_thousand() {
  static const Stippling made = [] {
    Context context;
    return make(StippleMethod::kernel, 10000, DotOrder::travel, context);
  }();
  return made;
}

void stipple_dots(benchmark::State& state, StippleMethod method) {
  for (auto _ : state) {
    Context context;
    benchmark::DoNotOptimize(make(method, state.range(0), DotOrder::none, context));
  }
}
BENCHMARK_CAPTURE(stipple_dots, kernel, StippleMethod::kernel)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(stipple_dots, lbg, StippleMethod::lbg)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(stipple_dots, voronoi, StippleMethod::voronoi)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(stipple_dots, poisson, StippleMethod::poisson)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void stipple_order(benchmark::State& state) {
  for (auto _ : state) {
    Context context;
    benchmark::DoNotOptimize(drawing_order(ten_thousand().dots, DotOrder::travel, context));
  }
}
BENCHMARK(stipple_order)->Unit(benchmark::kMillisecond)->UseRealTime();

void stipple_raster(benchmark::State& state) {
  for (auto _ : state) {
    Context context;
    benchmark::DoNotOptimize(rasterize(ten_thousand().drawing, 1024, 768, context));
  }
}
BENCHMARK(stipple_raster)->Unit(benchmark::kMillisecond)->UseRealTime();

// A million even dots of half the paper's ink, and what a window shows of them.
const Drawing& million() {
  static const Drawing made = [] {
    Drawing drawing;
    drawing.width = 1600;
    drawing.height = 1000;
    drawing.layers.emplace_back();
    Context context;
    const Points points =
        sample(DensityField::constant({1600, 1000, false}, 1), {}, 1'000'000, context);
    for (std::size_t i = 0; i < points.size(); ++i) {
      drawing.layers[0].discs.push_back({points[i], 0.52});
    }
    return drawing;
  }();
  return made;
}

void raster_million(benchmark::State& state) {
  million();
  for (auto _ : state) {
    Context context;
    context.threads = static_cast<int>(state.range(0));
    benchmark::DoNotOptimize(rasterize(million(), 1600, 1000, context));
  }
}
BENCHMARK(raster_million)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

const PreparedDrawing& prepared_million() {
  static const PreparedDrawing made = [] {
    Context context;
    return PreparedDrawing(std::make_shared<Drawing>(million()), context, true);
  }();
  return made;
}

void raster_prepare(benchmark::State& state) {
  const auto drawing = std::make_shared<Drawing>(million());
  for (auto _ : state) {
    Context context;
    benchmark::DoNotOptimize(PreparedDrawing(drawing, context, state.range(0) != 0));
  }
}
BENCHMARK(raster_prepare)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);  // 1: to look at

// All of it at so many per cent of that, exact or roughly; processor time of one thread.
void raster_whole(benchmark::State& state) {
  prepared_million();
  const int width = static_cast<int>(16 * state.range(0));
  const int height = static_cast<int>(10 * state.range(0));
  PreparedDrawing::View view{1.0 * width, 1.0 * height, {0, 0, width, height}};
  view.roughly = state.range(1) != 0;
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(prepared_million().rasterize(view, context));
  }
}
BENCHMARK(raster_whole)->ArgsProduct({{60, 80, 100}, {0, 1}})->Unit(benchmark::kMillisecond);

// Enlarged so many times; processor time of one thread.
void raster_window(benchmark::State& state) {
  prepared_million();
  const int zoom = static_cast<int>(state.range(0));
  const PictureWindow window{300 * (zoom - 1), 200 * (zoom - 1), 1600, 1000};
  for (auto _ : state) {
    Context context;
    context.threads = 1;
    benchmark::DoNotOptimize(
        prepared_million().rasterize({1600.0 * zoom, 1000.0 * zoom, window}, context));
  }
}
BENCHMARK(raster_window)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

void stipple_svg(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(encode_svg(ten_thousand().drawing));
}
BENCHMARK(stipple_svg)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple
