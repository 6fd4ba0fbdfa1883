// Lanes are the dots of a block, neighbors are broadcast: nothing is gathered in the inner loop.
// Every lane adds its neighbors in the order of the list, so its sum does not depend on how many
// lanes a vector has.
#include "relax/kernel/step.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relax/kernel/step.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, block_dots> lanes;
constexpr hn::RebindToSigned<decltype(lanes)> int_lanes;
using V = hn::Vec<decltype(lanes)>;
constexpr std::size_t width = hn::MaxLanes(lanes);
constexpr std::size_t parts = block_dots / width;

// 2^t for t <= 0, to 1e-4 of it.
HWY_INLINE V exp2_of(V t) {
  const V y = hn::Max(t, hn::Set(lanes, -120.0f));
  const auto whole = hn::ConvertTo(int_lanes, hn::Sub(y, hn::Set(lanes, 0.5f)));
  const V f = hn::Sub(y, hn::ConvertTo(lanes, whole));
  V series = hn::Set(lanes, 0.05517167f);
  for (const float factor : {0.24261112f, 0.69326099f, 0.99992807f}) {
    series = hn::Add(hn::Mul(series, f), hn::Set(lanes, factor));
  }
  const auto bits = hn::ShiftLeft<23>(whole);
  return hn::BitCast(lanes, hn::Add(hn::BitCast(int_lanes, series), bits));
}

HWY_INLINE V part(const DotBlock::Lanes& of, std::size_t p) {
  return hn::LoadU(lanes, of.data() + p * width);
}

// Places of the listed dots about the center of the block, pixels.
struct Places {
  std::vector<float> x, y;
};

void look_up(const DotBlock& block, const StepRules& rules, const FixedPlaces& from, Places& to) {
  const std::size_t plain = block.seen.size();
  const std::size_t count = plain + block.mirrored.size();
  if (to.x.size() < count) {
    to.x.resize(2 * count);
    to.y.resize(2 * count);
  }
  const auto unit = static_cast<float>(from.unit);
  for (std::size_t k = 0; k < plain; ++k) {
    const auto dot = static_cast<std::size_t>(block.seen[k]);
    to.x[k] = static_cast<float>(from.x[dot] - block.center_x) * unit;
    to.y[k] = static_cast<float>(from.y[dot] - block.center_y) * unit;
  }
  for (std::size_t k = plain; k < count; ++k) {
    const auto dot = static_cast<std::size_t>(block.mirrored[k - plain]);
    const FixedMirror& m = rules.mirrors[block.mirror[k - plain]];
    to.x[k] = static_cast<float>(m.sign_x * from.x[dot] + m.shift_x - block.center_x) * unit;
    to.y[k] = static_cast<float>(m.sign_y * from.y[dot] + m.shift_y - block.center_y) * unit;
  }
}

// Inside the domain again, by reflection.
HWY_INLINE hn::Vec<decltype(int_lanes)> inside(hn::Vec<decltype(int_lanes)> at, std::int32_t last) {
  const auto end = hn::Set(int_lanes, last);
  at = hn::Abs(at);
  at = hn::Min(at, hn::Sub(hn::Add(end, end), at));
  return hn::Max(at, hn::Zero(int_lanes));
}

