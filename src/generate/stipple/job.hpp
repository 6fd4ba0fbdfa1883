// Declares the job of the operation `stipple`, and a job that makes drafts.
#pragma once

#include <optional>

#include "dapple/extend/operation.hpp"
#include "dapple/stipple.hpp"
#include "generate/stipple/place.hpp"

namespace dapple::stippling {

// Returns the darkness before preparation, or empty if that changes nothing. (stipple.cpp)
Plane<float> unprepared_darkness(const Image& image, const MapOptions& map,
                                 const StippleOptions& given, Context& context);
// Makes a stippling whose dots draft_dots() places. Only for `method kernel`, not progressive.
// Reads tones from `reduced`, the image with fewer pixels, unless it is nullptr. (stipple.cpp)
Stippling draft(const Image& image, const MapOptions& field, const StippleOptions& options,
                DraftStarts& start, const Image* reduced, Context& context);

class StippleJob : public Job {
 public:
  StippleJob();
  void describe(OptionList& list) override;
  void settle_for_looking(const Image* input) override;
  Result run(const Image* input, Context& context) override;
  bool tiled() const override { return static_cast<bool>(options_.tiles); }
  bool plates() const override { return options_.plates; }
  bool has_points() const override { return options_.style == StippleStyle::dots; }
  void settle_units() override;

 protected:
  virtual Stippling make(const Image& image, Context& context);

  StippleOptions options_;
  PictureOptions field_;

 private:
  std::optional<StippleSequence> sequence_;
};

// Makes stipplings to look at while their options change, for draft_operation().
class DraftJob final : public StippleJob {
 public:
  DraftStarts start{};             // of run(), which writes the start of the next draft to it
  const Image* reduced = nullptr;  // the input of run() with fewer pixels, if any

 protected:
  Stippling make(const Image& image, Context& context) override;
};

// Returns the operation `stipple` with all of its options, but with drafts as results.
const Operation& draft_operation();

}  // namespace dapple::stippling
