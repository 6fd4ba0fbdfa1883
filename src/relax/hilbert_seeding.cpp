// Places dots along a space-filling curve, one per unit of mass. Every run of the curve gets its
// share to within one dot, so the relaxation moves dots only a little.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {
namespace {

constexpr int tile = 32;  // side, pixels, of the square that a task walks

struct Cell {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

// The orientation of the curve in a square.
struct Turn {
  bool swapped = false;  // x and y are exchanged
  bool flipped = false;  // afterwards both count from the far end
};

// Visits the squares of `size` in the order of the Hilbert (1891) curve. The curve enters at (0, 0)
// and leaves at (size - 1, 0), unless turned.
template <class Visit>
void hilbert(Cell at, std::int32_t size, std::int32_t least, Turn turn, const Visit& visit) {
  if (size <= least) {
    visit(at, turn);
    return;
  }
  const std::int32_t half = size / 2;
  // The quarters in the order of the unturned curve; below, the turn of the curve in each.
  constexpr std::array<Cell, 4> quarters{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};
  for (std::size_t q = 0; q < 4; ++q) {
    Cell quarter = quarters[q];
    if (turn.swapped) std::swap(quarter.x, quarter.y);
    if (turn.flipped) quarter = {1 - quarter.x, 1 - quarter.y};
    Turn inner = turn;
    if (q == 0) inner.swapped = !turn.swapped;
    if (q == 3) inner = {!turn.swapped, !turn.flipped};
    hilbert({at.x + quarter.x * half, at.y + quarter.y * half}, half, least, inner, visit);
  }
}

struct CurveSquare {
  Cell at;  // along the longer side of the picture, and across it
  Turn turn;
};

}  // namespace

Points walk_dots(const Plane<float>& density, std::int64_t count, Context& context) {
  Points dots;
  dots.domain = domain_of(density);
  // Squares as large as the shorter side stand in a row along the longer one.
  const bool tall = density.height() > density.width();
  const std::int32_t across = std::max(density.width(), density.height());
  const std::int32_t down = std::min(density.width(), density.height());
  const auto side = static_cast<std::int32_t>(std::bit_ceil(static_cast<std::uint32_t>(down)));
  std::vector<CurveSquare> squares;
  for (std::int64_t base = 0; base < across; base += side) {
    hilbert({static_cast<std::int32_t>(base), 0}, side, tile, {}, [&](Cell at, Turn turn) {
      if (at.x < across && at.y < down) squares.push_back({at, turn});
    });
  }
  const auto walk = [&](const CurveSquare& through, const auto& visit) {
    hilbert(through.at, std::min(side, tile), 1, through.turn, [&](Cell at, Turn) {
      if (at.x >= across || at.y >= down) return;
      const Cell pixel = tall ? Cell{at.y, at.x} : at;
      visit(pixel, static_cast<double>(density(pixel.x, pixel.y)));
    });
  };
  // The density that the curve passes before each tile.
  std::vector<double> passed(squares.size() + 1, 0.0);
  parallel_for(context, squares.size(), [&](std::size_t t) {
    double sum = 0;
    walk(squares[t], [&](Cell, double mass) { sum += mass; });
    passed[t + 1] = sum;
  });
  for (std::size_t t = 0; t < squares.size(); ++t) passed[t + 1] += passed[t];

  const Random random(context.seed, Stream::stipple);
  const double per_dot = passed.back() / static_cast<double>(count);
  // Each dot has a random position in its own share. At a fixed position, dots of an even density
  // would start as a lattice, which the relaxation would keep.
  const auto dots_at = [&](double mass) {
    const double shares = mass / per_dot;
    const auto whole = static_cast<std::int64_t>(shares);
    const double place = to_unit(random.at(3 * static_cast<std::uint64_t>(whole)));
    return std::min(count, whole + (shares - static_cast<double>(whole) > place ? 1 : 0));
  };
  const auto size = static_cast<std::size_t>(count);
  dots.x.resize(size);
  dots.y.resize(size);
  dots.radius.assign(size, 0);
  const auto put = [&](std::int64_t dot, Cell pixel) {
    const auto i = static_cast<std::size_t>(dot);
    dots.x[i] = pixel.x + to_unit(random.at(3 * i + 1));
    dots.y[i] = pixel.y + to_unit(random.at(3 * i + 2));
  };
  parallel_for(context, squares.size(), [&](std::size_t t) {
    double mass = passed[t];
    std::int64_t done = dots_at(mass);
    const std::int64_t end = dots_at(passed[t + 1]);
    Cell last;
    walk(squares[t], [&](Cell pixel, double here) {
      if (!(here > 0)) return;
      mass += here;
      last = pixel;
      for (const std::int64_t next = std::min(end, dots_at(mass)); done < next; ++done) {
        put(done, pixel);
      }
    });
    // The sum of a tile and the sum along its curve may differ by rounding.
    for (; done < end; ++done) put(done, last);
  });
  // Rounding can leave the last dot out.
  for (std::int64_t dot = dots_at(passed.back()); dot < count; ++dot) {
    const std::int64_t from = std::max<std::int64_t>(0, dot - 1);
    const auto i = static_cast<std::size_t>(from);
    put(dot, dot > 0
                 ? Cell{static_cast<std::int32_t>(dots.x[i]), static_cast<std::int32_t>(dots.y[i])}
                 : Cell{});
  }
  return dots;
}

}  // namespace dapple
