// Dots of a picture as a cut-out of a larger one.
#pragma once

#include <cstdint>

#include "relax/kernel/relaxed_dots.hpp"

namespace dapple {

// `count` dots of the density, relaxed with what lies round the picture: it goes on as in a mirror
// for some spacings, dots there settle too, and what falls outside is cut away. So no dot has the
// frame for a neighbor, and none line up along it. Column klass as of relaxed_dots(), whose numbers
// the cut leaves right to a few dots. `density`: dots per pixel, summing to about
// `count`. O(dots + pixels).
PointSet cut_out_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                      const KernelOptions& options, Context& context);

}  // namespace dapple
