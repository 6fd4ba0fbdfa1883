// Solves by multigrid with two-color Gauss-Seidel (Brandt 1977). Cells of one color of a chessboard
// depend only on the other color, so results depend neither on order nor on threads.
#include "relax/flow_equation.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr int strip = 32;          // rows of one parallel item
constexpr int smallest_grid = 64;  // cells
constexpr int sweeps = 2;          // before and after a coarser grid
constexpr int last_sweeps = 30;    // on the coarsest grid

template <class Body>
void for_rows(int rows, Context& context, const Body& body) {
  parallel_for(
      context, static_cast<std::size_t>((rows + strip - 1) / strip),
      [&](std::size_t s) {
        const int first = static_cast<int>(s) * strip;
        for (int y = first; y < std::min(rows, first + strip); ++y) body(y);
      },
      4);
}

// Calls body(conductance, potential of the neighbor) for every neighbor of a cell.
template <class G, class Body>
void for_sides(const G& grid, int x, int y, const Body& body) {
  const Plane<float>& phi = grid.potential;
  if (x > 0) body(grid.across(x - 1, y), phi(x - 1, y));
  if (x + 1 < phi.width()) body(grid.across(x, y), phi(x + 1, y));
  if (y > 0) body(grid.down(x, y - 1), phi(x, y - 1));
  if (y + 1 < phi.height()) body(grid.down(x, y), phi(x, y + 1));
}

template <class G>
void smooth(G& grid, int times, Context& context) {
  for (int half = 0; half < 2 * times; ++half) {
    for_rows(grid.potential.height(), context, [&](int y) {
      for (int x = (y + half) % 2; x < grid.potential.width(); x += 2) {
        float sum = -grid.source(x, y);
        float weight = 0;
        for_sides(grid, x, y, [&](float conductance, float other) {
          sum += conductance * other;
          weight += conductance;
        });
        if (weight > 0) grid.potential(x, y) = sum / weight;
      }
    });
  }
}

template <class G>
float residual(const G& grid, int x, int y) {
  float left = grid.source(x, y);
  for_sides(grid, x, y, [&](float conductance, float other) {
    left -= conductance * (other - grid.potential(x, y));
  });
  return left;
}

}  // namespace

FlowEquation::FlowEquation(Plane<float> density, double cell_x, double cell_y, Context& context) {
  for (;;) {
    const int w = density.width();
    const int h = density.height();
    Grid grid{Plane<float>(w, h), Plane<float>(w, h), Plane<float>(w, h), Plane<float>(w, h)};
    const auto x_scale = static_cast<float>(0.5 / (cell_x * cell_x));
    const auto y_scale = static_cast<float>(0.5 / (cell_y * cell_y));
    for_rows(h, context, [&](int y) {
      for (int x = 0; x < w; ++x) {
        if (x + 1 < w) grid.across(x, y) = x_scale * (density(x, y) + density(x + 1, y));
        if (y + 1 < h) grid.down(x, y) = y_scale * (density(x, y) + density(x, y + 1));
      }
    });
    grids_.push_back(std::move(grid));
    if (w % 2 != 0 || h % 2 != 0 || w * h < smallest_grid) return;
    Plane<float> half(w / 2, h / 2);
    for_rows(h / 2, context, [&](int y) {
      for (int x = 0; x < w / 2; ++x) {
        half(x, y) = 0.25f * (density(2 * x, 2 * y) + density(2 * x + 1, 2 * y) +
                              density(2 * x, 2 * y + 1) + density(2 * x + 1, 2 * y + 1));
      }
    });
    density = std::move(half);
    cell_x *= 2;
    cell_y *= 2;
  }
}

void FlowEquation::cycle(std::size_t level, Context& context) {
  Grid& grid = grids_[level];
  if (level + 1 == grids_.size()) {
    smooth(grid, last_sweeps, context);
    return;
  }
  smooth(grid, sweeps, context);
  Grid& wider = grids_[level + 1];
  for_rows(wider.source.height(), context, [&](int y) {
    for (int x = 0; x < wider.source.width(); ++x) {
      wider.source(x, y) =
          0.25f * (residual(grid, 2 * x, 2 * y) + residual(grid, 2 * x + 1, 2 * y) +
                   residual(grid, 2 * x, 2 * y + 1) + residual(grid, 2 * x + 1, 2 * y + 1));
      wider.potential(x, y) = 0;
    }
  });
  cycle(level + 1, context);
  const Plane<float> correction = refined(wider.potential);
  for_rows(correction.height(), context, [&](int y) {
    for (int x = 0; x < correction.width(); ++x) grid.potential(x, y) += correction(x, y);
  });
  smooth(grid, sweeps, context);
}

const Plane<float>& FlowEquation::solve(Plane<float> source, int cycles, Context& context) {
  Grid& finest = grids_.front();
  finest.source = std::move(source);
  std::fill(finest.potential.values().begin(), finest.potential.values().end(), 0.0f);
  for (int k = 0; k < cycles; ++k) cycle(0, context);
  return finest.potential;
}

}  // namespace dapple
