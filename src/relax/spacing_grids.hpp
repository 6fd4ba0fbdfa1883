// Grids over a map, each with cells twice as large as those of the one before, on which dots and
// density are seen as widely as the local spacing of dots asks for.
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
  using Cells = std::vector<Plane<float>>;  // mass in each cell; one plane a level

  // What lies between two levels is shared out between them: so that masses add up, or so that the
  // products of two shares do, as in the energy of a pair.
  enum class Shares { of_mass, of_pairs };

  // `density`: dots per pixel; local spacings lie between `smallest` and `largest` pixels; cells
  // are `cell_size` spacings wide. O(pixels).
  SpacingGrids(const Plane<float>& density, const DensityStack& stack, double smallest,
               double largest, double cell_size, Shares shares, Context& context);

  const std::vector<Level>& levels() const { return levels_; }
  // Dots on all of the map, and on a pixel of it.
  double total() const { return total_; }
  double mean_density() const { return total_ / area_; }

  Cells of_density(const Plane<float>& density, Context& context) const;
  // `masses`: of each dot; empty: 1. Dots are added up in so many parts at a time, and what they
  // add up to depends on that number to rounding.
  Cells of_dots(std::span<const Vec2> dots, std::span<const float> masses, int parts,
                Context& context) const;

  // Calls add(level, share) for the one or two levels that a mass at p is seen on.
  template <class Add>
  void share(Vec2 p, const Add& add) const;

 private:
  Cells empty() const;
  // The sum of what so many parts add to the cells, in their order.
  Cells sum_of(int parts, const std::function<void(int part, Cells& to)>& add,
               Context& context) const;
  double level_of(Vec2 p) const;
  void add_rows(const Plane<float>& density, int from, int to, Cells& cells) const;

  std::vector<Level> levels_;
  Plane<float> level_;  // that the spacing at each cell of the finest asks for
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
