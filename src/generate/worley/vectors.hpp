// Which of a list of sites a block of pixels looks at, for the vector code of strips and of edges.
//
// Included by files that Highway compiles several times, hence no ordinary guard.
#if defined(DAPPLE_WORLEY_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_WORLEY_VECTORS
#undef DAPPLE_WORLEY_VECTORS
#else
#define DAPPLE_WORLEY_VECTORS
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 16> lanes;
using Lanes = hn::Vec<decltype(lanes)>;
using LaneMask = hn::Mask<decltype(lanes)>;
constexpr int step = hn::MaxLanes(lanes);

// How far a distance from a middle reaches out of half a length.
HWY_INLINE Lanes beyond(Lanes d, float half) {
  return hn::Max(hn::Sub(hn::Abs(d), hn::Set(lanes, half)), hn::Zero(lanes));
}

// A bit a lane.
HWY_INLINE std::uint64_t bits_of(LaneMask mask) {
  using Bits = std::conditional_t<(step > 8), std::uint16_t, std::uint8_t>;
  std::uint8_t bytes[8];
  hn::StoreMaskBits(lanes, mask, bytes);
  Bits bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// Calls visit(from, bits) for every 64 places from `begin` to `end`, with a bit for those that
// wanted(i) tells of the vector at i. What is wanted stays bits: packed into a list, it could not
// be read at once, as a load waits for all the stores that wrote parts of it.
template <class Wanted, class Visit>
HWY_INLINE void each_word(std::size_t begin, std::size_t end, const Wanted& wanted,
                          const Visit& visit) {
  constexpr std::size_t word = 64;
  for (std::size_t from = begin; from < end; from += word) {
    const std::size_t count = std::min(word, end - from);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; i += step) bits |= bits_of(wanted(from + i)) << i;
    if (count < word) bits &= (std::uint64_t{1} << count) - 1;
    visit(from, bits);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
