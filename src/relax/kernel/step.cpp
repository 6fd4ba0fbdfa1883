// Lanes are the dots of a block, and neighbors are broadcast, so the inner loop gathers nothing.
// Every lane adds its neighbors in the order of the list. So its sum does not depend on the number
// of lanes in a vector.
#include "relax/kernel/step.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relax/kernel/step.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Floats = Lanes<float, block_dots>;
using Ints = Lanes<std::int32_t, block_dots>;
constexpr std::size_t width = Floats::count;
constexpr std::size_t parts = block_dots / width;

// Returns 2^t for t <= 0, with a relative error of 1e-4. Adding 1.5 * 2^23 rounds a float to a
// whole number and leaves that number in its lowest bits, which is faster than two conversions.
HWY_INLINE Floats exp2_of(Floats t) {
  constexpr float rounding = 0x1.8p23f;
  const Floats y = max(t, -120.0f);
  const Floats whole = y + rounding;
  const Floats f = y - (whole - rounding);
  Floats series = 0.05517167f;
  for (const float factor : {0.24261112f, 0.69326099f, 0.99992807f}) series = series * f + factor;
  return as<Floats>(as<Ints>(series) + shift_left<23>(as<Ints>(whole)));
}

HWY_INLINE Floats part(const DotBlock::Lanes& of, std::size_t p) {
  return Floats::load(of.data() + p * width);
}

// The places of the listed dots, in pixels from the center of the block.
struct Places {
  std::vector<float> x, y;
  std::vector<float> mass;  // empty if dots have no masses
};

