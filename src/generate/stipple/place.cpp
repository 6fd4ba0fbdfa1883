#include "generate/stipple/place.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"
#include "field/resample.hpp"
#include "generate/stipple/gap.hpp"
#include "relax/ink_fit.hpp"
#include "relax/kernel/border_padding.hpp"
#include "relax/kernel/kernel.hpp"
#include "relax/voronoi.hpp"

namespace dapple::stippling {
namespace {

constexpr int voronoi_iterations = 50;
constexpr double narrowest_cut = 10;  // spacings

// Shrinks dots that touch, in proportion, until they do not. `reach`: in radii.
void shrink_touching(Points& dots, double reach) {
  const auto largest =
      static_cast<double>(*std::max_element(dots.radius.begin(), dots.radius.end()));
  const PointIndex index(dots);
  const std::vector<float> wanted = dots.radius;
  std::vector<Neighbor> found;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto own = static_cast<double>(wanted[i]);
    index.within(dots[i], reach * (own + largest), found);
    double factor = 1;
    for (const Neighbor& other : found) {
      const auto k = static_cast<std::size_t>(other.index);
      if (k == i) continue;
      factor = std::min(factor, other.distance / (reach * (own + static_cast<double>(wanted[k]))));
    }
    // A slightly smaller dot cannot touch by rounding.
    if (factor < 1) dots.radius[i] = static_cast<float>(own * factor * (1 - 1e-6));
  }
}

Points sampled_dots(const DotPlan& plan, Context& context) {
  const Domain domain = domain_of(plan.darkness);
  // Averages out detail finer than the dots, which cannot be drawn. Single light pixels would keep
  // dots away from their surroundings.
  const double total = sum_of(plan.darkness, context);
  const double spacing = std::sqrt(total / static_cast<double>(plan.count));  // at full darkness
  Plane<float> density = gaussian_blurred(plan.density, 0.45 * spacing, context);
  const double packing = packing_constant(SampleMethod::darts, ConflictRule::mean);
  constexpr double field_made = 0.2;
  const DensityField field = [&] {
    const auto part = context.part(0, field_made);
    return DensityField::from_density(std::move(density), domain, std::sqrt(packing), 1, 0, 0,
                                      context);
  }();
  SampleOptions darts;
  darts.settle = false;  // points that move apart carry tone with them
  const auto part = context.part(field_made, 1);
  darts.count = plan.count;
  Points dots = sample(domain, field, darts, context);
  dots.radii = nullptr;  // the dots move, and the field is as large as the picture
  return dots;
}

// The share by which sizes may leave their range. Without it, black and white would miss their
// tones.
constexpr double size_play = 0.03;
constexpr double most_without_overlap = 0.7;  // tone; discs held apart cover little more

// Returns the diameter of each dot, by the map of sizes or by its class.
std::vector<double> diameters_of(const Points& dots, const DotPlan& plan, Context& context) {
  const Random random(context.seed, stream_of("sizes"));
  std::vector<double> diameters(dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    diameters[i] = plan.steps.diameters.empty()
                       ? plan.diameter(bilinear(plan.tones, dots[i]))
                       : plan.steps.diameters[static_cast<std::size_t>(dots.class_id[i])] +
                             plan.steps.play * (2 * to_unit(random.at(i)) - 1);
  }
  return diameters;
}

// Corrects sizes slightly for the right tone, if sizes are not fixed.
void fit_sizes(Points& dots, const DotPlan& plan, const Plane<float>& ink, double spacing,
               Context& context) {
  std::vector<double> inks(dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    inks[i] = ink_of(plan, 2 * static_cast<double>(dots.radius[i]));
  }
  inks = fitted_inks(dots, inks, ink, spacing, context);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const double diameter = std::clamp(diameter_of(plan, inks[i]), plan.smallest * (1 - size_play),
                                       plan.largest * (1 + size_play));
    dots.radius[i] = static_cast<float>(0.5 * diameter);
  }
}

// Parts large dots that touch, if there is room. The spacing of dots of several sizes follows their
// number, so two large dots may touch.
void part_touching(Points& dots, const DotPlan& plan, const Plane<float>& ink, double spacing,
                   Context& context) {
  const Plane<float> tone = gaussian_blurred(ink, 0.5 * spacing, context);
  std::vector<double> rims;
  std::vector<char> held;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    rims.push_back(rim_of(plan, static_cast<double>(dots.radius[i])));
    held.push_back(bilinear(tone, dots[i]) < most_without_overlap ? 0 : 1);
  }
  part_where_light(dots, rims, held, context);
}

void set_various_sizes(Points& dots, const DotPlan& plan, Context& context) {
  const std::vector<double> diameters = diameters_of(dots, plan, context);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    dots.radius[i] = static_cast<float>(0.5 * diameters[i]);
  }
  const bool fixed = !plan.steps.diameters.empty() && plan.steps.play == 0;
  if (!plan.steps.diameters.empty()) dots.class_id.clear();
  Plane<float> ink = plan.darkness;
  for (float& d : ink.values()) d *= static_cast<float>(plan.inked);
  const double spacing =
      std::sqrt(static_cast<double>(ink.size()) / static_cast<double>(dots.size()));
  // Fixed sizes cannot restore the tone that moving dots apart costs.
  if (fixed) return;
  fit_sizes(dots, plan, ink, spacing, context);
  part_touching(dots, plan, ink, spacing, context);
  fit_sizes(dots, plan, ink, spacing, context);
}

