// Compares places with boxes, one vector of floats at a time. Uses only differences, products and
// comparisons, so that all instruction sets give the same results.
#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "sample/box_space/box.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/box_space/box_lanes.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h.
#include "sample/engine/place_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::box_space {
namespace HWY_NAMESPACE {
namespace {

using namespace dapple::HWY_NAMESPACE;
using namespace engine::HWY_NAMESPACE;

using Parts = Many;

// Rules for the conflict distance: the limit of a place, a rule on its radius, or one limit for all
// places.
struct Fixed {
  template <class Number>
  HWY_INLINE Number operator()(Number limit) const {
    return limit;
  }
};
struct Mean {
  float own;
  template <class Number>
  HWY_INLINE Number operator()(Number limit) const {
    return (limit + Number(own)) * Number(0.5f);
  }
};
struct Max {
  float own;
  template <class Number>
  HWY_INLINE Number operator()(Number limit) const {
    using std::max;
    return max(limit, Number(own));
  }
};

struct One {
  float limit;
  HWY_INLINE Many operator()(Many) const { return limit; }
};

// Distances along an axis to a box.
template <std::size_t D>
struct OffBox {
  const HalfBox<D>& box;
  HWY_INLINE Many operator()(Many along, std::size_t a) const {
    return beyond(along - box.middle[a], box.half[a]);
  }
};
// Appends places near a box. They get the limit of One; with another rule each keeps its radius.
template <std::size_t D, class Rule>
HWY_INLINE void gather_lanes(const HalfBox<D>& box, const VecF<D>& shift, const Rule& rule,
                             const Places<D>& from, std::size_t first, std::size_t end,
                             Places<D>& into) {
  const Columns<D> columns(from);
  Writer<D> writer(into, end - first);
  const auto moved = [&](Many along, std::size_t a) HWY_ATTR { return along + shift[a]; };
  const auto apart = [&](Many along, std::size_t a)
                         HWY_ATTR { return OffBox<D>{box}(moved(along, a), a); };
  for (std::size_t i = first; i < end; i += Many::count) {
    const std::uint32_t bits = near_bits(columns, i, end, rule, apart);
    if (bits == 0) continue;
    Many limit = Many::load(columns.limit + i);
    if constexpr (std::is_same_v<Rule, One>) limit = rule.limit;
    writer.add(from, columns, i, bits, limit, moved);
  }
  writer.end();
}

// The index along axis `a` of each of the first 16 parts.
template <std::size_t D>
constexpr auto part_indices = [] {
  std::array<std::array<float, 16>, D> of{};
  for (int bit = 0; bit < 16; ++bit) {
    const auto part = part_of<D>(bit);
    for (std::size_t a = 0; a < D; ++a) {
      of[a][static_cast<std::size_t>(bit)] = static_cast<float>(part[a]);
    }
  }
  return of;
}();

// The centers of the parts of a box.
template <std::size_t D>
class PartLanes {
 public:
  HWY_INLINE explicit PartLanes(const HalfBox<D>& box) {
    for (std::size_t a = 0; a < D; ++a) {
      half_[a] = box.half[a] / parts_a_side<D>;
      low_[a] = box.middle[a] - box.half[a] + half_[a];
    }
    for (std::size_t a = 0; a < flat; ++a) {
      for (std::size_t v = 0; v < vectors; ++v) {
        const Parts index = Parts::load(&part_indices<D>[a][v * Parts::count]);
        middle_[a][v] = low_[a] + index * Parts(2 * half_[a]);
      }
    }
  }

  // Returns the parts that the ball of a place covers: their farthest corner is in the ball.
  template <class Rule>
  HWY_INLINE std::uint64_t covered(const Places<D>& places, std::size_t p, const Rule& rule) const {
    const float limit = rule(places.limit()[p]);
    const float most = limit * limit;
    Parts square[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      square[v] = 0;
      for (std::size_t a = 0; a < flat; ++a) {
        const Parts far = abs(middle_[a][v] - places.at(a)[p]) + half_[a];
        square[v] += far * far;
      }
    }
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < part_count<D> / 16; ++k) {
      float left = most;
      if constexpr (D == 3) {
        const float far =
            std::abs(low_[2] + 2 * half_[2] * static_cast<float>(k) - places.at(2)[p]) + half_[2];
        left -= far * far;
      }
      for (std::size_t v = 0; v < vectors; ++v) {
        bits |= std::uint64_t{bits_of(square[v] < Parts(left))} << (16 * k + v * Parts::count);
      }
    }
    return bits;
  }

 private:
  static constexpr std::size_t vectors = 16 / Parts::count;
  static constexpr std::size_t flat = D == 3 ? 2 : D;  // axes along which 16 parts extend

