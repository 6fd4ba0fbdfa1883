#include "generate/stipple/sizes.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"

namespace dapple::stippling {
namespace {

constexpr double seen_over = 0.5;      // spacings; with less, inks of neighbors differ too much
constexpr double detail_over = 1;      // spacings over which detail is measured
constexpr double least_detail = 0.02;  // darkness; less counts as no detail
constexpr int random_classes = 6;

// Returns the standard deviation around each place.
Plane<float> detail(const Plane<float>& darkness, double spacing, Context& context) {
  const auto values = darkness.values();
  const Plane<float> squares =
      made_of(darkness, context, [&](std::size_t i) { return values[i] * values[i]; });
  const Plane<float> mean = gaussian_blurred(darkness, detail_over * spacing, context);
  Plane<float> found = gaussian_blurred(squares, detail_over * spacing, context);
  make_again(found, context, [&](std::size_t i) {
    const float m = mean.values()[i];
    return std::sqrt(std::max(0.0f, found.values()[i] - m * m));
  });
  return found;
}

// Returns the change of darkness over a spacing, at each place.
Plane<float> edges(const Plane<float>& darkness, double spacing, Context& context) {
  const Plane<float> smooth = gaussian_blurred(darkness, seen_over * spacing, context);
  const auto at = [&](int x, int y) {
    return smooth(std::clamp(x, 0, smooth.width() - 1), std::clamp(y, 0, smooth.height() - 1));
  };
  return made_of(smooth, context, [&](std::size_t i) {
    const int x = static_cast<int>(i) % smooth.width();
    const int y = static_cast<int>(i) / smooth.width();
    const float dx = at(x + 1, y) - at(x - 1, y);
    const float dy = at(x, y + 1) - at(x, y - 1);
    return static_cast<float>(0.5 * spacing) * std::sqrt(dx * dx + dy * dy);
  });
}

// Returns 1 where `of` is 0, down to 0 where it is large for this picture.
Plane<float> where_little(Plane<float> of, Context& context) {
  const auto values = of.values();
  double squares = 0;
  in_runs(of.size(), context, [&](std::size_t first, std::size_t end) {
    for (const float v : values.subspan(first, end - first)) {
      squares += static_cast<double>(v) * static_cast<double>(v);
    }
  });
  const double typical = std::sqrt(squares / static_cast<double>(of.size()));
  const auto much = static_cast<float>(std::max(least_detail, 2 * typical));
  make_again(of, context, [&](std::size_t i) { return 1 - std::min(1.0f, values[i] / much); });
  return of;
}

}  // namespace

Plane<float> size_map(const Plane<float>& darkness, DotSizeFrom from, double spacing,
                      Context& context) {
  const double seen = seen_over * spacing;
  switch (from) {
    case DotSizeFrom::tone:
      break;
    case DotSizeFrom::detail:
      return gaussian_blurred(where_little(detail(darkness, spacing, context), context), seen,
                              context);
    case DotSizeFrom::edges:
      return gaussian_blurred(where_little(edges(darkness, spacing, context), context), seen,
                              context);
    case DotSizeFrom::random:
      return {darkness.width(), darkness.height(), 0.5f};
  }
  return gaussian_blurred(darkness, seen, context);
}

SizeSteps SizeSteps::of(const StippleOptions& options, double smallest, double largest) {
  SizeSteps steps;
  steps.random = options.size_from == DotSizeFrom::random;
  const int asked = options.size_steps;
  if (smallest == largest || (asked == 0 && !steps.random)) return steps;
  const int classes = asked == 0 ? random_classes : asked;
  for (int k = 0; k < classes; ++k) {
    // Random sizes of a class lie around the middle of equal parts of the range.
    const double t = asked == 0 ? (k + 0.5) / classes : static_cast<double>(k) / (classes - 1);
    steps.diameters.push_back(smallest + (largest - smallest) * t);
  }
  if (asked == 0) steps.play = 0.5 * (largest - smallest) / classes;
  return steps;
}

double SizeSteps::share(std::size_t step, double t) const {
  const auto count = static_cast<double>(diameters.size());
  if (random) return 1 / count;
  const double at = std::clamp(t, 0.0, 1.0) * (count - 1);
  return std::max(0.0, 1 - std::abs(at - static_cast<double>(step)));
}

std::vector<Plane<float>> SizeSteps::shares(const Plane<float>& map, Context& context) const {
  std::vector<Plane<float>> shares;
  for (std::size_t k = 0; k < diameters.size(); ++k) {
    shares.push_back(made_of(map, context, [&](std::size_t i) {
      return static_cast<float>(share(k, static_cast<double>(map.values()[i])));
    }));
  }
  return shares;
}

void check_sizes(const StippleOptions& options, std::size_t inks) {
  const bool steps = options.size_steps != 0;
  const bool from = options.size_from != DotSizeFrom::tone;
  if (!steps && !from) return;
  const auto needs = [&](bool met, const std::string& what) {
    if (!met) throw Error(ErrorKind::usage, Problem{from ? "size-from" : "size-steps", what});
  };
  needs(options.size_steps != 1, "must be 0, or 2 to 16");
  const LengthRange& size = options.dot_size;
  needs(!size.empty() && to_text(size.min) != to_text(size.max),
        "needs dots of several sizes: give the smallest and the largest, such as `dot-size "
        "0.4mm:1.6mm`");
  needs(options.path == DotPath::none,
        "works only with dots, but `path tsp` draws a line: leave one of them out");
  needs(!options.no_overlap && options.gap.value == 0,
        "does not keep dots apart: leave `no-overlap` and `gap` out");
  needs(options.invert_darks == 1, "works only with dots of ink: leave `invert-darks` out");
  if (!steps && options.size_from != DotSizeFrom::random) return;
  needs(
      inks == 1,
      "spreads the dots of each size evenly, which works with only one ink: leave one of them out");
  needs(!options.progressive,
        "spreads the dots of each size evenly, but `progressive` spreads the first dots evenly: "
        "leave one of them out");
}

}  // namespace dapple::stippling
