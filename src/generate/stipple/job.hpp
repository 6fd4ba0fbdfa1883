// The job of the operation `stipple`, and one that makes drafts.
#pragma once

#include <optional>

#include "dapple/operation.hpp"
#include "dapple/stipple.hpp"
#include "generate/stipple/place.hpp"

namespace dapple::stippling {

// The darkness of a picture before its preparation; empty where that changes nothing. (stipple.cpp)
Plane<float> unprepared_darkness(const Image& image, const MapOptions& map,
                                 const StippleOptions& given, Context& context);
// stipple(), but that dots are placed by draft_dots(). Of `method kernel`, not progressive.
// (stipple.cpp)
Stippling draft(const Image& image, const MapOptions& field, const StippleOptions& options,
                DraftStarts& start, Context& context);

class StippleJob : public Job {
 public:
  StippleJob();
  void describe(OptionList& list) override;
  void settle_for_looking(const Image* input) override;
  Result run(const Image* input, Context& context) override;
  bool tiled() const override { return static_cast<bool>(options_.tiles); }
  void settle_units() override;

 protected:
  virtual Stippling make(const Image& image, Context& context);

  StippleOptions options_;
  MapOptions field_;

 private:
  std::optional<StippleSequence> sequence_;
};

// Stipplings to look at while their options change: a job of draft_operation().
class DraftJob final : public StippleJob {
 public:
  DraftStarts start{};  // of run(), which leaves there what the next may begin with

 protected:
  Stippling make(const Image& image, Context& context) override;
};

// The operation `stipple`, with its options and what it makes, as drafts.
const Operation& draft_operation();

}  // namespace dapple::stippling
