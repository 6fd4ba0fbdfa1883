// Measures the result of an operation, as its row in the registry requires.
#include <algorithm>

#include "analyze/figures.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple {

std::optional<QualityReport> measure(const Result& result, Measured as, Context& context) {
  const DrawingMade* drawn = result.drawing();
  if (drawn != nullptr && std::any_of(drawn->drawing.layers.begin(), drawn->drawing.layers.end(),
                                      [](const Layer& layer) { return !layer.fills.empty(); })) {
    context.warn(
        "drawings with covered areas are not measured; leave `invert-darks` and `solid-blacks` out "
        "to get figures");
    return std::nullopt;
  }
  const bool there = as == Measured::points      ? result.points.has_value()
                     : as == Measured::stippling ? result.points.has_value() && drawn != nullptr
                     : as == Measured::mask      ? result.image() != nullptr
                                                 : true;
  if (!there)
    throw Error(ErrorKind::usage, "the result lacks the data to measure: points, dots or an image");
  switch (as) {
    case Measured::points:
      return analyze_points(result.points.value(), context);
    case Measured::stippling: {
      QualityReport report = analyze_stippling(result.points.value(), drawn->darkness, context,
                                               drawn->interpolation, drawn->unprepared);
      if (drawn->on_paper || drawn->drawing.pen > 0) add_paper_figures(drawn->drawing, report);
      return report;
    }
    case Measured::mask:
      return analyze_mask(result.image()->image, context);
    case Measured::nothing:
      break;
  }
  return std::nullopt;
}

}  // namespace dapple
