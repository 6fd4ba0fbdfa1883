// A smooth F1: -log(sum of exp(-k d)) / k over all sites, the minimum of all distances where k is
// large. Sites so much farther than the nearest that they add less than a float shows are left out.
#include <cmath>
#include <cstring>
#include <vector>

#include "core/portable.hpp"
#include "generate/worley_measure.hpp"
#include "generate/worley_search.hpp"
#include "generate/worley_tile.hpp"

namespace dapple {
namespace {

constexpr float far = 17;  // exp(-17) is 4e-8

// exp(-t) for 0 <= t <= far, to 2e-7; 0 beyond.
Lanes falloff(Lanes t) {
  const Lanes inside = smaller(t, all(far)) * all(-1.44269504f);
  const IntLanes whole = __builtin_convertvector(inside, IntLanes);
  // 2^f for -1 < f <= 0, Taylor.
  const Lanes f = (inside - __builtin_convertvector(whole, Lanes)) * all(0.69314718f);
  Lanes power = all(1.0f / 40320);
  for (const float factor :
       {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    power = power * f + all(factor);
  }
  const IntLanes bits = (whole + all(127)) << 23;
  Lanes scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return t <= all(far) ? power * scale : all(0.0f);
}

template <class M>
void smooth_tile(const SiteGrid& grid, const M& measure, const PixelBox& tile, float k,
                 Plane<float>& f1) {
  thread_local TileSites sites;
  float highest = 0;
  for (int y = tile.y0; y < tile.y1; ++y) {
    highest = std::max(highest, *std::max_element(f1.row(y) + tile.x0, f1.row(y) + tile.x1));
  }
  const Vec2 middle = middle_of(tile);
  grid.gather(window_round(tile, static_cast<double>(highest + far / k) + 1e-3), middle,
              sites.exact);
  const std::size_t n = sites.load(grid);
  sites.reserve(n + lane_count);
  for (std::size_t i = n; i % lane_count != 0; ++i) sites.x[i] = 1e18f;
  for (int y = tile.y0; y < tile.y1; ++y) {
    const Lanes py = all(static_cast<float>(y + 0.5 - middle.y));
    for (int x = tile.x0; x < tile.x1; ++x) {
      const Lanes px = all(static_cast<float>(x + 0.5 - middle.x));
      const Lanes nearest = all(f1(x, y));
      Lanes sums = all(0.0f);
      for (std::size_t i = 0; i < n; i += lane_count) {
        Lanes d = measure.of(load(&sites.x[i]) - px, load(&sites.y[i]) - py);
        if constexpr (M::lifted) d += load(&sites.lift[i]);
        for (int j = 0; j < lane_count; ++j) d[j] = measure.length(d[j]);
        sums += falloff(larger(d - nearest, all(0.0f)) * all(k));
      }
      double sum = 0;
      for (int j = 0; j < lane_count; ++j) sum += static_cast<double>(sums[j]);
      // The nearest site alone adds 1.
      const double lower = -portable_log(1 / std::max(sum, 1.0)) / static_cast<double>(k);
      f1(x, y) = std::max(f1(x, y) - static_cast<float>(lower), 0.0f);
    }
  }
}

}  // namespace

void smooth_nearest(const SiteGrid& grid, const Metric& metric, float over, Plane<float>& f1,
                    Context& context) {
  const float k = 4 * 0.69314718f / over;
  with_measure(metric, grid.is_lifted(), [&](const auto& measure) {
    for_tiles(grid, context,
              [&](const PixelBox& tile) { smooth_tile(grid, measure, tile, k, f1); });
  });
}

}  // namespace dapple
