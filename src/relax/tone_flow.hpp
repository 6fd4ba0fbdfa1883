// Where dots have to flow so that ink is where the density wants it, seen over a few spacings.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "relax/density_stack.hpp"
#include "relax/flow_equation.hpp"

namespace dapple {

class ToneFlow {
 public:
  // `density`: dots per pixel; local spacings lie between `smallest` and `largest` pixels; dots are
  // seen on cells of `cell_size` spacings: small ones see more, and take more of the disorder of
  // dots for errors. O(pixels).
  ToneFlow(const Plane<float>& density, const DensityStack& stack, double smallest, double largest,
           double cell_size, Context& context);

  // The way that each dot should go, pixels. O(dots).
  std::vector<Vec2> ways(const std::vector<Vec2>& dots, Context& context);

 private:
  struct Level {
    int columns = 0;
    int rows = 0;
    double cell_x = 1;  // pixels
    double cell_y = 1;
  };
  using Grids = std::vector<Plane<float>>;  // one a level

  Grids empty_grids() const;
  // The sum of what `parts` parts add to the grids, in their order.
  Grids sum_of(int parts, const std::function<void(int part, Grids& to)>& add, Context& context);
  double level_of(Vec2 p) const;
  template <class Add>
  void share(Vec2 p, double mass, const Add& add) const;
  void add_density(const Plane<float>& density, int from, int to, Grids& grids) const;
  Plane<float> collapsed(const Grids& grids) const;

  std::vector<Level> levels_;  // cells double from one to the next
  Plane<float> level_;         // that the spacing at each cell of the finest asks for
  Grids wanted_;
  std::vector<FlowEquation> equation_;  // one
};

}  // namespace dapple