void step_block_of(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                   FixedPlaces& to) {
  thread_local Places near;
  look_up(block, rules, from, near);
  const V unit = hn::Set(lanes, static_cast<float>(from.unit));
  const V zero = hn::Zero(lanes);
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const auto ix = hn::LoadU(int_lanes, from.x.data() + first);
    const auto iy = hn::LoadU(int_lanes, from.y.data() + first);
    const V x =
        hn::Mul(hn::ConvertTo(lanes, hn::Sub(ix, hn::Set(int_lanes, block.center_x))), unit);
    const V y =
        hn::Mul(hn::ConvertTo(lanes, hn::Sub(iy, hn::Set(int_lanes, block.center_y))), unit);
    const V scale = hn::Neg(part(block.scale, p));
    const V pull0 = part(block.pull[0], p);
    const V pull1 = part(block.pull[1], p);
    const V pull2 = part(block.pull[2], p);
    const V pull3 = part(block.pull[3], p);
    const V core_scale = part(block.core_scale, p);
    const V core = part(block.core, p);
    V sum_x = zero;
    V sum_y = zero;
    const V frame = hn::Add(part(block.frame, p), part(block.frame, p));
    // Variances double from level to level, so one exponential serves all four Gaussians.
    const auto push = [&](V dx, V dy, auto with_narrow, auto with_wide) HWY_ATTR {
      const V d2 = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const V e = exp2_of(hn::Mul(d2, scale));
      const V e2 = hn::Mul(e, e);
      V force = zero;
      if constexpr (with_narrow()) {
        const V e4 = hn::Mul(e2, e2);
        force = hn::Mul(pull0, hn::Mul(e4, e4));
        force = hn::Add(force, hn::Mul(pull1, e4));
        const V closeness = hn::Sub(hn::Set(lanes, 1.0f), hn::Mul(d2, core_scale));
        force = hn::Add(force, hn::Mul(core, hn::Max(zero, closeness)));
      }
      if constexpr (with_wide()) {
        force = hn::Add(force, hn::Mul(pull2, e2));
        force = hn::Add(force, hn::Mul(pull3, e));
      }
      sum_x = hn::Add(sum_x, hn::Mul(dx, force));
      sum_y = hn::Add(sum_y, hn::Mul(dy, force));
    };
    constexpr std::true_type yes;
    constexpr std::false_type no;
    const std::size_t plain = block.seen.size();
    for (std::size_t k = 0; k < plain; ++k) {
      push(hn::Sub(x, hn::Set(lanes, near.x[k])), hn::Sub(y, hn::Set(lanes, near.y[k])), yes, yes);
    }
    for (std::size_t k = 0; k < block.mirrored.size(); ++k) {
      const V dx = hn::Sub(x, hn::Set(lanes, near.x[plain + k]));
      const V dy = hn::Sub(y, hn::Set(lanes, near.y[plain + k]));
      push(dx, dy, no, yes);
      const FixedMirror& mirror = rules.mirrors[block.mirror[k]];
      const auto beyond = [&](V d, std::int32_t sign, std::int32_t shift) HWY_ATTR {
        if (sign > 0) return d;
        return shift == 0 ? hn::Add(d, frame) : hn::Sub(d, frame);
      };
      push(beyond(dx, mirror.sign_x, mirror.shift_x), beyond(dy, mirror.sign_y, mirror.shift_y),
           yes, no);
    }
    const V moved_x = hn::Sub(x, part(block.x, p));
    const V moved_y = hn::Sub(y, part(block.y, p));
    const V bend = part(block.xy, p);
    const V image_x = hn::Add(hn::Add(part(block.force_x, p), hn::Mul(part(block.xx, p), moved_x)),
                              hn::Mul(bend, moved_y));
    const V image_y = hn::Add(hn::Add(part(block.force_y, p), hn::Mul(bend, moved_x)),
                              hn::Mul(part(block.yy, p), moved_y));
    const V gain = part(block.gain, p);
    const V momentum = hn::Set(lanes, static_cast<float>(rules.momentum));
    V vx = hn::Add(hn::Mul(part(block.velocity_x, p), momentum),
                   hn::Mul(hn::Add(sum_x, image_x), gain));
    V vy = hn::Add(hn::Mul(part(block.velocity_y, p), momentum),
                   hn::Mul(hn::Add(sum_y, image_y), gain));
    const V speed = hn::Sqrt(hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
    const V limit = hn::Set(lanes, static_cast<float>(rules.speed_limit));
    const V brake = hn::Div(limit, hn::Max(speed, limit));
    vx = hn::Mul(vx, brake);
    vy = hn::Mul(vy, brake);
    hn::StoreU(vx, lanes, block.velocity_x.data() + p * width);
    hn::StoreU(vy, lanes, block.velocity_y.data() + p * width);
    const V units =
        hn::Mul(part(block.spacing, p), hn::Set(lanes, static_cast<float>(1 / from.unit)));
    const auto way_x = hn::ConvertTo(int_lanes, hn::Mul(vx, units));
    const auto way_y = hn::ConvertTo(int_lanes, hn::Mul(vy, units));
    hn::StoreU(inside(hn::Add(ix, way_x), rules.last_x), int_lanes, to.x.data() + first);
    hn::StoreU(inside(hn::Add(iy, way_y), rules.last_y), int_lanes, to.y.data() + first);
  }
}

