// Computes a smooth F1: -log(sum of exp(-k d)) / k over all sites, which is the least distance if k
// is large. Leaves out sites so far that they add less than a float shows.
//
// Blocks of 16x8 pixels share a list of sites. Each site is added to a vector of pixels at a time,
// in the order of the list: the number of lanes changes no sum.
#include "dapple/context.hpp"
#include "generate/worley/search.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/smooth.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/lanes.hpp"
#include "generate/worley/measure.hpp"
#include "generate/worley/tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::cells {
namespace HWY_NAMESPACE {
namespace {

// measure.hpp has Lanes of its own.
using Floats = dapple::HWY_NAMESPACE::Lanes<float, 16>;
using Ints = dapple::HWY_NAMESPACE::Lanes<std::int32_t, 16>;
constexpr int step = Floats::count;

constexpr float far = 17;           // exp(-17) is 4e-8
constexpr int wide = 16, high = 8;  // pixels of a block

// Returns exp(-t) for 0 <= t <= far, to 2e-7, and 0 beyond.
HWY_INLINE Floats falloff(Floats t) {
  using dapple::HWY_NAMESPACE::as, dapple::HWY_NAMESPACE::convert;
  const Floats inside = min(t, Floats(far)) * Floats(-1.44269504f);
  const Ints whole = convert<Ints>(inside);
  // 2^f for -1 < f <= 0, by its Taylor series.
  const Floats f = (inside - convert<Floats>(whole)) * Floats(0.69314718f);
  Floats power = Floats(1.0f / 40320);
  for (const float factor :
       {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    power = power * f + Floats(factor);
  }
  const Floats scale = as<Floats>(dapple::HWY_NAMESPACE::shift_left<23>(whole + Ints(127)));
  return keep(t <= Floats(far), power * scale);
}

// Returns log(v) for v >= 1, to 2e-7: adds the logarithms of the exponent and of the rest, between
// .71 and 1.42, by the series of the area tangent.
HWY_INLINE Floats logarithm(Floats v) {
  using dapple::HWY_NAMESPACE::as, dapple::HWY_NAMESPACE::convert,
      dapple::HWY_NAMESPACE::shift_left, dapple::HWY_NAMESPACE::shift_right;
  constexpr std::int32_t half_root = 0x3f3504f3;  // the bits of .7071
  const Ints exponent = shift_right<23>(as<Ints>(v) - Ints(half_root));
  const Floats left = as<Floats>(as<Ints>(v) - shift_left<23>(exponent));
  const Floats z = (left - Floats(1.0f)) / (left + Floats(1.0f));
  const Floats square = z * z;
  Floats sum = Floats(2.0f / 9);
  for (const float factor : {2.0f / 7, 2.0f / 5, 2.0f / 3, 2.0f})
    sum = sum * square + Floats(factor);
  return convert<Floats>(exponent) * Floats(0.69314718f) + sum * z;
}

// Returns distances by a measure; Minkowski measures have no vector code.
template <class M>
HWY_INLINE Floats distance_of(const M& measure, Floats dx, Floats dy, float lift) {
  if constexpr (std::is_base_of_v<Measure<Metric::euclidean>, M>) {
    const Floats square = dx * dx + dy * dy;
    return sqrt(M::lifted ? square + Floats(lift) : square);
  } else if constexpr (std::is_same_v<M, Measure<Metric::manhattan>>) {
    return abs(dx) + abs(dy);
  } else if constexpr (std::is_same_v<M, Measure<Metric::chebyshev>>) {
    return max(abs(dx), abs(dy));
  } else {
    float x[step], y[step];
    dx.store(x);
    dy.store(y);
    for (int i = 0; i < step; ++i) x[i] = measure.length(measure.of(x[i], y[i]));
    return Floats::load(x);
  }
}

float highest_of(const Band<float>& plane, const PixelBox& box) {
  float highest = 0;
  for (int y = box.y0; y < box.y1; ++y) {
    highest = std::max(highest, *std::max_element(plane.row(y) + box.x0, plane.row(y) + box.x1));
  }
  return highest;
}

template <class M>
class SmoothTile {
 public:
  SmoothTile(const SiteGrid& grid, const M& measure, const PixelBox& tile, float k, Band<float>& f1)
      : measure_(measure), middle_(middle_of(tile)), k_(k), f1_(f1) {
    thread_local TileSites sites;
    grid.gather(window_around(tile, static_cast<double>(reach_of(tile))), middle_, sites.exact);
    const std::size_t n = sites.load(grid);
    for (int y = tile.y0; y < tile.y1; y += high) {
      for (int x = tile.x0; x < tile.x1; x += wide) {
        const PixelBox part{x, y, std::min(x + wide, tile.x1), std::min(y + high, tile.y1)};
        find(sites, n, part);
        for (int row = part.y0; row < part.y1; ++row) smooth_row(part, row);
      }
    }
  }

 private:
  // Rounding must never drop a site that counts.
  float reach_of(const PixelBox& box) const {
    return (highest_of(f1_, box) + far / k_) * 1.00001f + 1e-3f;
  }

  // Finds the sites of a tile that matter in a part of it.
  void find(const TileSites& all, std::size_t n, const PixelBox& part) {
    const CenterBox box(part, middle_);
    const float reach = reach_of(part);
    x_.resize(n);
    y_.resize(n);
    lift_.resize(n);
    count_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float dx = std::max({box.x0 - all.x[i], all.x[i] - box.x1, 0.0f});
      const float dy = std::max({box.y0 - all.y[i], all.y[i] - box.y1, 0.0f});
      float d = measure_.of(dx, dy);
      if constexpr (M::lifted) d += all.lift[i];
      x_[count_] = all.x[i];
      y_[count_] = all.y[i];
      lift_[count_] = M::lifted ? all.lift[i] : 0;
      count_ += measure_.length(d) <= reach ? 1 : 0;
    }
  }

  void smooth_row(const PixelBox& part, int y) {
    float* const row = f1_.row(y);
    const Floats at_y(static_cast<float>(y + 0.5 - middle_.y));
    for (int x = part.x0; x < part.x1; x += step) {
      const int pixels = std::min(step, part.x1 - x);
      float nearest[step] = {};
      std::copy_n(row + x, pixels, nearest);
      const Floats f1 = Floats::load(nearest);
      const Floats at_x =
          Floats::count_from(0.0f) + Floats(static_cast<float>(x + 0.5 - middle_.x));
      Floats sum(0.0f);
      for (std::size_t i = 0; i < count_; ++i) {
        const Floats d =
            distance_of(measure_, Floats(x_[i]) - at_x, Floats(y_[i]) - at_y, lift_[i]);
        sum += falloff(max(d - f1, Floats(0.0f)) * Floats(k_));
      }
      // The nearest site by itself adds 1.
      const Floats lower = logarithm(max(sum, Floats(1.0f))) * Floats(1 / k_);
      max(f1 - lower, Floats(0.0f)).store(nearest);
      std::copy_n(nearest, pixels, row + x);
    }
  }

  const M& measure_;
  Vec2 middle_;
  float k_;
  Band<float>& f1_;
  std::vector<float> x_, y_, lift_;
  std::size_t count_ = 0;
};

}  // namespace

void smooth_tile_of(const SiteGrid& grid, const Metric& metric, const PixelBox& tile, float k,
                    Band<float>& f1) {
  with_measure(metric, grid.is_lifted(),
               [&](const auto& measure) { SmoothTile(grid, measure, tile, k, f1); });
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::cells
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::cells {
namespace {

HWY_EXPORT(smooth_tile_of);

}  // namespace

double smooth_reach(double over) {
  return 17 * over / (4 * 0.69314718);
}

void smooth_nearest(const SiteGrid& grid, const Metric& metric, float over, RowRange rows,
                    Band<float>& f1, Context& context) {
  const float k = 4 * 0.69314718f / over;
  for_tiles(grid, rows, context, [&](const PixelBox& tile) {
    context.check();
    HWY_DYNAMIC_DISPATCH(smooth_tile_of)(grid, metric, tile, k, f1);
  });
}

}  // namespace dapple::cells
#endif
