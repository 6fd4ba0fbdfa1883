// Computes the distances that radii require, one vector at a time.
//
// This file is compiled once for each set of instructions, as core/lanes.hpp is.
#if defined(DAPPLE_SURFACE_RULE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SURFACE_RULE_LANES
#undef DAPPLE_SURFACE_RULE_LANES
#else
#define DAPPLE_SURFACE_RULE_LANES
#endif

#include <type_traits>

#include "sample/engine/place_lanes.hpp"
#include "sample/surface/tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::surface {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;
using namespace engine::HWY_NAMESPACE;

// Calls body(rule) with `apart` as a compile-time constant.
template <class Body>
HWY_INLINE void with_rule(Apart apart, const Body& body) {
  switch (apart) {
    case Apart::one:
      return body(std::integral_constant<Apart, Apart::one>());
    case Apart::mean:
      return body(std::integral_constant<Apart, Apart::mean>());
    case Apart::least:
      return body(std::integral_constant<Apart, Apart::least>());
    case Apart::most:
      return body(std::integral_constant<Apart, Apart::most>());
    case Apart::given:
      return body(std::integral_constant<Apart, Apart::given>());
  }
}

// Returns `share` of the required distance for radii a and b; one radius for all is the unit.
template <Apart apart, class V>
HWY_INLINE V asked(V a, V b, float share) {
  if constexpr (apart == Apart::mean) return (a + b) * (0.5f * share);
  if constexpr (apart == Apart::least) return min(a, b) * share;
  if constexpr (apart == Apart::most) return max(a, b) * share;
  if constexpr (apart == Apart::given) return b * share;
  return share;
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::surface
HWY_AFTER_NAMESPACE();

#endif
