// Kernels as wide as a spacing miss errors of tone over many spacings, and small errors add up. The
// flow corrects these errors. Dots and density are seen through the same splines, as wide as the
// local spacing requires. Their difference E is undone by moving dots by the gradient of phi, where
// div(density grad phi) = E. To first order this is the optimal transport from excess to lack. The
// flow is smooth over a spacing, so dots keep their distances.
#include "relax/tone_flow.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "field/plane_sum.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr int cycles = 3;
constexpr int parts = 8;             // groups of dots that are summed concurrently
constexpr double thinnest = 1e-3;    // least density that carries a flow, in mean densities
constexpr std::size_t block = 1024;  // dots per task

}  // namespace

ToneFlow::ToneFlow(const Plane<float>& density, const DensityStack& stack, double smallest,
                   double largest, double cell_size, Context& context)
    : grids_(density, stack, smallest, largest, cell_size, SpacingGrids::Shares::of_mass, context),
      wanted_(grids_.of_density(density, context)) {
  Plane<float> carrier = collapsed(wanted_);
  const auto least = static_cast<float>(thinnest * grids_.mean_density());
  for (float& v : carrier.values()) v = std::max(v, least);
  const SpacingGrids::Level& grid = grids_.levels().front();
  equation_.emplace_back(std::move(carrier), grid.cell_x, grid.cell_y, context);
}

// Converts dots per cell of every grid to dots per pixel of the finest grid.
Plane<float> ToneFlow::collapsed(const SpacingGrids::Cells& cells) const {
  const std::vector<SpacingGrids::Level>& levels = grids_.levels();
  Plane<float> sum;
  for (std::size_t l = levels.size(); l-- > 0;) {
    const auto a_pixel = static_cast<float>(1 / (levels[l].cell_x * levels[l].cell_y));
    Plane<float> here =
        sum.size() > 0 ? refined(sum) : Plane<float>(levels[l].columns, levels[l].rows);
    for (std::size_t i = 0; i < here.size(); ++i) {
      here.values()[i] += cells[l].values()[i] * a_pixel;
    }
    sum = std::move(here);
  }
  return sum;
}

std::vector<Vec2> ToneFlow::ways(const std::vector<Vec2>& dots, std::span<const float> masses,
                                 Context& context) {
  SpacingGrids::Cells error = grids_.of_dots(dots, masses, parts, context);
  for (std::size_t l = 0; l < error.size(); ++l) {
    for (std::size_t i = 0; i < error[l].size(); ++i) {
      error[l].values()[i] -= wanted_[l].values()[i];
    }
  }
  Plane<float> source = collapsed(error);
  const auto mean = static_cast<float>(sum_of(source) / static_cast<double>(source.size()));
  for (float& v : source.values()) v -= mean;
  const Plane<float>& potential = equation_.front().solve(std::move(source), cycles, context);

  std::vector<Vec2> ways(dots.size());
  const SpacingGrids::Level& grid = grids_.levels().front();
  parallel_for(context, (dots.size() + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(dots.size(), (b + 1) * block); ++i) {
      const SplineWeights wx = spline_at(dots[i].x / grid.cell_x);
      const SplineWeights wy = spline_at(dots[i].y / grid.cell_y);
      const Vec2 slope = slope_of(potential, wx, wy);
      ways[i] = {slope.x / grid.cell_x, slope.y / grid.cell_y};
    }
  });
  return ways;
}

}  // namespace dapple
