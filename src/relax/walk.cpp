// Dots along a space-filling curve: a dot wherever another unit of mass has been passed. Every run
// of the curve gets its share to within one dot, which leaves the relaxation short ways to go.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/random.hpp"
#include "relax/kernel.hpp"

namespace dapple {
namespace {

// Cell number `index` of the Hilbert (1891) curve over size x size cells, from (0, 0) to
// (size - 1, 0).
void hilbert_cell(std::uint32_t size, std::uint64_t index, std::uint32_t& x, std::uint32_t& y) {
  x = y = 0;
  for (std::uint32_t s = 1; s < size; s *= 2) {
    const std::uint32_t rx = 1 & static_cast<std::uint32_t>(index / 2);
    const std::uint32_t ry = 1 & static_cast<std::uint32_t>(index ^ rx);
    if (ry == 0) {
      if (rx == 1) {
        x = s - 1 - x;
        y = s - 1 - y;
      }
      std::swap(x, y);
    }
    x += s * rx;
    y += s * ry;
    index /= 4;
  }
}

}  // namespace

PointSet walk_dots(const Plane<float>& density, std::int64_t count, Context& context) {
  double total = 0;
  for (const float v : density.values()) total += static_cast<double>(v);
  PointSet dots;
  dots.domain = {static_cast<double>(density.width()), static_cast<double>(density.height()),
                 false};
  const Random random(context.seed, Stream::stipple);
  // Squares of the shorter side in a row along the longer one.
  const bool tall = density.height() > density.width();
  const int across = std::max(density.width(), density.height());
  const int down = std::min(density.width(), density.height());
  const std::uint32_t side = std::bit_ceil(static_cast<std::uint32_t>(down));
  const double per_dot = total / static_cast<double>(count);
  // The walk starts somewhere inside the first dot's share.
  double passed = per_dot * to_unit(random.at(0));
  std::uint64_t draw = 1;
  const auto visit = [&](int x, int y) {
    passed += static_cast<double>(density(x, y));
    while (passed >= per_dot && static_cast<std::int64_t>(dots.size()) < count) {
      passed -= per_dot;
      dots.add({x + to_unit(random.at(draw)), y + to_unit(random.at(draw + 1))}, 0);
      draw += 2;
    }
  };
  std::int64_t last_x = 0;
  std::int64_t last_y = 0;
  for (std::int64_t base = 0; base < across; base += side) {
    context.check();
    for (std::uint64_t i = 0; i < std::uint64_t{side} * side; ++i) {
      std::uint32_t u = 0;
      std::uint32_t v = 0;
      hilbert_cell(side, i, u, v);
      const std::int64_t a = base + u;
      if (a >= across || static_cast<int>(v) >= down) continue;
      last_x = tall ? static_cast<int>(v) : a;
      last_y = tall ? a : static_cast<int>(v);
      if (density(static_cast<int>(last_x), static_cast<int>(last_y)) > 0) {
        visit(static_cast<int>(last_x), static_cast<int>(last_y));
      }
    }
  }
  // Rounding, and the share the walk started in, can leave the last dot out.
  while (static_cast<std::int64_t>(dots.size()) < count) {
    const std::size_t from = dots.size() > 0 ? dots.size() - 1 : 0;
    const Vec2 p = dots.empty() ? Vec2{0.5, 0.5} : dots[from];
    dots.add({std::floor(p.x) + to_unit(random.at(draw)),
              std::floor(p.y) + to_unit(random.at(draw + 1))},
             0);
    draw += 2;
  }
  return dots;
}

}  // namespace dapple
