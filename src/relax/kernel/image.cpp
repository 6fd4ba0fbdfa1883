// How the picture pulls the dots of a block: splines are read for all of them at once.
#include "relax/kernel/image.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relax/kernel/image.cpp"
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
using Ints = hn::Vec<decltype(int_lanes)>;
constexpr std::size_t width = hn::MaxLanes(lanes);
constexpr std::size_t parts = block_dots / width;

HWY_INLINE V number(double v) {
  return hn::Set(lanes, static_cast<float>(v));
}
HWY_INLINE V sum_of(V a, V b) {
  return hn::Add(a, b);
}
HWY_INLINE V product(V a, V b) {
  return hn::Mul(a, b);
}

// As mix_of(): variances mix as (1 - t) level + t (level + 1).
struct Mix {
  Ints level;
  V t;
};

HWY_INLINE Mix mix_of_width(V h) {
  const V relative = hn::Max(product(product(h, h), number(4)), number(1));
  const Ints bits = hn::BitCast(int_lanes, relative);
  const Ints exponent = hn::ShiftRight<23>(bits);
  const Ints one = hn::Set(int_lanes, 127 << 23);
  const Ints fraction = hn::Or(hn::And(bits, hn::Set(int_lanes, 0x7fffff)), one);
  return {hn::Sub(exponent, hn::Set(int_lanes, 127)),
          hn::Sub(hn::BitCast(lanes, fraction), number(1))};
}

// Where the splines of a level lie about a place in it.
struct Reading {
  V wx0, wx1, wx2, wy0, wy1, wy2;  // values of the splines
  V fx, fy;                        // of the place in its cell, from its center
  Ints x0, x1, x2;                 // columns, and starts of rows
  Ints y0, y1, y2;
  V per_pixel;

  HWY_INLINE Reading(const LevelTable& table, Ints level, V x, V y) {
    const Ints at = hn::Sub(
        hn::Min(hn::Max(level, hn::Set(int_lanes, table.first)), hn::Set(int_lanes, table.last)),
        hn::Set(int_lanes, table.first));
    per_pixel = hn::GatherIndex(lanes, table.per_pixel.data(), at);
    const Ints columns = hn::GatherIndex(int_lanes, table.width.data(), at);
    const Ints rows = hn::GatherIndex(int_lanes, table.height.data(), at);
    const Ints offset = hn::GatherIndex(int_lanes, table.offset.data(), at);
    const V u = product(x, per_pixel);
    const V v = product(y, per_pixel);
    const Ints column = hn::ConvertTo(int_lanes, u);
    const Ints row = hn::ConvertTo(int_lanes, v);
    fx = hn::Sub(hn::Sub(u, hn::ConvertTo(lanes, column)), number(0.5));
    fy = hn::Sub(hn::Sub(v, hn::ConvertTo(lanes, row)), number(0.5));
    weights(fx, wx0, wx1, wx2);
    weights(fy, wy0, wy1, wy2);
    const Ints zero = hn::Zero(int_lanes);
    const Ints one = hn::Set(int_lanes, 1);
    // A mirror at the border shows the cell itself.
    const auto clamped = [&](Ints i, Ints size) {
      return hn::Min(hn::Max(i, zero), hn::Sub(size, one));
    };
    x0 = clamped(hn::Sub(column, one), columns);
    x1 = clamped(column, columns);
    x2 = clamped(hn::Add(column, one), columns);
    y0 = hn::Add(offset, hn::Mul(clamped(hn::Sub(row, one), rows), columns));
    y1 = hn::Add(offset, hn::Mul(clamped(row, rows), columns));
    y2 = hn::Add(offset, hn::Mul(clamped(hn::Add(row, one), rows), columns));
  }

  static HWY_INLINE void weights(V f, V& w0, V& w1, V& w2) {
    const V half = number(0.5);
    const V before = hn::Sub(half, f);
    const V after = hn::Add(half, f);
    w0 = product(half, product(before, before));
    w1 = hn::Sub(number(0.75), product(f, f));
    w2 = product(half, product(after, after));
  }
};

HWY_INLINE V value_at(const LevelTable& table, Ints level, V x, V y) {
  const Reading at(table, level, x, y);
  const auto row = [&](Ints start) {
    const V a = hn::GatherIndex(lanes, table.cells, hn::Add(start, at.x0));
    const V b = hn::GatherIndex(lanes, table.cells, hn::Add(start, at.x1));
    const V c = hn::GatherIndex(lanes, table.cells, hn::Add(start, at.x2));
    return sum_of(sum_of(product(at.wx0, a), product(at.wx1, b)), product(at.wx2, c));
  };
  return sum_of(sum_of(product(at.wy0, row(at.y0)), product(at.wy1, row(at.y1))),
                product(at.wy2, row(at.y2)));
}

