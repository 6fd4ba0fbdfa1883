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

}  // namespace

Points draft_dots(const Plane<float>& density, std::int64_t count, const RelaxationOptions& options,
                  DraftStart& start, Context& context) {
  Relaxation relaxation = [&] {
    if (start.dots.empty())
      return Relaxation(reduced(density, count, context), count, options, context);
    Relaxation from(std::move(start.density), std::move(start.dots), options);
    from.set_density(reduced(density, count, context), count, context);
    return from;
  }();
  for (int left = count > many ? few_steps : steps; left > 0; left -= steps_a_flow) {
    relaxation.step(steps_a_flow, context);
    relaxation.flow(context);
  }
  start = {relaxation.dots(), relaxation.density()};
  Points dots = relaxation.dots();
  const double wide = 1.0 * density.width() / start.density.width();
  const double high = 1.0 * density.height() / start.density.height();
  scale(dots, wide, high);
  dots.domain = domain_of(density);
  return dots;
}

}  // namespace dapple
