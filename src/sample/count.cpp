// sample(), and exactly N points: N falls with the square of r and varies by less than 1 % between
// seeds, so a few secant steps on the logarithms find the scale of r that gives N or slightly more;
// the points that are nearest to another one go.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/kept.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

double expected_points(const DensityField& field, const SampleOptions& options) {
  return packing_constant(options.method, options.conflict) * field.integral();
}

// The scale at which the integral alone promises `count` points.
double first_scale(const DensityField& field, const SampleOptions& options, double count) {
  double scale = 1;
  for (int i = 0; i < 8; ++i) {
    const double expected = expected_points(i == 0 ? field : field.scaled(scale), options);
    const double step = std::sqrt(expected / count);
    scale *= step;
    if (std::abs(step - 1) < 1e-3) break;
  }
  return scale;
}

[[noreturn]] void cannot_hold(std::int64_t count, std::int64_t most) {
  throw Error(ErrorKind::limit, std::to_string(count) +
                                    " points cannot be placed: with its smallest radius the map "
                                    "holds about " +
                                    std::to_string(most) +
                                    "; allow a smaller --radius or ask for fewer points");
}

struct Pair {
  double ratio;
  std::int32_t a;
  std::int32_t b;
};

// Pairs of points that nearly conflict, the nearest first.
std::vector<Pair> close_pairs(const PointSet& points, ConflictRule rule) {
  const PointIndex index(points);
  std::vector<Pair> pairs;
  std::vector<Neighbour> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto a = static_cast<std::int32_t>(i);
    index.nearest(points[i], 4, found, a);
    for (const Neighbour& n : found) {
      const auto b = static_cast<std::size_t>(n.index);
      const double f = conflict_distance(rule, static_cast<double>(points.radius[i]),
                                         static_cast<double>(points.radius[b]));
      pairs.push_back({n.distance / f, a, n.index});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) {
    return p.ratio != q.ratio ? p.ratio < q.ratio : p.a != q.a ? p.a < q.a : p.b < q.b;
  });
  return pairs;
}

// Removes points until `count` are left: of the nearest pairs the one with the nearer second
// neighbour, because its place is the better covered by others.
void trim(PointSet& points, ConflictRule rule, std::size_t count) {
  if (points.size() <= count) return;
  std::vector<char> gone(points.size());
  std::size_t left = points.size();
  const std::vector<Pair> pairs = close_pairs(points, rule);
  std::vector<double> second(points.size(), 0.0);
  std::vector<char> seen(points.size());
  for (const Pair& pair : pairs) {  // ascending: the second visit is the second neighbour
    const auto a = static_cast<std::size_t>(pair.a);
    if (seen[a] == 1) second[a] = pair.ratio;
    seen[a] = static_cast<char>(std::min(2, seen[a] + 1));
  }
  for (const Pair& pair : pairs) {
    if (left == count) break;
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    if (gone[a] || gone[b]) continue;
    gone[second[b] < second[a] ? b : a] = 1;
    --left;
  }
  for (std::size_t i = points.size(); i-- > 0 && left > count;) {
    if (gone[i]) continue;
    gone[i] = 1;
    --left;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (gone[i]) continue;
    points.x[kept] = points.x[i];
    points.y[kept] = points.y[i];
    points.radius[kept] = points.radius[i];
    ++kept;
  }
  points.x.resize(kept);
  points.y.resize(kept);
  points.radius.resize(kept);
}

}  // namespace

Counted sample_counted(const DensityField& field, const SampleOptions& options, std::int64_t count,
                       Context& context) {
  if (options.method == SampleMethod::polished) {  // once, when the number is right
    SampleOptions raw = options;
    raw.method = SampleMethod::dense;
    Counted counted = sample_counted(field, raw, count, context);
    polish(counted.points, counted.field, options, context);
    return counted;
  }
  const auto wanted = static_cast<double>(count);
  context.require_memory(wanted * 90, "sampling " + std::to_string(count) + " points");
  const double beside =
      options.keep.points == nullptr ? 0 : static_cast<double>(options.keep.points->size());
  double scale = first_scale(field, options, wanted + beside);
  if (!keeps_distance(options.method)) {
    DensityField scaled = field.scaled(scale);
    PointSet points = sample_once(scaled, options, count, context);
    return {std::move(points), std::move(scaled)};
  }
  {
    const double most = expected_points(field.scaled(scale), options);
    if (most < 0.9 * wanted) cannot_hold(count, std::llround(most));
  }

  // Few points: their number jumps, but a try costs nothing.
  const int tries = count < 1000 ? 40 : 8;
  const auto slack = static_cast<std::int64_t>(std::max(0.0, 0.004 * wanted));
  std::optional<Counted> best;
  double enough = 0;  // largest scale known to give `count` points or more; 0: none yet
  double too_few = 0;
  std::int64_t most = 0;
  for (int i = 0; i < tries; ++i) {
    DensityField scaled = field.scaled(scale);
    PointSet points = sample_once(scaled, options, 0, context);
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
    const double aim = wanted + 0.4 * static_cast<double>(slack);
    double next = scale * std::sqrt(static_cast<double>(n) / aim);
    const bool bracketed = enough > 0 && too_few > enough;
    if (bracketed && !(next > enough && next < too_few)) next = std::sqrt(enough * too_few);
    if (next == scale) next *= 0.999;
    scale = next;
  }
  while (!best && scale > 1e-12) {  // noise kept every try just below
    scale *= 0.99;
    DensityField scaled = field.scaled(scale);
    PointSet points = sample_once(scaled, options, 0, context);
    const auto n = static_cast<std::int64_t>(points.size());
    if (n >= count) best = Counted{std::move(points), std::move(scaled)};
    if (n <= most && !best && expected_points(field.scaled(0.9 * scale), options) < wanted) {
      cannot_hold(count, most);
    }
    most = std::max(most, n);
  }
  if (!best) cannot_hold(count, most);
  trim(best->points, options.conflict, static_cast<std::size_t>(count));
  return std::move(*best);
}

namespace {

// The new points beside those of options.keep, which count where they are part of the result.
Counted counted_round(const PointSet& kept, const DensityField& field, const SampleOptions& options,
                      std::int64_t count, Context& context) {
  if (count == 0) return {sample_once(field, options, 0, context), field};
  const auto there = options.only_new ? 0 : static_cast<std::int64_t>(kept.size());
  if (count < there) {
    throw Error(ErrorKind::usage, "--count " + std::to_string(count) + " is less than the " +
                                      std::to_string(there) +
                                      " points of --keep, which are counted; --only-new leaves "
                                      "them out");
  }
  if (count > there) return sample_counted(field, options, count - there, context);
  PointSet none;
  none.domain = field.domain();
  return {std::move(none), field};
}

}  // namespace

PointSet sample(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context) {
  const PointSet kept = kept_points(field, options);
  check_kept(kept, field, options, context);
  Counted counted = counted_round(kept, field, options, count, context);
  if (options.certify) {
    const PointSet all = joined(kept_points(counted.field, options), counted.points);
    verify(all, counted.field, options.conflict, context, kept.size());
  }
  if (kept.empty() || options.only_new) return std::move(counted.points);
  return joined(kept_points(counted.field, options), counted.points);
}

}  // namespace dapple