void look_up(const DotBlock& block, const StepRules& rules, const FixedPlaces& from, Places& to) {
  const std::size_t plain = block.seen.size();
  const std::size_t count = plain + block.mirrored.size();
  if (to.x.size() < count) {
    to.x.resize(2 * count);
    to.y.resize(2 * count);
  }
  if (rules.masses != nullptr) {
    to.mass.resize(to.x.size());
    for (std::size_t k = 0; k < count; ++k) {
      to.mass[k] = rules.masses[k < plain ? block.seen[k] : block.mirrored[k - plain]];
    }
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

// Reflects coordinates outside the domain back into it.
HWY_INLINE Ints inside(Ints at, std::int32_t last) {
  at = abs(at);
  const Ints end = last;
  return max(min(at, end + end - at), 0);
}

// `weighted`: forces are multiplied by `rules.masses`.
template <bool weighted>
void step_block_by(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                   const Places& near, FixedPlaces& to) {
  const Floats unit = static_cast<float>(from.unit);
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const Ints ix = Ints::load(from.x.data() + first);
    const Ints iy = Ints::load(from.y.data() + first);
    const Floats x = convert<Floats>(ix - block.center_x) * unit;
    const Floats y = convert<Floats>(iy - block.center_y) * unit;
    const Floats scale = -part(block.scale, p);
    const Floats pull0 = part(block.pull[0], p);
    const Floats pull1 = part(block.pull[1], p);
    const Floats pull2 = part(block.pull[2], p);
    const Floats pull3 = part(block.pull[3], p);
    const Floats core_scale = part(block.core_scale, p);
    const Floats core = part(block.core, p);
    Floats sum_x = 0;
    Floats sum_y = 0;
    const Floats frame = part(block.frame, p) + part(block.frame, p);
    // Variances double from level to level, so one exponential suffices for all four Gaussians.
    const auto push = [&](Floats dx, Floats dy, std::size_t k, auto with_core, auto with_narrow,
                          auto with_wide) HWY_ATTR {
      const Floats d2 = dx * dx + dy * dy;
      const Floats e = exp2_of(d2 * scale);
      const Floats e2 = e * e;
      Floats force = 0;
      if constexpr (with_narrow()) {
        const Floats e4 = e2 * e2;
        force = pull0 * (e4 * e4) + pull1 * e4;
      }
      if constexpr (with_core()) force = force + core * max(0, 1 - d2 * core_scale);
      if constexpr (with_wide()) force = force + pull2 * e2 + pull3 * e;
      if constexpr (weighted) force = force * near.mass[k];
      sum_x += dx * force;
      sum_y += dy * force;
    };
    constexpr std::true_type yes;
    constexpr std::false_type no;
    const std::size_t plain = block.seen.size();
    const auto push_seen = [&](std::size_t from_k, std::size_t to_k, auto with_core,
                               auto with_narrow) HWY_ATTR {
      for (std::size_t k = from_k; k < to_k; ++k) {
        push(x - near.x[k], y - near.y[k], k, with_core, with_narrow, yes);
      }
    };
    push_seen(0, block.core_count, yes, yes);
    push_seen(block.core_count, block.narrow_count, no, yes);
    push_seen(block.narrow_count, plain, no, no);
    for (std::size_t k = 0; k < block.mirrored.size(); ++k) {
      const Floats dx = x - near.x[plain + k];
      const Floats dy = y - near.y[plain + k];
      push(dx, dy, plain + k, no, no, yes);
      const FixedMirror& mirror = rules.mirrors[block.mirror[k]];
      const auto away = [&](Floats d, std::int32_t sign, std::int32_t shift) HWY_ATTR {
        if (sign > 0) return d;
        return shift == 0 ? d + frame : d - frame;
      };
      push(away(dx, mirror.sign_x, mirror.shift_x), away(dy, mirror.sign_y, mirror.shift_y),
           plain + k, yes, yes, no);
    }
    const Floats moved_x = x - part(block.x, p);
    const Floats moved_y = y - part(block.y, p);
    const Floats bend = part(block.xy, p);
    const Floats image_x = part(block.force_x, p) + part(block.xx, p) * moved_x + bend * moved_y;
    const Floats image_y = part(block.force_y, p) + bend * moved_x + part(block.yy, p) * moved_y;
    const Floats gain = part(block.gain, p);
    const Floats momentum = static_cast<float>(rules.momentum);
    Floats vx =
        part(block.velocity_x, p) * momentum + (sum_x + image_x + part(block.part_x, p)) * gain;
    Floats vy =
        part(block.velocity_y, p) * momentum + (sum_y + image_y + part(block.part_y, p)) * gain;
    const Floats limit = static_cast<float>(rules.speed_limit);
    const Floats brake = limit / max(sqrt(vx * vx + vy * vy), limit);
    vx *= brake;
    vy *= brake;
    vx.store(block.velocity_x.data() + p * width);
    vy.store(block.velocity_y.data() + p * width);
    const Floats units = part(block.spacing, p) * static_cast<float>(1 / from.unit);
    inside(ix + convert<Ints>(vx * units), rules.last_x).store(to.x.data() + first);
    inside(iy + convert<Ints>(vy * units), rules.last_y).store(to.y.data() + first);
  }
}

void step_block_of(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                   FixedPlaces& to) {
  thread_local Places near;
  look_up(block, rules, from, near);
  if (rules.masses != nullptr) return step_block_by<true>(b, block, rules, from, near, to);
  step_block_by<false>(b, block, rules, from, near, to);
}

void keep_near_of(const DotBlock& block, const Sight& sight, const FixedPlaces& places,
                  const FixedMirror& mirror, const std::vector<std::int32_t>& blocks,
                  std::size_t count, DotsByDistance& kept) {
  const Floats unit = static_cast<float>(places.unit);
  const float far2 = sight.far * sight.far;
  const auto seen = [&](const std::vector<std::int32_t>& at, std::size_t first, std::int32_t sign,
                        std::int32_t shift, std::int32_t center) HWY_ATTR {
    return convert<Floats>(Ints::load(at.data() + first) * sign + (shift - center)) * unit;
  };
  const auto outside = [&](Floats at, float low, float high)
                           HWY_ATTR { return max(0, max(low - at, at - high)); };
  kept.clear(blocks.size() * block_dots);
  const auto append_if = [](DotsByDistance::List& list, std::int32_t dot, bool is_member) {
    list.dots[list.count] = dot;
    list.count += is_member;
  };
  float shares[width];
  for (const std::int32_t other : blocks) {
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t first = static_cast<std::size_t>(other) * block_dots + p * width;
      const Floats x = seen(places.x, first, mirror.sign_x, mirror.shift_x, block.center_x);
      const Floats y = seen(places.y, first, mirror.sign_y, mirror.shift_y, block.center_y);
      const Floats dx = outside(x, sight.x0, sight.x1);
      const Floats dy = outside(y, sight.y0, sight.y1);
      if (!any(dx * dx + dy * dy < far2)) continue;
      Floats nearest = 1;
      for (std::size_t q = 0; q < block_dots; ++q) {
        const Floats ex = x - block.x[q];
        const Floats ey = y - block.y[q];
        nearest = min(nearest, (ex * ex + ey * ey) * sight.inverse_far2[q]);
      }
      nearest.store(shares);
      // No branch here depends on places, since the processor could not predict it.
      for (std::size_t k = 0; k < width && first + k < count; ++k) {
        const auto dot = static_cast<std::int32_t>(first + k);
        const bool core = shares[k] < sight.core2;
        const bool narrow = shares[k] < sight.narrow2;
        append_if(kept.core, dot, core);
        append_if(kept.narrow, dot, narrow & !core);
        append_if(kept.wide, dot, (shares[k] < 1) & !(narrow | core));
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
               std::size_t count, DotsByDistance& kept) {
  HWY_DYNAMIC_DISPATCH(keep_near_of)(block, sight, places, mirror, blocks, count, kept);
}

}  // namespace dapple
#endif
