// Inks of dots that lie where they lie.
#pragma once

#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The inks with which dots come nearest to the darkness, both seen through a Gaussian `width` cells
// wide, while none strays far from what it is: least squares of both, an ink that is off by itself
// counting as much as the tone of that dot being off alone. `darkness`: ink wanted per cell, on
// which the dots lie; `inks`: what they are, all above 0. Beyond its borders all goes on as in a
// mirror. O(dots + cells).
std::vector<double> fitted_inks(const PointSet& dots, std::span<const double> inks,
                                const Plane<float>& darkness, double width, Context& context);

}  // namespace dapple
