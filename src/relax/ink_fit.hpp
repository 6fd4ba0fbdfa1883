// Fits the inks of dots to a darkness, without moving the dots.
#pragma once

#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the inks that make the dots match the darkness, both seen through a Gaussian of `width`
// cells. A least-squares fit also keeps each ink near its present value. The deviation of one ink
// counts as much as the tone error that it alone causes. `darkness` is the ink wanted per cell, in
// whose cells the dots lie. `inks` are the present values, above 0. The darkness is mirrored at its
// borders. O(dots + cells).
std::vector<double> fitted_inks(const Points& dots, std::span<const double> inks,
                                const Plane<float>& darkness, double width, Context& context);

}  // namespace dapple