Points kernel_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                   const StippleOptions& options, Context& context) {
  // A narrow picture would consist of its rim only.
  const double spacing =
      std::sqrt(static_cast<double>(density.size()) / static_cast<double>(count));
  const bool narrow = std::min(density.width(), density.height()) < narrowest_cut * spacing;
  if (narrow || options.frame == FrameEdge::fitted) {
    return relaxed_dots(density, count, split, kernel_options(options), context);
  }
  return cut_out_dots(density, count, split, kernel_options(options), context);
}

// Drafts with more dots are not relaxed, because that takes too long for interactive use.
constexpr std::int64_t most_relaxed = 40'000;

Points drafted_dots(const Plane<float>& density, std::int64_t count, const StippleOptions& options,
                    DraftStart& start, Context& context) {
  return draft_dots(density, count, {options.regularity}, start, context);
}

}  // namespace

KernelOptions kernel_options(const StippleOptions& options) {
  return {.regularity = options.regularity};
}

Points place_dots(const DotPlan& plan, const DotSplit& split, const StippleOptions& options,
                  Context& context) {
  Points dots;
  switch (options.method) {
    case StippleMethod::kernel:
      dots = kernel_dots(plan.density, plan.count, split, options, context);
      break;
    case StippleMethod::lbg: {
      const bool finds_number = options.dots == 0 && !options.dot_size.empty();
      dots = lbg_dots(plan.density, finds_number ? 0 : plan.count, context);
      break;
    }
    case StippleMethod::voronoi:
      dots = walk_dots(plan.density, plan.count, context);
      relax_voronoi(dots, plan.density, voronoi_iterations, context);
      break;
    case StippleMethod::poisson:
      dots = sampled_dots(plan, context);
      break;
  }
  return dots;
}

Points drafted_dots(const DotPlan& plan, const StippleOptions& options, DraftStarts& starts,
                    Context& context) {
  starts.paper = {};
  if (plan.count > most_relaxed) {
    Points dots = adjusted_dots(plan.density, plan.count, starts.ink, context);
    if (!dots.empty()) return dots;
    dots = sampled_dots(plan, context);
    starts.ink = start_from(dots, plan.density, context);
    return dots;
  }
  return drafted_dots(plan.density, plan.count, options, starts.ink, context);
}

Points place_inverted(const DotPlan& plan, const CoveredDarks& darks, const StippleOptions& options,
                      DraftStarts* drafted, Context& context) {
  Points dots;
  dots.domain = domain_of(plan.darkness);
  std::vector<std::int32_t> class_id;
  std::int64_t left = plan.count;
  for (const bool paper : {true, false}) {
    const Plane<float> density = made_of(plan.density, context, [&](std::size_t i) {
      const float share = darks.of_paper.values()[i];
      return plan.density.values()[i] * (paper ? share : 1 - share);
    });
    const double sum = sum_of(density, context);
    const std::int64_t count = paper ? std::min(left, std::int64_t{std::llround(sum)}) : left;
    left -= count;
    DraftStart* const start =
        drafted == nullptr ? nullptr : &(paper ? drafted->paper : drafted->ink);
    if (count == 0 || !(sum > 0)) {
      if (start != nullptr) *start = {};
      continue;
    }
    const Points own = start != nullptr ? drafted_dots(density, count, options, *start, context)
                                        : kernel_dots(density, count, {}, options, context);
    for (std::size_t i = 0; i < own.size(); ++i) dots.append(own, i);
    class_id.resize(dots.size(), paper ? 1 : 0);
  }
  dots.class_id = std::move(class_id);
  return dots;
}

void set_sizes(Points& dots, const DotPlan& plan, const StippleOptions& options, Context& context) {
  if (!plan.tones.empty()) return set_various_sizes(dots, plan, context);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const Plane<float>& tones = plan.asked.empty() ? plan.darkness : plan.asked;
    const float d = tones(static_cast<int>(dots.x[i]), static_cast<int>(dots.y[i]));
    dots.radius[i] = static_cast<float>(0.5 * plan.diameter(static_cast<double>(d)));
  }
  if (plan.asked.empty()) return;
  std::vector<double> rims;
  for (const float r : dots.radius) rims.push_back(rim_of(plan, static_cast<double>(r)));
  if (plan.fits && push_apart(dots, rims, plan.gap, context)) return;
  if (plan.gap > 0) {
    throw Error(ErrorKind::usage, std::to_string(dots.size()) + " dots could not be placed " +
                                      to_text(options.gap) +
                                      " apart: use fewer `dots`, or a smaller `gap`");
  }
  const bool filled = plan.shape == DotShape::disc || plan.shape == DotShape::spiral ||
                      (plan.shape == DotShape::outline && plan.pen <= 0);
  if (filled) shrink_touching(dots, plan.reach);
}

}  // namespace dapple::stippling
