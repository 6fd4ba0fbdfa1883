// Makes quick dots for previews while something changes. Dots stay in place as far as possible.
#pragma once

#include <cstdint>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/relaxation.hpp"

namespace dapple {

// The start of a draft: dots that lie well already, in pixels of the density they belong to.
struct DraftStart {
  Points dots = {};
  Plane<float> density = {};
  double unrelaxed = 0;  // share of dots that came without relaxation

  std::size_t bytes() const { return 16 * dots.size() + 4 * density.size(); }
};

// Returns `count` dots for a density that sums to `count`. A Relaxation makes 4 or 8 steps on few
// pixels, or half as many if the density has changed little, with a flow after every second step.
// It begins with `start` as set_density() does, and then sets `start` to this draft.
// O(dots + pixels).
Points draft_dots(const Plane<float>& density, std::int64_t count, const RelaxationOptions& options,
                  DraftStart& start, Context& context);
// As above, but only adds and removes dots where the density has changed. Returns no dots if that
// would be too many since `start` was relaxed.
Points adjusted_dots(const Plane<float>& density, std::int64_t count, DraftStart& start,
                     Context& context);
// Returns a start from these dots of the density.
DraftStart start_from(const Points& dots, const Plane<float>& density, Context& context);

}  // namespace dapple
