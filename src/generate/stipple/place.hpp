// Places the dots of a stipple drawing and sets their sizes.
#pragma once

#include "generate/stipple/darks.hpp"
#include "generate/stipple/layout.hpp"
#include "relax/kernel/draft_dots.hpp"
#include "relax/kernel/relaxed_dots.hpp"

namespace dapple::stippling {

KernelOptions kernel_options(const StippleOptions& options);

// Returns plan.count dots of the plan's density, in its cells, by the method of the options. Only
// `kernel` uses `split`.
Points place_dots(const DotPlan& plan, const DotSplit& split, const StippleOptions& options,
                  Context& context);
// The starts of drafts: of all dots, or of the dots of ink and the dots of paper.
struct DraftStarts {
  DraftStart ink = {};
  DraftStart paper = {};

  std::size_t bytes() const { return ink.bytes() + paper.bytes(); }
};
// Returns a draft of the dots (draft_dots.hpp), in uncut pixels. Above 40,000 dots it is adjusted,
// or sampled after large changes.
Points drafted_dots(const DotPlan& plan, const StippleOptions& options, DraftStarts& starts,
                    Context& context);
// Returns dots of ink (class 0) beside the covered area and dots of paper (class 1) on it, placed
// separately. Makes drafts if `drafted` is set.
Points place_inverted(const DotPlan& plan, const CoveredDarks& darks, const StippleOptions& options,
                      DraftStarts* drafted, Context& context);
// Sets radii by tone, and holds dots apart if required. Throws Error(usage) if that is impossible.
void set_sizes(Points& dots, const DotPlan& plan, const StippleOptions& options, Context& context);

}  // namespace dapple::stippling
