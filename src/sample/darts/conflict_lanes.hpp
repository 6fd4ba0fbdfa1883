// Computes conflict distances, eight at a time if the processor can.
//
// Files that Highway compiles several times include this header, so it has no ordinary guard.
#if defined(DAPPLE_SAMPLE_CONFLICT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_CONFLICT_LANES
#undef DAPPLE_SAMPLE_CONFLICT_LANES
#else
#define DAPPLE_SAMPLE_CONFLICT_LANES
#endif

#include "core/lanes.hpp"
#include "dapple/sample_options.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

using Floats = Lanes<float, 8>;
using Ints = Lanes<std::int32_t, 8>;

// Returns conflict_of() for each lane.
template <ConflictRule rule>
HWY_INLINE Floats conflict_lanes(Floats candidate, Floats earlier) {
  if constexpr (rule == ConflictRule::mean) return 0.5f * (candidate + earlier);
  if constexpr (rule == ConflictRule::min) return min(candidate, earlier);
  if constexpr (rule == ConflictRule::max) return max(candidate, earlier);
  if constexpr (rule == capped_mean) {
    return min(0.5f * (candidate + earlier), 2.0f * min(candidate, earlier));
  }
  return candidate;
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
