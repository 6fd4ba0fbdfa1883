#include "sample/trace/sampler_trace.hpp"

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/darts/traced_darts.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

using Kind = FillingStep::Kind;

// Records growth. A point is given up when the last of its tries in a row fails.
void record_growth(Filling& told, const DensityField& field, const SampleOptions& options,
                   Context& context) {
  told.grows = true;
  std::vector<Trial> trials;
  bridson(field, options, context, &trials);
  std::vector<std::uint32_t> points;  // index of each point in `places`
  int failed = 0;
  for (const Trial& trial : trials) {
    const std::uint32_t from =
        trial.of < 0 ? FillingStep::nowhere : points[static_cast<std::size_t>(trial.of)];
    const std::uint32_t place =
        told.tell(trial.stays ? Kind::placed : Kind::refused, trial.at, from);
    if (trial.stays) points.push_back(place);
    failed = trial.stays || trial.of < 0 ? 0 : failed + 1;
    if (failed < options.tries) continue;
    told.steps.push_back({Kind::given_up, from, from});
    failed = 0;
  }
}

void record_elimination(Filling& told, const DensityField& field, ConflictRule rule,
                        std::int64_t count, Context& context) {
  const Elimination thinned = eliminated(field, rule, count, context);
  for (std::size_t i = 0; i < thinned.all.size(); ++i) told.tell(Kind::placed, thinned.all[i]);
  told.together = told.steps.size();
  for (const std::uint32_t i : thinned.gone) told.steps.push_back({Kind::removed, i});
}

}  // namespace

bool is_told(SampleMethod method) {
  return method != SampleMethod::darts && method != SampleMethod::dense &&
         method != SampleMethod::polished;
}

Filling filling(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context) {
  if (!is_told(options.method)) {
    throw Error(ErrorKind::usage, "points of " + std::string(word_of(options.method)) +
                                      " are placed many at a time and have no order to show");
  }
  if (!field.is_constant())
    throw Error(ErrorKind::usage, "a filling can be shown only for one radius");
  const Domain& domain = field.domain();
  Filling told;
  told.domain = domain;
  told.radius = field.radius({0.5 * domain.width, 0.5 * domain.height});
  const double expected = packing_constant(options.method, options.conflict) * field.integral();
  switch (options.method) {
    case SampleMethod::bridson:
      context.require_memory(expected * 60 * (options.tries + 4.0), "recording all candidates");
      record_growth(told, field, options, context);
      break;
    case SampleMethod::dart_throwing:
      context.require_memory(expected * 2000, "recording all darts and squares");
      dart_throwing(field, options, context, nullptr, &told);
      break;
    case SampleMethod::elimination:
      record_elimination(told, field, options.conflict, count, context);
      break;
    default: {
      const Points points = sample_once(field, options, count, context);
      for (std::size_t i = 0; i < points.size(); ++i) told.tell(Kind::placed, points[i]);
    }
  }
  return told;
}

std::vector<std::size_t> filling_frames(const Filling& filling, int frames, bool from_empty) {
  // Collects the ends of beats; a beat ends after a step that is seen.
  std::vector<std::size_t> beats{0};
  for (std::size_t i = 0; i < filling.steps.size(); ++i) {
    const Kind kind = filling.steps[i].kind;
    const bool seen = kind != Kind::refused && kind != Kind::searched;
    if (seen && i + 1 >= filling.together) beats.push_back(i + 1);
  }
  const bool crowded = filling.together > 0 && beats.size() > 1;
  if (!from_empty && crowded) beats.erase(beats.begin());
  const int left_out = from_empty || crowded ? 0 : 1;  // frames before the first
  std::vector<std::size_t> ends;
  for (int f = 0; f < frames; ++f) {
    const auto last = static_cast<std::size_t>(std::max(1, frames - 1 + left_out));
    ends.push_back(beats[(beats.size() - 1) * static_cast<std::size_t>(f + left_out) / last]);
  }
  if (frames > 0) ends.back() = filling.steps.size();
  return ends;
}

}  // namespace dapple
