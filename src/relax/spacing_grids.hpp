// Spreads dots and density over grids of a map. The cells of each grid are twice as large as in the
// grid before. The local spacing of dots decides which grids a place uses.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "relax/density_stack.hpp"

namespace dapple {

class SpacingGrids {
 public:
  struct Level {
    int columns = 0;
    int rows = 0;
    double cell_x = 1;  // pixels
    double cell_y = 1;
  };
  using Cells = std::vector<Plane<float>>;  // mass in each cell, one plane per level

  // How a place between two levels is divided between them. of_mass: the two shares add up to 1.
  // of_pairs: their squares add up to 1, as the energy of a pair requires.
  enum class Shares { of_mass, of_pairs };

  // `density`: dots per pixel. Local spacings lie between `smallest` and `largest` pixels. Cells
  // are `cell_size` spacings wide. O(pixels).
  SpacingGrids(const Plane<float>& density, const DensityStack& stack, double smallest,
               double largest, double cell_size, Shares shares, Context& context);

  const std::vector<Level>& levels() const { return levels_; }
  // Returns the number of dots on the whole map; mean_density() is per pixel.
  double total() const { return total_; }
  double mean_density() const { return total_ / area_; }

  Cells of_density(const Plane<float>& density, Context& context) const;
  // `masses`: of each dot; empty: 1. Dots are summed in `parts` parts concurrently. The number of
  // parts changes the sums only by rounding.
  Cells of_dots(std::span<const Vec2> dots, std::span<const float> masses, int parts,
                Context& context) const;

  // Calls add(level, share) for the one or two levels on which a mass at `p` counts.
  template <class Add>
  void share(Vec2 p, const Add& add) const;

 private:
  Cells empty() const;
  // Calls `add` for each of `parts` parts and returns the sum of their cells, in this order.
  Cells sum_of(int parts, const std::function<void(int part, Cells& to)>& add,
               Context& context) const;
  double level_of(Vec2 p) const;
  void add_rows(const Plane<float>& density, int from, int to, Cells& cells) const;

  std::vector<Level> levels_;
  Plane<float> level_;  // the level that fits the local spacing, for each cell of the finest grid
  Shares shares_;
  double total_ = 0;
  double area_ = 0;  // pixels
};

template <class Add>
void SpacingGrids::share(Vec2 p, const Add& add) const {
  const double level = level_of(p);
  const auto lower = static_cast<std::size_t>(level);
  const double upper = level - static_cast<double>(lower);
  const bool pairs = shares_ == Shares::of_pairs;
  add(lower, pairs ? std::sqrt(1 - upper) : 1 - upper);
  if (upper > 0) add(lower + 1, pairs ? std::sqrt(upper) : upper);
}

}  // namespace dapple
