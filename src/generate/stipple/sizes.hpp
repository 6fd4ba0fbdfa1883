// What the sizes of dots follow, and sizes of which there are but a few.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"

namespace dapple::stippling {

// Where sizes lie between the smallest, 0, and the largest, 1, at each place. `spacing`: of dots in
// the mean, pixels. O(pixels).
Plane<float> size_map(const Plane<float>& darkness, DotSizeFrom from, double spacing,
                      Context& context);

// Classes of dots by size.
struct SizeSteps {
  std::vector<double> diameters;  // of each class; empty: dots have any size
  bool random = false;            // sizes follow nothing
  double play = 0;                // of a diameter about that of its class, each way

  // Those that were asked for; or for random sizes so many that dots of each are even by
  // themselves.
  static SizeSteps of(const StippleOptions& options, double smallest, double largest);

  // Of dots that are to lie at t between the smallest and the largest, how many are of a class.
  double share(std::size_t step, double t) const;
  // That at each place of a size_map(), class by class.
  std::vector<Plane<float>> shares(const Plane<float>& map, Context& context) const;
};

// Throws Error(usage) where `size-from` or `size-steps` go with nothing, or not with the rest.
void check_sizes(const StippleOptions& options, std::size_t inks);

}  // namespace dapple::stippling