void keep_near_of(const DotBlock& block, const Sight& sight, const FixedPlaces& places,
                  const FixedMirror& mirror, const std::vector<std::int32_t>& blocks,
                  std::size_t count, std::vector<std::int32_t>& kept) {
  const V unit = hn::Set(lanes, static_cast<float>(places.unit));
  const V zero = hn::Zero(lanes);
  const V far2 = hn::Set(lanes, sight.far * sight.far);
  const auto seen = [&](const std::vector<std::int32_t>& at, std::size_t first, std::int32_t sign,
                        std::int32_t shift, std::int32_t center) {
    const auto whole = hn::Mul(hn::LoadU(int_lanes, at.data() + first), hn::Set(int_lanes, sign));
    return hn::Mul(hn::ConvertTo(lanes, hn::Add(whole, hn::Set(int_lanes, shift - center))), unit);
  };
  const auto beyond = [&](V at, float low, float high) {
    return hn::Max(zero,
                   hn::Max(hn::Sub(hn::Set(lanes, low), at), hn::Sub(at, hn::Set(lanes, high))));
  };
  alignas(64) float xs[width];
  alignas(64) float ys[width];
  alignas(64) float distances[width];
  for (const std::int32_t other : blocks) {
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t first = static_cast<std::size_t>(other) * block_dots + p * width;
      const V x = seen(places.x, first, mirror.sign_x, mirror.shift_x, block.center_x);
      const V y = seen(places.y, first, mirror.sign_y, mirror.shift_y, block.center_y);
      const V dx = beyond(x, sight.x0, sight.x1);
      const V dy = beyond(y, sight.y0, sight.y1);
      const V d2 = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      if (hn::AllFalse(lanes, hn::Lt(d2, far2))) continue;
      hn::Store(x, lanes, xs);
      hn::Store(y, lanes, ys);
      hn::Store(d2, lanes, distances);
      for (std::size_t k = 0; k < width && first + k < count; ++k) {
        if (!(distances[k] < sight.far * sight.far)) continue;
        const V px = hn::Set(lanes, xs[k]);
        const V py = hn::Set(lanes, ys[k]);
        bool near = false;
        for (std::size_t q = 0; q < parts; ++q) {
          const V ex = hn::Sub(part(block.x, q), px);
          const V ey = hn::Sub(part(block.y, q), py);
          const V e2 = hn::Add(hn::Mul(ex, ex), hn::Mul(ey, ey));
          near = near || !hn::AllFalse(lanes, hn::Lt(e2, part(sight.far2, q)));
        }
        if (near) kept.push_back(static_cast<std::int32_t>(first + k));
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(step_block_of);
HWY_EXPORT(keep_near_of);

void step_block(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                FixedPlaces& to) {
  HWY_DYNAMIC_DISPATCH(step_block_of)(b, block, rules, from, to);
}

void keep_near(const DotBlock& block, const Sight& sight, const FixedPlaces& places,
               const FixedMirror& mirror, const std::vector<std::int32_t>& blocks,
               std::size_t count, std::vector<std::int32_t>& kept) {
  HWY_DYNAMIC_DISPATCH(keep_near_of)(block, sight, places, mirror, blocks, count, kept);
}

}  // namespace dapple
#endif
