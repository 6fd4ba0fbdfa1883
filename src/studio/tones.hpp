// What the page shows of tones: those of the photo, which levels work on, and where the picture's
// are off.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/runner.hpp"
#include "dapple/analyze.hpp"
#include "dapple/options.hpp"
#include "studio/picture.hpp"

namespace dapple::studio {

// The options of a struct as a run has them, where it has such.
template <class Options>
Options options_in(const app::Run& run) {
  Options options;
  OptionList list;
  describe(options, list);
  for (const auto& option : list) {
    const Option* const chosen = run.options.find(option->name);
    if (chosen == nullptr) continue;
    const std::string text = chosen->get();  // an operation may have defaults of its own
    if (text != option->get()) option->set(text);
  }
  return options;
}

// Whether the run has levels of its photo: `black`, `white` and `gamma`.
bool has_levels(const app::Run& run);

// What `black` and `white` work on, from 0 to 1: how many pixels have each of so many values, after
// the photo's preparation.
class Histogram {
 public:
  static constexpr std::size_t bins = 128;
  // Empty where the run has no levels. It is counted anew where what it depends on has changed:
  // true. Throws as read_demand() does.
  bool update(const app::Run& run, const Image& photo, Context& context);
  const std::vector<std::size_t>& counts() const { return counts_; }

 private:
  std::vector<std::size_t> counts_;
  std::string of_ = "-";
};

// Dots, and the darkness that they stand for.
struct Toned {
  PointSet dots;
  Plane<float> darkness;
  Interpolation interpolation = Interpolation::smooth;
};
// None where the result is no stippling, or one that is not measured.
std::optional<Toned> toned(const Result& result);

// The error as the sheet of a report shows it, no side longer than that.
Frame frame_of(const ToneError& error, int side);

}  // namespace dapple::studio