  VecF<D> half_, low_;
  Parts middle_[flat][vectors];
};

template <std::size_t D, class Rule>
HWY_INLINE std::uint64_t uncovered_lanes(std::uint64_t live, const HalfBox<D>& box,
                                         const Places<D>& places, const Rule& rule) {
  VecF<D> half, inner;
  for (std::size_t a = 0; a < D; ++a) {
    half[a] = box.half[a] / parts_a_side<D>;
    inner[a] = box.half[a] - half[a];
  }
  // Most places are too far away to cover even the nearest part.
  const auto far = [&](Many along, std::size_t a)
                       HWY_ATTR { return beyond(along - box.middle[a], inner[a]) + half[a]; };
  const Columns<D> columns(places);
  const auto may_cover = [&](std::size_t i)
                             HWY_ATTR { return near_bits(columns, i, places.count, rule, far); };
  std::size_t i = 0;
  std::uint32_t bits = 0;
  for (; i < places.count; i += Many::count) {
    bits = may_cover(i);
    if (bits != 0) break;
  }
  if (bits == 0) return live;
  const PartLanes<D> parts(box);
  for (;;) {
    for (; bits != 0; bits &= bits - 1) {
      live &= ~parts.covered(places, i + static_cast<std::size_t>(std::countr_zero(bits)), rule);
      if (live == 0) return 0;
    }
    i += Many::count;
    if (i >= places.count) return live;
    bits = may_cover(i);
  }
}

// Calls body(rule) with the rule of `reach`, or for candidate with `limit`. Radii vary only in 3-D.
template <std::size_t D, class Limit, class Body>
HWY_INLINE auto by_rule(ConflictLimits reach, const Limit& limit, const Body& body) {
  if constexpr (D == 3) {
    if (reach.rule == ConflictRule::max) return body(Max{reach.own});
    if (reach.rule == ConflictRule::mean) return body(Mean{reach.own});
  }
  return body(limit);
}

// Lambdas are as large as the functions that call them once, and a call would cost too much.
#define DAPPLE_INLINE __attribute__((always_inline))
// Highway dispatches functions, not templates.
#define DAPPLE_SPACE_LANES(D)                                                                    \
  void gather##D(const HalfBox<D>& box, const VecF<D>& shift, ConflictLimits reach,              \
                 const Places<D>& from, std::size_t first, std::size_t end, Places<D>& into) {   \
    by_rule<D>(reach, One{reach.own}, [&](auto rule) DAPPLE_INLINE {                             \
      gather_lanes<D>(box, shift, rule, from, first, end, into);                                 \
    });                                                                                          \
  }                                                                                              \
  void select##D(const Places<D>& from, std::size_t first, const HalfBox<D>& box,                \
                 ConflictLimits reach, Places<D>& found) {                                       \
    by_rule<D>(reach, Fixed(), [&](auto rule) DAPPLE_INLINE {                                    \
      select_lanes(from, first, rule, OffBox<D>{box}, found);                                    \
    });                                                                                          \
  }                                                                                              \
  std::size_t numbers##D(const Places<D>& places, const VecF<D>& at, ConflictLimits reach,       \
                         std::vector<std::int32_t>& numbers) {                                   \
    return by_rule<D>(reach, Fixed(), [&](auto rule) DAPPLE_INLINE {                             \
      return numbers_near_lanes(places, rule, OffPlace<D>{at}, numbers);                         \
    });                                                                                          \
  }                                                                                              \
  bool any##D(const Places<D>& places, const VecF<D>& at, ConflictLimits reach) {                \
    return by_rule<D>(reach, Fixed(), [&](auto rule) DAPPLE_INLINE {                             \
      return any_near_lanes(places, rule, OffPlace<D>{at});                                      \
    });                                                                                          \
  }                                                                                              \
  std::uint64_t uncovered##D(std::uint64_t live, const HalfBox<D>& box, const Places<D>& places, \
                             ConflictLimits reach) {                                             \
    return by_rule<D>(reach, Fixed(), [&](auto rule) DAPPLE_INLINE {                             \
      return uncovered_lanes<D>(live, box, places, rule);                                        \
    });                                                                                          \
  }
DAPPLE_SPACE_LANES(2)
DAPPLE_SPACE_LANES(3)
DAPPLE_SPACE_LANES(4)
#undef DAPPLE_SPACE_LANES
#undef DAPPLE_INLINE

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::box_space
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::box_space {

#define DAPPLE_SPACE_LANES(D)                                                                    \
  HWY_EXPORT(gather##D);                                                                         \
  HWY_EXPORT(select##D);                                                                         \
  HWY_EXPORT(numbers##D);                                                                        \
  HWY_EXPORT(any##D);                                                                            \
  HWY_EXPORT(uncovered##D);                                                                      \
  template <>                                                                                    \
  void gather<D>(const HalfBox<D>& box, const VecF<D>& shift, ConflictLimits reach,              \
                 const Places<D>& from, std::size_t first, std::size_t end, Places<D>& into) {   \
    HWY_DYNAMIC_DISPATCH(gather##D)(box, shift, reach, from, first, end, into);                  \
  }                                                                                              \
  template <>                                                                                    \
  void select_near<D>(const Places<D>& from, std::size_t first, const HalfBox<D>& box,           \
                      ConflictLimits reach, Places<D>& found) {                                  \
    HWY_DYNAMIC_DISPATCH(select##D)(from, first, box, reach, found);                             \
  }                                                                                              \
  template <>                                                                                    \
  std::size_t numbers_near<D>(const Places<D>& places, const VecF<D>& at, ConflictLimits reach,  \
                              std::vector<std::int32_t>& numbers) {                              \
    return HWY_DYNAMIC_DISPATCH(numbers##D)(places, at, reach, numbers);                         \
  }                                                                                              \
  template <>                                                                                    \
  bool any_near<D>(const Places<D>& places, const VecF<D>& at, ConflictLimits reach) {           \
    return HWY_DYNAMIC_DISPATCH(any##D)(places, at, reach);                                      \
  }                                                                                              \
  template <>                                                                                    \
  std::uint64_t uncovered<D>(std::uint64_t live, const HalfBox<D>& box, const Places<D>& places, \
                             ConflictLimits reach) {                                             \
    return HWY_DYNAMIC_DISPATCH(uncovered##D)(live, box, places, reach);                         \
  }
DAPPLE_SPACE_LANES(2)
DAPPLE_SPACE_LANES(3)
DAPPLE_SPACE_LANES(4)
#undef DAPPLE_SPACE_LANES

}  // namespace dapple::box_space
#endif
