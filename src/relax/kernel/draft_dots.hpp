// Dots to look at while something changes: quick, and each where it was as far as it may stay.
#pragma once

#include <cstdint>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {

// What a draft may begin with: dots that lie well, in the pixels of a density that they stand for.
struct DraftStart {
  PointSet dots = {};
  Plane<float> density = {};

  std::size_t bytes() const { return 16 * dots.size() + 4 * density.size(); }
};

// `count` dots for the density, whose sum that is, relaxed for some steps on as few pixels as show
// it. Where the density has changed little since the start, its dots stay: only as many come and go
// as the difference asks for, where it does. Else they start anew. Then the start is this draft.
// Without what lies beyond the frame, and parts are not even by themselves. O(dots + pixels).
PointSet draft_dots(const Plane<float>& density, std::int64_t count, const KernelOptions& options,
                    DraftStart& start, Context& context);

}  // namespace dapple