struct Pull {
  V x, y, xx, xy, yy;
};

// Adds weight times the gradient and the second derivatives of a level.
HWY_INLINE void add_pull(const LevelTable& table, Ints level, V x, V y, V weight, Pull& pull) {
  const Reading at(table, level, x, y);
  const V slope0 = hn::Sub(at.fx, number(0.5));
  const V slope1 = product(at.fx, number(-2));
  const V slope2 = hn::Add(at.fx, number(0.5));
  V value[3], slope[3], bend[3];
  const Ints starts[3] = {at.y0, at.y1, at.y2};
  for (int j = 0; j < 3; ++j) {
    const V a = hn::GatherIndex(lanes, table.cells, hn::Add(starts[j], at.x0));
    const V b = hn::GatherIndex(lanes, table.cells, hn::Add(starts[j], at.x1));
    const V c = hn::GatherIndex(lanes, table.cells, hn::Add(starts[j], at.x2));
    value[j] = sum_of(sum_of(product(at.wx0, a), product(at.wx1, b)), product(at.wx2, c));
    slope[j] = sum_of(sum_of(product(slope0, a), product(slope1, b)), product(slope2, c));
    bend[j] = hn::Sub(sum_of(a, c), sum_of(b, b));
  }
  const V down0 = hn::Sub(at.fy, number(0.5));
  const V down1 = product(at.fy, number(-2));
  const V down2 = hn::Add(at.fy, number(0.5));
  const auto mixed = [](V w0, V w1, V w2, const V* of) {
    return sum_of(sum_of(product(w0, of[0]), product(w1, of[1])), product(w2, of[2]));
  };
  const V first = product(weight, at.per_pixel);
  const V second = product(first, at.per_pixel);
  pull.x = sum_of(pull.x, product(first, mixed(at.wy0, at.wy1, at.wy2, slope)));
  pull.y = sum_of(pull.y, product(first, mixed(down0, down1, down2, value)));
  pull.xx = sum_of(pull.xx, product(second, mixed(at.wy0, at.wy1, at.wy2, bend)));
  pull.xy = sum_of(pull.xy, product(second, mixed(down0, down1, down2, slope)));
  const V bent = hn::Sub(sum_of(value[0], value[2]), sum_of(value[1], value[1]));
  pull.yy = sum_of(pull.yy, product(second, bent));
}

