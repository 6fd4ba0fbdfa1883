// Implements sample(), and the search for exactly N points.
//
// N falls with the square of r and varies by less than 1 % between seeds. One or two secant steps
// on the logarithms thus find the scale of r for N points or slightly more. Surplus points are
// removed from the closest pairs. Darts then settle: they move apart a little, which closes the
// gaps. The closest pair then has `settled_spacing` of the distance in a hexagonal lattice. Without
// settling it has 0.777 (saturation).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/dense/trim.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

// Packing of points in progressive order, which is less dense.
constexpr double progressive_packing = 0.66;

bool grows(const SampleOptions& options) {
  return options.progressive && options.method == SampleMethod::darts;
}

double expected_points(const DensityField& field, const SampleOptions& options) {
  const double packing = grows(options) ? progressive_packing
                         : options.method == SampleMethod::darts && field.is_constant()
                             ? even_packing
                             : packing_constant(options.method, options.conflict);
  return packing * field.integral();
}

struct Scaled {
  double scale;
  DensityField field;
};

// Returns the scale at which only the integral predicts `count` points.
Scaled first_scale(const DensityField& field, const SampleOptions& options, double count,
                   Context& context) {
  Scaled result{1, field};
  for (int i = 0; i < 8; ++i) {
    const double step = std::sqrt(expected_points(result.field, options) / count);
    if (std::abs(step - 1) < 1e-3) break;
    result.scale *= step;
    context.check();
    result.field = field.scaled(result.scale);
  }
  return result;
}

[[noreturn]] void cannot_hold(std::int64_t count, std::int64_t most) {
  throw Error(ErrorKind::limit,
              std::to_string(count) +
                  " points cannot be placed: at the smallest radius the map holds only about " +
                  std::to_string(most) + "; use a smaller `radius` or fewer points");
}

}  // namespace

Counted sample_counted(const DensityField& field, const SampleOptions& options, std::int64_t count,
                       Context& context) {
  if (options.method == SampleMethod::polished) {  // polishes once, with the right number of points
    SampleOptions raw = options;
    raw.method = SampleMethod::dense;
    Counted counted = [&] {
      const auto part = context.part(0, 0.5);
      return sample_counted(field, raw, count, context);
    }();
    const auto part = context.part(0.5, 1);
    polish(counted.points, counted.field, options, context);
    return counted;
  }
  const auto wanted = static_cast<double>(count);
  context.require_memory(wanted * 90, "sampling " + std::to_string(count) + " points");
  const double beside =
      options.keep.points == nullptr ? 0 : static_cast<double>(options.keep.points->size());
  if (!keeps_distance(options.method)) {
    DensityField scaled = first_scale(field, options, wanted + beside, context).field;
    if (options.method == SampleMethod::elimination) {
      const double most = expected_points(scaled, options);
      if (most < 0.9 * wanted) cannot_hold(count, std::llround(most));
    }
    Points points = sample_once(scaled, options, count, context);
    return {std::move(points), std::move(scaled)};
  }

  // The number of few points jumps between tries, but a try is cheap.
  const int tries = count < 1000 ? 40 : 8;
  // Settling closes more gaps than trimming opens.
  const bool settles =
      options.method == SampleMethod::darts && options.settle && !options.progressive;
  const double excess = settles ? 0.025 : grows(options) ? 0.05 : 0.004;
  const auto slack = static_cast<std::int64_t>(excess * wanted);
  const double aim = wanted + 0.4 * static_cast<double>(slack);
  Scaled next = first_scale(field, options, aim + beside, context);
  {
    const double most = expected_points(next.field, options);
    if (most < 0.9 * wanted) cannot_hold(count, std::llround(most));
  }
  double scale = next.scale;
  std::optional<Counted> best;
  double enough = 0;  // largest scale known to give `count` points or more; 0: none yet
  double too_few = 0;
  std::int64_t most = 0;
  // The number of tries is unknown, mostly 1 or 2, so each gets half of the remaining progress.
  constexpr double first_half = 0.5;
  double left_to_try = first_half;
  for (int i = 0; i < tries; ++i) {
    const double from = first_half - left_to_try;
    left_to_try *= 0.5;
    const auto part = context.part(from, first_half - left_to_try);
    DensityField scaled = i == 0 ? std::move(next.field) : field.scaled(scale);
    Points points = sample_once(scaled, options, 0, context);
    const auto n = static_cast<std::int64_t>(points.size());
    most = std::max(most, n);
    if (n >= count) {
      enough = std::max(enough, scale);
      if (!best || n < static_cast<std::int64_t>(best->points.size())) {
        best = Counted{std::move(points), std::move(scaled)};
      }
      if (n - count <= slack) break;
    } else {
      too_few = too_few == 0 ? scale : std::min(too_few, scale);
    }
    double other = scale * std::sqrt(static_cast<double>(n) / aim);
    const bool bracketed = enough > 0 && too_few > enough;
    if (bracketed && !(other > enough && other < too_few)) other = std::sqrt(enough * too_few);
    if (other == scale) other *= 0.999;
    scale = other;
  }
  while (!best && scale > 1e-12) {  // noise kept every try just below
    const auto part = context.part(first_half - left_to_try, first_half);
    scale *= 0.99;
    DensityField scaled = field.scaled(scale);
    Points points = sample_once(scaled, options, 0, context);
    const auto n = static_cast<std::int64_t>(points.size());
    if (n >= count) best = Counted{std::move(points), std::move(scaled)};
    if (n <= most && !best && expected_points(field.scaled(0.9 * scale), options) < wanted) {
      cannot_hold(count, most);
    }
    most = std::max(most, n);
  }
  if (!best) cannot_hold(count, most);
  if (grows(options)) {  // the first points are a set of their own
    std::vector<std::uint32_t> first(static_cast<std::size_t>(count));
    std::iota(first.begin(), first.end(), 0U);
    best->points = picked(best->points, first);
    return std::move(*best);
  }
  // Neighbors come next to each other, which is faster here and for readers of the points.
  best->points = picked(best->points, morton_order(best->points.x, best->points.y));
  const auto left = static_cast<std::size_t>(count);
  const auto part = context.part(first_half, 1);
  if (settles) {
    settle(*best, kept_points(best->field, options), options.conflict, left, context);
  } else {
    trim(best->points, options.conflict, left, context);
  }
  return std::move(*best);
}

