// Computes bounds of the parts of a box, in double, with a lane per column of parts.
#include "sample/certify/certify.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/certify/parts.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Doubles = Lanes<double, 4>;
constexpr std::size_t vectors = 4 / Doubles::count;

HWY_INLINE Doubles farthest(double at, const double* center, const double* half, double period) {
  const Doubles plain = abs(at - Doubles::load(center));
  return min(plain, period - plain) + Doubles::load(half);
}

void bound_parts(const PartGrid& grid, const double* x, const double* y, const double* scale,
                 std::size_t count, PartBounds& nearest) {
  Doubles least[4][vectors];
  for (auto& row : least) {
    for (Doubles& v : row) v = std::numeric_limits<double>::infinity();
  }
  for (std::size_t p = 0; p < count; ++p) {
    Doubles dx[vectors];
    double dy[4];
    for (std::size_t k = 0; k < vectors; ++k) {
      const std::size_t at = k * Doubles::count;
      const Doubles a = farthest(x[p], &grid.x[at], &grid.half_width[at], grid.across.period);
      const Doubles b = farthest(y[p], &grid.y[at], &grid.half_height[at], grid.down.period);
      dx[k] = a * a * scale[p];
      (b * b * scale[p]).store(dy + at);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < vectors; ++k) least[j][k] = min(least[j][k], dx[k] + dy[j]);
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t k = 0; k < vectors; ++k) least[j][k].store(&nearest[j][k * Doubles::count]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(bound_parts);

void bound_parts(const PartGrid& grid, const double* x, const double* y, const double* scale,
                 std::size_t count, PartBounds& nearest) {
  HWY_DYNAMIC_DISPATCH(bound_parts)(grid, x, y, scale, count, nearest);
}

}  // namespace dapple
#endif
