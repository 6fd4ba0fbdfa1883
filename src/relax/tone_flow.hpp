// Finds the flow of dots that brings ink to where the density wants it, over a few spacings.
#pragma once

#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "relax/density_stack.hpp"
#include "relax/flow_equation.hpp"
#include "relax/spacing_grids.hpp"

namespace dapple {

class ToneFlow {
 public:
  // `density`: dots per pixel. Local spacings lie between `smallest` and `largest` pixels. Dots are
  // summed on cells of `cell_size` spacings. Smaller cells show more errors, but mistake more of
  // the dots' disorder for errors. O(pixels).
  ToneFlow(const Plane<float>& density, const DensityStack& stack, double smallest, double largest,
           double cell_size, Context& context);

  // Returns the way that each dot should go, pixels. `masses`: the weight of each dot, 1 in the
  // local mean; empty: 1. O(dots).
  std::vector<Vec2> ways(const std::vector<Vec2>& dots, std::span<const float> masses,
                         Context& context);

 private:
  Plane<float> collapsed(const SpacingGrids::Cells& cells) const;

  SpacingGrids grids_;
  SpacingGrids::Cells wanted_;
  std::vector<FlowEquation> equation_;  // always one
};

}  // namespace dapple