void look_at_image_of(std::size_t b, DotBlock& block, const ImageRules& rules,
                      const FixedPlaces& places, int measurings) {
  const LevelTable& table = *rules.table;
  const V unit = number(places.unit);
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const Ints ix = hn::LoadU(int_lanes, places.x.data() + first);
    const Ints iy = hn::LoadU(int_lanes, places.y.data() + first);
    const V x = product(hn::ConvertTo(lanes, ix), unit);
    const V y = product(hn::ConvertTo(lanes, iy), unit);
    const auto put = [&](DotBlock::Lanes& to, V v) { hn::StoreU(v, lanes, to.data() + p * width); };
    put(block.x,
        product(hn::ConvertTo(lanes, hn::Sub(ix, hn::Set(int_lanes, block.center_x))), unit));
    put(block.y,
        product(hn::ConvertTo(lanes, hn::Sub(iy, hn::Set(int_lanes, block.center_y))), unit));
    // h = (density seen at width h)^(-1/2), by fixed-point steps from the last value.
    V h = hn::LoadU(lanes, block.spacing.data() + p * width);
    const Ints one = hn::Set(int_lanes, 1);
    for (int k = 0; k < measurings; ++k) {
      const Mix mix = mix_of_width(h);
      const V lower = value_at(table, mix.level, x, y);
      const V upper = value_at(table, hn::Add(mix.level, one), x, y);
      const V seen = sum_of(lower, product(mix.t, hn::Sub(upper, lower)));
      const V found = hn::Div(number(1), hn::Sqrt(hn::Max(seen, number(1e-30))));
      h = hn::Sqrt(product(h, found));
      h = hn::Min(hn::Max(h, number(rules.smallest)), number(rules.largest));
    }
    put(block.spacing, h);

    V kernel = product(h, number(rules.narrow));
    if (rules.edges > 0) {
      // Kernels shrink where the density changes much over a spacing.
      Pull slope{hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes),
                 hn::Zero(lanes)};
      add_pull(table, mix_of_width(h).level, x, y, number(1), slope);
      const V steepness = hn::Sqrt(sum_of(product(slope.x, slope.x), product(slope.y, slope.y)));
      // The density is 1 / h^2.
      const V change = hn::Min(product(steepness, product(h, product(h, h))), number(2));
      kernel = hn::Div(kernel, sum_of(number(1), product(change, number(rules.edges))));
    }
    const Mix mix = mix_of_width(kernel);
    const V weights[4] = {product(hn::Sub(number(1), mix.t), number(rules.narrow_weight)),
                          product(mix.t, number(rules.narrow_weight)),
                          product(hn::Sub(number(1), mix.t), number(rules.wide_weight)),
                          product(mix.t, number(rules.wide_weight))};
    // 1 / variance of the level, 0.25 * 2^level.
    V sharp = hn::BitCast(lanes, hn::ShiftLeft<23>(hn::Sub(hn::Set(int_lanes, 129), mix.level)));
    Pull pull{hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes)};
    Ints level = mix.level;
    for (int k = 0; k < 4; ++k) {
      put(block.pull[k], product(weights[k], product(sharp, sharp)));
      add_pull(table, level, x, y, product(weights[k], number(6.283185307179586)), pull);
      if (k == 3) put(block.scale, product(sharp, number(0.7213475204444817)));  // log2(e) / 2
      level = hn::Add(level, one);
      sharp = product(sharp, number(0.5));
    }
    if (rules.pure) {
      // One exponential serves these two as well: the wide variance is four times the narrow one.
      const V n2 = product(kernel, kernel);
      const V w2 = product(n2, number(4));
      put(block.pull[0], hn::Zero(lanes));
      put(block.pull[2], hn::Zero(lanes));
      put(block.pull[1], hn::Div(number(rules.narrow_weight), product(n2, n2)));
      put(block.pull[3], hn::Div(number(rules.wide_weight), product(w2, w2)));
      put(block.scale, hn::Div(number(0.7213475204444817), w2));
    }
    const V h2 = product(h, h);
    put(block.core_scale, hn::Div(number(1 / (rules.core * rules.core)), h2));
    put(block.core, hn::Div(number(rules.core_force), product(h2, h2)));
    put(block.gain, product(number(rules.rate), product(h2, h)));
    put(block.force_x, pull.x);
    put(block.force_y, pull.y);
    put(block.xx, pull.xx);
    put(block.xy, pull.xy);
    put(block.yy, pull.yy);
  }
}

std::uint32_t dots_too_near_of(std::size_t b, const DotBlock& block, const LevelTable& table,
                               double seen_at, double least, const FixedPlaces& places) {
  const V unit = number(places.unit);
  std::uint32_t found = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = b * block_dots + p * width;
    const Ints ix = hn::LoadU(int_lanes, places.x.data() + first);
    const Ints iy = hn::LoadU(int_lanes, places.y.data() + first);
    const Ints self = hn::Iota(int_lanes, static_cast<std::int32_t>(first));
    const Mix mix = mix_of_width(number(seen_at));
    const V px = product(hn::ConvertTo(lanes, ix), unit);
    const V py = product(hn::ConvertTo(lanes, iy), unit);
    const V lower = value_at(table, mix.level, px, py);
    const V upper = value_at(table, hn::Add(mix.level, hn::Set(int_lanes, 1)), px, py);
    const V seen = sum_of(lower, product(mix.t, hn::Sub(upper, lower)));
    const V wanted2 =
        hn::Div(number(least * least * hexagonal * hexagonal), hn::Max(seen, number(1e-12)));
    const V far = number(1e30);
    V nearest2 = far;
    for (const std::int32_t dot : block.seen) {
      const auto k = static_cast<std::size_t>(dot);
      const V dx =
          product(hn::ConvertTo(lanes, hn::Sub(ix, hn::Set(int_lanes, places.x[k]))), unit);
      const V dy =
          product(hn::ConvertTo(lanes, hn::Sub(iy, hn::Set(int_lanes, places.y[k]))), unit);
      const V d2 = sum_of(product(dx, dx), product(dy, dy));
      const auto other = hn::RebindMask(lanes, hn::Ne(self, hn::Set(int_lanes, dot)));
      nearest2 = hn::Min(nearest2, hn::IfThenElse(other, d2, far));
    }
    alignas(64) std::int32_t flags[width];
    const auto near = hn::Lt(nearest2, wanted2);
    hn::Store(hn::BitCast(int_lanes, hn::IfThenElseZero(near, number(1))), int_lanes, flags);
    for (std::size_t k = 0; k < width; ++k) {
      if (flags[k] != 0) found |= std::uint32_t{1} << (p * width + k);
    }
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
