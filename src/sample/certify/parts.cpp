// Bounds of the parts of a box, in double: a column of parts a lane.
#include "sample/certify/certify.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/certify/parts.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 4>;
using Lanes = hn::Vec<Tag>;
constexpr Tag tag;
constexpr std::size_t lanes = hn::MaxLanes(Tag{});
constexpr std::size_t vectors = 4 / lanes;

HWY_INLINE Lanes farthest(double at, const double* center, const double* half, double period) {
  const Lanes plain = hn::Abs(hn::Sub(hn::Set(tag, at), hn::LoadU(tag, center)));
  const Lanes away = hn::Min(plain, hn::Sub(hn::Set(tag, period), plain));
  return hn::Add(away, hn::LoadU(tag, half));
}

void bound_parts(const PartGrid& grid, const double* x, const double* y, const double* scale,
                 std::size_t count, PartBounds& nearest) {
  Lanes least[4][vectors];
  for (auto& row : least) {
    for (Lanes& v : row) v = hn::Set(tag, std::numeric_limits<double>::infinity());
  }
  for (std::size_t p = 0; p < count; ++p) {
    const Lanes by = hn::Set(tag, scale[p]);
    Lanes dx[vectors];
    alignas(32) double dy[4];
    for (std::size_t k = 0; k < vectors; ++k) {
      const std::size_t at = k * lanes;
      const Lanes a = farthest(x[p], &grid.x[at], &grid.half_width[at], grid.across.period);
      const Lanes b = farthest(y[p], &grid.y[at], &grid.half_height[at], grid.down.period);
      dx[k] = hn::Mul(hn::Mul(a, a), by);
      hn::StoreU(hn::Mul(hn::Mul(b, b), by), tag, dy + at);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const Lanes row = hn::Set(tag, dy[j]);
      for (std::size_t k = 0; k < vectors; ++k) {
        least[j][k] = hn::Min(least[j][k], hn::Add(dx[k], row));
      }
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t k = 0; k < vectors; ++k) {
      hn::StoreU(least[j][k], tag, &nearest[j][k * lanes]);
    }
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
