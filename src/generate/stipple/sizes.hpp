// Computes the map that sizes of dots follow, and the classes of a few sizes.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"

namespace dapple::stippling {

// Returns the size wanted at each place, from 0, the smallest, to 1, the largest. `spacing`: mean
// spacing of dots, pixels. O(pixels).
Plane<float> size_map(const Plane<float>& darkness, DotSizeFrom from, double spacing,
                      Context& context);

// Classes of dots by size.
struct SizeSteps {
  std::vector<double> diameters;  // of each class; empty: dots have any size
  bool random = false;            // true: sizes follow nothing
  double play = 0;                // largest deviation from the diameter of a class

  // Returns the size classes that the options require. For random sizes there are as many classes
  // as stay even by themselves.
  static SizeSteps of(const StippleOptions& options, double smallest, double largest);

  // Returns the share of class `step` among dots of size t, 0 smallest to 1 largest.
  double share(std::size_t step, double t) const;
  // Returns that share at each place of a size_map(), class by class.
  std::vector<Plane<float>> shares(const Plane<float>& map, Context& context) const;
};

// Throws Error(usage) if `size-from` or `size-steps` have no effect or exclude other options.
void check_sizes(const StippleOptions& options, std::size_t inks);

}  // namespace dapple::stippling
