// Makes the dots of a picture as a cut-out of a larger one.
#pragma once

#include <cstdint>

#include "relax/kernel/relaxed_dots.hpp"

namespace dapple {

// Returns `count` dots of the density. The picture is mirrored around itself for several spacings.
// Dots there are relaxed too, and dots outside the frame are cut away. So no dot has the frame for
// a neighbor, and none line up along it. Column class_id is as in relaxed_dots(); the cut changes
// the numbers of its classes by a few dots. `density`: dots per pixel, sums to about `count`.
// O(dots + pixels).
Points cut_out_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                    const KernelOptions& options, Context& context);

}  // namespace dapple