namespace {

// Returns the new points beside options.keep, which counts if it is part of the result.
Counted counted_around(const Points& kept, const DensityField& field, const SampleOptions& options,
                       std::int64_t count, Context& context) {
  if (count == 0) return {sample_once(field, options, 0, context), field};
  const auto there = options.only_new ? 0 : static_cast<std::int64_t>(kept.size());
  if (count < there) {
    throw Error(
        ErrorKind::usage,
        Problem{"count", std::to_string(count) + " is less than the " + std::to_string(there) +
                             " points of `keep`, which are counted; `only-new` leaves "
                             "them out"});
  }
  if (count > there) return sample_counted(field, options, count - there, context);
  Points none;
  none.domain = field.domain();
  return {std::move(none), field};
}

}  // namespace

Points spaces::sample_plane(const DensityField& field, const SampleOptions& options,
                            Context& context) {
  const std::int64_t count = options.count;
  if (count < 0) {
    throw Error(ErrorKind::usage,
                Problem{"count", "must be at least 0, not " + std::to_string(count)});
  }
  const auto stage = context.outermost("sample");
  const Points kept = kept_points(field, options);
  check_kept(kept, field, options, context);
  // A sequence is already in a progressive order.
  const bool ordered = options.method == SampleMethod::darts ||
                       options.method == SampleMethod::halton || options.method == SampleMethod::r2;
  const bool orders = options.progressive && !ordered;
  const double placed = orders ? 0.4 : options.certify ? 0.6 : 1;
  Counted counted = [&] {
    const auto part = context.part(0, placed);
    return counted_around(kept, field, options, count, context);
  }();
  context.progress(placed);
  const auto set_of = [&](Points fresh) {
    if (kept.empty()) return fresh;
    const Points there = kept_points(counted.field, options);
    Points all = options.only_new ? std::move(fresh) : joined(there, fresh);
    all.around = std::make_shared<const Points>(there);
    if (!options.only_new) all.fixed = there.size();
    return all;
  };
  counted.points.radii = std::make_shared<const Radii>(Radii{counted.field, options.conflict});
  if (options.certify && kept.empty()) verify(counted.points, context, count > 0);
  if (options.certify && !kept.empty()) verify(set_of(counted.points), context, count > 0);
  if (orders) {
    const auto part = context.part(0.6, 1);
    counted.points = in_progressive_order(counted.points, counted.field, options.conflict, context);
  }
  Points result = set_of(std::move(counted.points));
  if (options.progressive) rank_as_they_stand(result);
  context.progress(1);
  return result;
}

}  // namespace dapple
