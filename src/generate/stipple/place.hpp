// Where the dots of a stippling lie, and how large they are there.
#pragma once

#include "generate/stipple/darks.hpp"
#include "generate/stipple/layout.hpp"
#include "relax/kernel/relaxed_dots.hpp"

namespace dapple::stippling {

KernelOptions kernel_options(const StippleOptions& options);

// plan.count dots of the plan's density, in its cells, by the method that is asked for. `split`: of
// `kernel`, others do not look at it.
PointSet place_dots(const DotPlan& plan, const DotSplit& split, const StippleOptions& options,
                    Context& context);
// Dots of ink (class 0) beside what is covered and dots of paper (class 1) on it, each by
// themselves.
PointSet place_inverted(const DotPlan& plan, const InvertedDarks& darks,
                        const StippleOptions& options, Context& context);
// Radii, by tone; dots that are to keep apart do. Throws Error(usage)
// where they cannot.
void set_sizes(PointSet& dots, const DotPlan& plan, const StippleOptions& options,
               Context& context);

}  // namespace dapple::stippling
