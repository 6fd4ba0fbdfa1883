// Computes the pull of the picture on the dots of a block. All dots read their splines at once.
#include "relax/kernel/image.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relax/kernel/image.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/deterministic_math.hpp"
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Floats = Lanes<float, block_dots>;
using Ints = Lanes<std::int32_t, block_dots>;
constexpr std::size_t width = Floats::count;
constexpr std::size_t parts = block_dots / width;
constexpr float least_mass = 0.05f;  // least relative mass around a dot that its steps follow
constexpr float half_log2_e = 0.7213475204444817f;

HWY_INLINE Floats number(double v) {
  return static_cast<float>(v);
}

// mix_of() for lanes: variances mix as (1 - t) level + t (level + 1).
struct Mix {
  Ints level;
  Floats t;
};

HWY_INLINE Mix mix_of_width(Floats h) {
  const Ints bits = as<Ints>(max(h * h * 4, 1));
  const Ints fraction = (bits & 0x7fffff) | 127 << 23;
  return {shift_right<23>(bits) - 127, as<Floats>(fraction) - 1};
}

// The values of the splines around a place at `f` from the center of its cell.
struct Weights {
  Floats w0, w1, w2;

  HWY_INLINE explicit Weights(Floats f) {
    const Floats before = 0.5f - f;
    const Floats after = 0.5f + f;
    w0 = 0.5f * (before * before);
    w1 = 0.75f - f * f;
    w2 = 0.5f * (after * after);
  }
  HWY_INLINE Weights(Floats a, Floats b, Floats c) : w0(a), w1(b), w2(c) {}
  // Returns the slopes instead of the values.
  static HWY_INLINE Weights slopes(Floats f) { return {f - 0.5f, f * -2, f + 0.5f}; }

  HWY_INLINE Floats mix(Floats a, Floats b, Floats c) const { return w0 * a + w1 * b + w2 * c; }
};

// The splines of a level around a place.
struct Reading {
  Floats fx, fy;    // position in the cell, from its center
  Ints x0, x1, x2;  // columns; y0, y1, y2: offsets of rows
  Ints y0, y1, y2;
  Floats per_pixel;

  HWY_INLINE Reading(const LevelTable& table, Ints level, Floats x, Floats y) {
    const Ints at = min(max(level, table.first), table.last) - table.first;
    per_pixel = Floats::gather(table.per_pixel.data(), at);
    const Ints columns = Ints::gather(table.width.data(), at);
    const Ints rows = Ints::gather(table.height.data(), at);
    const Ints offset = Ints::gather(table.offset.data(), at);
    const Floats u = x * per_pixel;
    const Floats v = y * per_pixel;
    const Ints column = convert<Ints>(u);
    const Ints row = convert<Ints>(v);
    fx = u - convert<Floats>(column) - 0.5f;
    fy = v - convert<Floats>(row) - 0.5f;
    // The mirror image at the border is the border cell itself.
    const auto clamped = [](Ints i, Ints size) HWY_ATTR { return min(max(i, 0), size - 1); };
    x0 = clamped(column - 1, columns);
    x1 = clamped(column, columns);
    x2 = clamped(column + 1, columns);
    y0 = offset + clamped(row - 1, rows) * columns;
    y1 = offset + clamped(row, rows) * columns;
    y2 = offset + clamped(row + 1, rows) * columns;
  }
};

Floats value_at(const LevelTable& table, Ints level, Floats x, Floats y) {
  const Reading at(table, level, x, y);
  const Weights across(at.fx);
  const auto row = [&](Ints start) HWY_ATTR {
    return across.mix(Floats::gather(table.cells, start + at.x0),
                      Floats::gather(table.cells, start + at.x1),
                      Floats::gather(table.cells, start + at.x2));
  };
  return Weights(at.fy).mix(row(at.y0), row(at.y1), row(at.y2));
}

// Returns the density between two levels.
HWY_INLINE Floats value_at(const LevelTable& table, const Mix& mix, Floats x, Floats y) {
  const Floats lower = value_at(table, mix.level, x, y);
  const Floats upper = value_at(table, mix.level + 1, x, y);
  return lower + mix.t * (upper - lower);
}

struct Pull {
  Floats x, y, xx, xy, yy;
};

// Adds `weight` times the gradient and the second derivatives of a level.
void add_pull(const LevelTable& table, Ints level, Floats x, Floats y, Floats weight, Pull& pull) {
  const Reading at(table, level, x, y);
  const Weights across(at.fx);
  const Weights slope_across = Weights::slopes(at.fx);
  Floats value[3], slope[3], bend[3];
  const Ints starts[3] = {at.y0, at.y1, at.y2};
  for (int j = 0; j < 3; ++j) {
    const Floats a = Floats::gather(table.cells, starts[j] + at.x0);
    const Floats b = Floats::gather(table.cells, starts[j] + at.x1);
    const Floats c = Floats::gather(table.cells, starts[j] + at.x2);
    value[j] = across.mix(a, b, c);
    slope[j] = slope_across.mix(a, b, c);
    bend[j] = a + c - (b + b);
  }
  const Weights down(at.fy);
  const Weights slope_down = Weights::slopes(at.fy);
  const Floats first = weight * at.per_pixel;
  const Floats second = first * at.per_pixel;
  pull.x += first * down.mix(slope[0], slope[1], slope[2]);
  pull.y += first * slope_down.mix(value[0], value[1], value[2]);
  pull.xx += second * down.mix(bend[0], bend[1], bend[2]);
  pull.xy += second * slope_down.mix(slope[0], slope[1], slope[2]);
  pull.yy += second * (value[0] + value[2] - (value[1] + value[1]));
}

