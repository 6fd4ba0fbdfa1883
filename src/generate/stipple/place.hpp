// Where the dots of a stippling lie, and how large they are there.
#pragma once

#include "generate/stipple/darks.hpp"
#include "generate/stipple/layout.hpp"
#include "relax/kernel/draft_dots.hpp"
#include "relax/kernel/relaxed_dots.hpp"

namespace dapple::stippling {

KernelOptions kernel_options(const StippleOptions& options);

// plan.count dots of the plan's density, in its cells, by the method that is asked for. `split`: of
// `kernel`, others do not look at it.
PointSet place_dots(const DotPlan& plan, const DotSplit& split, const StippleOptions& options,
                    Context& context);
// What a draft may begin with: of all dots, or of those of ink and those of paper.
struct DraftStarts {
  DraftStart ink = {};
  DraftStart paper = {};

  std::size_t bytes() const { return ink.bytes() + paper.bytes(); }
};
// The same as drafts (draft_dots.hpp), in pixels that are not cut. Very many are thrown.
PointSet drafted_dots(const DotPlan& plan, const StippleOptions& options, DraftStarts& starts,
                      Context& context);
// Dots of ink (class 0) beside what is covered and dots of paper (class 1) on it, each by
// themselves; as drafts where there is what they begin with.
PointSet place_inverted(const DotPlan& plan, const InvertedDarks& darks,
                        const StippleOptions& options, DraftStarts* drafted, Context& context);
// Radii, by tone; dots that are to keep apart do. Throws Error(usage)
// where they cannot.
void set_sizes(PointSet& dots, const DotPlan& plan, const StippleOptions& options,
               Context& context);

}  // namespace dapple::stippling
