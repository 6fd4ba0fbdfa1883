// Computes the tone displays of the page: the histogram before levels, and the tone errors of the
// picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/runner.hpp"
#include "dapple/analyze.hpp"
#include "dapple/extend/options.hpp"
#include "studio/picture.hpp"

namespace dapple::studio {

// Returns an options struct with the values of the run's options of the same names.
template <class Options>
Options options_in(const app::Run& run) {
  Options options;
  OptionList list;
  describe(options, list);
  for (const auto& option : list) {
    const Option* const chosen = run.options.find(option->name);
    if (chosen == nullptr) continue;
    const std::string text = chosen->get();  // the run may have other defaults
    if (text != option->get()) option->set(text);
  }
  return options;
}

// Returns true if the run has levels of its photo: `black`, `white` and `gamma`.
bool has_levels(const app::Run& run);

// A histogram of the values that `black` and `white` act on, from 0 to 1, after preparing the
// photo.
class Histogram {
 public:
  static constexpr std::size_t bins = 128;
  // Recounts if an input of the histogram has changed, and then returns true. The counts are empty
  // if the run has no levels. Throws like target_density().
  bool update(const app::Run& run, const Image& photo, Context& context);
  const std::vector<std::size_t>& counts() const { return counts_; }

 private:
  std::vector<std::size_t> counts_;
  std::string of_ = "-";
};

// Dots and the darkness that they represent.
struct Toned {
  Points dots;
  Plane<float> darkness;
  Interpolation interpolation = Interpolation::smooth;
};
// Returns nothing if the result is not a stippling, or a stippling that is not measured.
std::optional<Toned> toned(const Result& result);

// Draws the error as in a report, with no side longer than `side`.
Frame frame_of(const ToneError& error, int side);

}  // namespace dapple::studio
