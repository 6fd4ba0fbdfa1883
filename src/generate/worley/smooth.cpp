// A smooth F1: -log(sum of exp(-k d)) / k over all sites, the minimum of all distances where k is
// large. Sites so much farther than the nearest that they add less than a float shows are left out.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/portable.hpp"
#include "generate/worley/measure.hpp"
#include "generate/worley/search.hpp"
#include "generate/worley/tile.hpp"

namespace dapple::cells {
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

constexpr int block = 8;  // pixels a side that share a list

float highest_of(const Band<float>& plane, const PixelBox& box) {
  float highest = 0;
  for (int y = box.y0; y < box.y1; ++y) {
    highest = std::max(highest, *std::max_element(plane.row(y) + box.x0, plane.row(y) + box.x1));
  }
  return highest;
}

// Sites of a tile that matter in a part of it.
struct NearSites {
  std::vector<float> x, y, lift;
  std::size_t count = 0;  // a multiple of lane_count

  template <class M>
  void find(const TileSites& all, std::size_t n, const M& measure, const CenterBox& box,
            float reach) {
    x.resize(n + lane_count);
    y.resize(n + lane_count);
    lift.resize(n + lane_count);
    count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float dx = std::max({box.x0 - all.x[i], all.x[i] - box.x1, 0.0f});
      const float dy = std::max({box.y0 - all.y[i], all.y[i] - box.y1, 0.0f});
      float d = measure.of(dx, dy);
      if constexpr (M::lifted) d += all.lift[i];
      x[count] = all.x[i];
      y[count] = all.y[i];
      if constexpr (M::lifted) lift[count] = all.lift[i];
      count += measure.length(d) <= reach ? 1 : 0;
    }
    for (; count % lane_count != 0; ++count) x[count] = 1e18f;
  }
};

template <class M>
void smooth_pixel(const NearSites& sites, const M& measure, float at_x, float at_y, float k,
                  float& f1) {
  const Lanes px = all(at_x);
  const Lanes py = all(at_y);
  const Lanes nearest = all(f1);
  Lanes sums = all(0.0f);
  for (std::size_t i = 0; i < sites.count; i += lane_count) {
    Lanes d = measure.of(load(&sites.x[i]) - px, load(&sites.y[i]) - py);
    if constexpr (M::lifted) d += load(&sites.lift[i]);
    for (int j = 0; j < lane_count; ++j) d[j] = measure.length(d[j]);
    sums += falloff(larger(d - nearest, all(0.0f)) * all(k));
  }
  double sum = 0;
  for (int j = 0; j < lane_count; ++j) sum += static_cast<double>(sums[j]);
  // The nearest site alone adds 1.
  const double lower = -portable_log(1 / std::max(sum, 1.0)) / static_cast<double>(k);
  f1 = std::max(f1 - static_cast<float>(lower), 0.0f);
}

template <class M>
void smooth_tile(const SiteGrid& grid, const M& measure, const PixelBox& tile, float k,
                 Band<float>& f1, const Context& context) {
  thread_local TileSites sites;
  thread_local NearSites near;
  // Rounding must never drop a site that counts.
  const auto reach_of = [&](const PixelBox& box) {
    return (highest_of(f1, box) + far / k) * 1.00001f + 1e-3f;
  };
  const Vec2 middle = middle_of(tile);
  grid.gather(window_round(tile, static_cast<double>(reach_of(tile))), middle, sites.exact);
  const std::size_t n = sites.load(grid);
  for (int y0 = tile.y0; y0 < tile.y1; y0 += block) {
    context.check();
    for (int x0 = tile.x0; x0 < tile.x1; x0 += block) {
      const PixelBox part{x0, y0, std::min(x0 + block, tile.x1), std::min(y0 + block, tile.y1)};
      near.find(sites, n, measure, CenterBox(part, middle), reach_of(part));
      for (int y = part.y0; y < part.y1; ++y) {
        for (int x = part.x0; x < part.x1; ++x) {
          smooth_pixel(near, measure, static_cast<float>(x + 0.5 - middle.x),
                       static_cast<float>(y + 0.5 - middle.y), k, f1(x, y));
        }
      }
    }
  }
}

}  // namespace

double smooth_reach(double over) {
  return static_cast<double>(far) * over / (4 * 0.69314718);
}

void smooth_nearest(const SiteGrid& grid, const Metric& metric, float over, RowRange rows,
                    Band<float>& f1, Context& context) {
  const float k = 4 * 0.69314718f / over;
  with_measure(metric, grid.is_lifted(), [&](const auto& measure) {
    for_tiles(grid, rows, context,
              [&](const PixelBox& tile) { smooth_tile(grid, measure, tile, k, f1, context); });
  });
}

}  // namespace dapple::cells
