// Dots to look at while something changes: quick, and each where it was as far as it may stay.
#pragma once

#include <cstdint>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/relaxation.hpp"

namespace dapple {

// What a draft may begin with: dots that lie well, in the pixels of a density that they stand for.
struct DraftStart {
  PointSet dots = {};
  Plane<float> density = {};

  std::size_t bytes() const { return 16 * dots.size() + 4 * density.size(); }
};

// `count` dots for the density, whose sum that is: a Relaxation of some steps, each other one with
// a flow, on as few pixels as show it, which begins with the start as set_density() does. Then the
// start is this draft. O(dots + pixels).
PointSet draft_dots(const Plane<float>& density, std::int64_t count,
                    const RelaxationOptions& options, DraftStart& start, Context& context);

}  // namespace dapple