void look_at_image_of(std::size_t b, DotBlock& block, const ImageRules& rules,
                      const FixedPlaces& places, int measurings) {
  const LevelTable& table = *rules.table;
  const LevelTable& ink = rules.ink != nullptr ? *rules.ink : table;
  const Floats unit = number(places.unit);
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const Ints ix = Ints::load(places.x.data() + first);
    const Ints iy = Ints::load(places.y.data() + first);
    const Floats x = convert<Floats>(ix) * unit;
    const Floats y = convert<Floats>(iy) * unit;
    const auto put = [&](DotBlock::Lanes& to, Floats v)
                         HWY_ATTR { v.store(to.data() + p * width); };
    put(block.x, convert<Floats>(ix - block.center_x) * unit);
    put(block.y, convert<Floats>(iy - block.center_y) * unit);
    // Iterates h = (density seen at width h)^(-1/2) from the last value.
    Floats h = Floats::load(block.spacing.data() + p * width);
    for (int k = 0; k < measurings; ++k) {
      const Floats seen = value_at(table, mix_of_width(h), x, y);
      h = sqrt(h * (1 / sqrt(max(seen, 1e-30f))));
      h = min(max(h, number(rules.smallest)), number(rules.largest));
    }
    put(block.spacing, h);

    const Floats kernel = h * number(rules.narrow);
    const Mix mix = mix_of_width(kernel);
    const Floats weights[4] = {
        (1 - mix.t) * number(rules.narrow_weight), mix.t * number(rules.narrow_weight),
        (1 - mix.t) * number(rules.wide_weight), mix.t * number(rules.wide_weight)};
    // 1 / variance of the level; the variance is 0.25 * 2^level.
    Floats sharp = as<Floats>(shift_left<23>(129 - mix.level));
    Pull pull{0, 0, 0, 0, 0};
    Ints level = mix.level;
    for (int k = 0; k < 4; ++k) {
      put(block.pull[k], weights[k] * (sharp * sharp));
      add_pull(ink, level, x, y, weights[k] * number(full_circle), pull);
      if (k == 3) put(block.scale, sharp * half_log2_e);
      level += 1;
      sharp *= 0.5f;
    }
    if (rules.pure) {
      // Pure kernels need only one exponential too: the wide variance is four times the narrow one.
      const Floats n2 = kernel * kernel;
      const Floats w2 = n2 * 4;
      put(block.pull[0], 0);
      put(block.pull[2], 0);
      put(block.pull[1], number(rules.narrow_weight) / (n2 * n2));
      put(block.pull[3], number(rules.wide_weight) / (w2 * w2));
      put(block.scale, half_log2_e / w2);
    }
    const Floats h2 = h * h;
    put(block.core_scale, number(1 / (rules.core * rules.core)) / h2);
    put(block.core, number(rules.core_force) / (h2 * h2));
    Floats gain = number(rules.rate) * (h2 * h);
    if (rules.ink != nullptr) {
      // Heavy dots make the energy stiffer.
      gain = gain / max(h2 * value_at(ink, mix_of_width(h), x, y), least_mass);
    }
    put(block.gain, gain);
    put(block.force_x, pull.x);
    put(block.force_y, pull.y);
    put(block.xx, pull.xx);
    put(block.xy, pull.xy);
    put(block.yy, pull.yy);
  }
}

std::uint32_t dots_too_near_of(std::size_t b, const DotBlock& block, const LevelTable& table,
                               double seen_at, double least, const FixedPlaces& places) {
  const Floats unit = number(places.unit);
  std::uint32_t found = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const Ints ix = Ints::load(places.x.data() + first);
    const Ints iy = Ints::load(places.y.data() + first);
    const Ints self = Ints::count_from(static_cast<std::int32_t>(first));
    const Floats seen = value_at(table, mix_of_width(number(seen_at)), convert<Floats>(ix) * unit,
                                 convert<Floats>(iy) * unit);
    const Floats wanted2 =
        number(least * least * hexagonal_spacing * hexagonal_spacing) / max(seen, 1e-12f);
    const Floats far = 1e30f;
    Floats nearest2 = far;
    for (const std::int32_t dot : block.seen) {
      const auto k = static_cast<std::size_t>(dot);
      const Floats dx = convert<Floats>(ix - places.x[k]) * unit;
      const Floats dy = convert<Floats>(iy - places.y[k]) * unit;
      nearest2 = min(nearest2, select(self != dot, dx * dx + dy * dy, far));
    }
    found |= bits_of(nearest2 < wanted2) << (p * width);
  }
  return found;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(look_at_image_of);
HWY_EXPORT(dots_too_near_of);

LevelTable::LevelTable(const DensityStack& stack)
    : cells(stack.cells()), first(stack.first_level()), last(stack.last_level()) {
  for (const DensityStack::Level& level : stack.levels()) {
    offset.push_back(level.offset);
    width.push_back(level.width);
    height.push_back(level.height);
    per_pixel.push_back(static_cast<float>(1 / level.cell));
  }
}

void look_at_image(std::size_t b, DotBlock& block, const ImageRules& rules,
                   const FixedPlaces& places, int measurings) {
  HWY_DYNAMIC_DISPATCH(look_at_image_of)(b, block, rules, places, measurings);
}

std::uint32_t dots_too_near(std::size_t b, const DotBlock& block, const LevelTable& table,
                            double seen_at, double least, const FixedPlaces& places) {
  return HWY_DYNAMIC_DISPATCH(dots_too_near_of)(b, block, table, seen_at, least, places);
}

}  // namespace dapple
#endif
