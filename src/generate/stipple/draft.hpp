// Stipplings to look at while their options change.
#pragma once

#include "dapple/operation.hpp"
#include "dapple/stipple.hpp"
#include "relax/kernel/draft_dots.hpp"

namespace dapple::stippling {

// stipple(), but that dots are placed by draft_dots(). Of `method kernel`, neither progressive nor
// with inverted darks.
Stippling draft(const Image& image, const MapOptions& field, const StippleOptions& options,
                DraftStart& start, Context& context);

// A job of draft_operation().
class DraftJob final : public Job {
 public:
  DraftJob();
  void describe(OptionList& list) override;
  Result run(const Image* input, Context& context) override;

  DraftStart start{};  // of run(), which leaves there what the next may begin with

 private:
  StippleOptions options_;
  MapOptions field_;
};

// The operation `stipple`, with its options and what it makes, as drafts.
const Operation& draft_operation();

}  // namespace dapple::stippling
