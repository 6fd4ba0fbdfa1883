#include "relax/kernel/draft_dots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "field/plane_sum.hpp"
#include "field/resample.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {
namespace {

constexpr double pixels_a_spacing = 2.2;
constexpr double worth_reducing = 1.3;  // a smaller factor costs more in reading than it saves
constexpr int steps = 8;
constexpr int few_steps = 4;
constexpr int steps_a_flow = 2;
constexpr std::int64_t many = 15'000;  // dots
constexpr double little = 0.1;         // share of dots that a small change adds
constexpr double most_unrelaxed = 0.3;

Plane<float> reduced(const Plane<float>& density, std::int64_t count, Context& context) {
  const double spacing =
      std::sqrt(static_cast<double>(density.size()) / static_cast<double>(count));
  const double times = spacing / pixels_a_spacing;
  if (times < worth_reducing) return density;
  const auto side = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels / times)));
  };
  Plane<float> smaller = resample(density, side(density.width()), side(density.height()), context);
  const double sum = sum_of(smaller);
  if (!(sum > 0)) return density;
  const auto unit = static_cast<float>(static_cast<double>(count) / sum);
  for (float& d : smaller.values()) d *= unit;
  return smaller;
}

// Returns the share of dots that the density adds to those of the start; 1 if the start has other
// pixels.
double added_share(const DraftStart& start, const Plane<float>& density) {
  const Plane<float>& before = start.density;
  if (before.width() != density.width() || before.height() != density.height()) return 1;
  double added = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    added += static_cast<double>(std::max(0.0f, density.values()[i] - before.values()[i]));
  }
  return added / static_cast<double>(start.dots.size());
}

// Returns the dots of a start on the raster of `density`.
Points on_raster_of(const Plane<float>& density, const DraftStart& start) {
  Points dots = start.dots;
  scale(dots, 1.0 * density.width() / start.density.width(),
        1.0 * density.height() / start.density.height());
  dots.domain = domain_of(density);
  return dots;
}

}  // namespace

Points adjusted_dots(const Plane<float>& density, std::int64_t count, DraftStart& start,
                     Context& context) {
  if (start.dots.empty()) return {};
  Plane<float> smaller = reduced(density, count, context);
  const double unrelaxed = start.unrelaxed + added_share(start, smaller);
  if (unrelaxed > most_unrelaxed) return {};
  Relaxation from(std::move(start.density), std::move(start.dots), {});
  from.set_density(std::move(smaller), count, context);
  start = {from.dots(), from.density(), unrelaxed};
  return on_raster_of(density, start);
}

DraftStart start_from(const Points& dots, const Plane<float>& density, Context& context) {
  DraftStart start{dots, reduced(density, static_cast<std::int64_t>(dots.size()), context)};
  scale(start.dots, 1.0 * start.density.width() / density.width(),
        1.0 * start.density.height() / density.height());
  start.dots.domain = domain_of(start.density);
  return start;
}

Points draft_dots(const Plane<float>& density, std::int64_t count, const RelaxationOptions& options,
                  DraftStart& start, Context& context) {
  Plane<float> smaller = reduced(density, count, context);
  const bool is_near = !start.dots.empty() && added_share(start, smaller) < little;
  Relaxation relaxation = [&] {
    if (start.dots.empty()) return Relaxation(std::move(smaller), count, options, context);
    Relaxation from(std::move(start.density), std::move(start.dots), options);
    from.set_density(std::move(smaller), count, context);
    return from;
  }();
  for (int left = (count > many ? few_steps : steps) / (is_near ? 2 : 1); left > 0;
       left -= steps_a_flow) {
    relaxation.step(steps_a_flow, context);
    relaxation.flow(context);
  }
  start = {relaxation.dots(), relaxation.density()};
  return on_raster_of(density, start);
}

}  // namespace dapple
