// Spreads dots and density over grids of a map. The cells of each grid are twice as large as in the
// grid before. The local spacing of dots decides which grids a place uses.
#pragma once

#include <cstddef>
#include <cstdint>
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

    // Converts pixels to cells.
    Vec2 in_cells(Vec2 p) const { return {p.x * a_pixel_x, p.y * a_pixel_y}; }
    double a_pixel_x = 1;  // cells a pixel
    double a_pixel_y = 1;
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

  // The one or two levels on which a mass counts: the share on `level` and on the next one.
  struct OnLevels {
    std::uint32_t level = 0;
    float here = 1;
    float above = 0;

    // Calls add(level, share) for each of them.
    template <class Add>
    void share(const Add& add) const {
      add(std::size_t{level}, here);
      if (above > 0) add(std::size_t{level} + 1, above);
    }
  };
  // Returns the levels for a mass at `p`.
  OnLevels levels_at(Vec2 p) const;

  Cells of_density(const Plane<float>& density, Context& context) const;
  // `masses`: of each dot; empty: 1. Dots are summed in `parts` parts concurrently. The number of
  // parts changes the sums only by rounding.
  Cells of_dots(std::span<const Vec2> dots, std::span<const float> masses, int parts,
                Context& context) const;
  // Adds dots [from, to) to cells. `on`: the levels of each dot; empty: levels_at() its place.
  void add_dots(std::span<const Vec2> dots, std::span<const float> masses,
                std::span<const OnLevels> on, std::size_t from, std::size_t to, Cells& cells) const;

 private:
  Cells empty() const;
  // Calls `add` for each of `parts` parts and returns the sum of their cells, in this order.
  Cells sum_of(int parts, const std::function<void(int part, Cells& to)>& add,
               Context& context) const;
  OnLevels between_levels(double level) const;
  void add_rows(const Plane<float>& density, int from, int to, Cells& cells) const;

  std::vector<Level> levels_;
  Plane<float> level_;                // the level that fits the local spacing
  double level_x_ = 1, level_y_ = 1;  // size of its cells, pixels
  Shares shares_;
  double total_ = 0;
  double area_ = 0;  // pixels
};

}  // namespace dapple
