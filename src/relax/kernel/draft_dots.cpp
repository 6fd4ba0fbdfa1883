#include "relax/kernel/draft_dots.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/morton.hpp"
#include "field/plane_sum.hpp"
#include "field/resample.hpp"
#include "relax/cut_pixels.hpp"

namespace dapple {
namespace {

constexpr double pixels_a_spacing = 2.2;
constexpr double worth_reducing = 1.3;  // less makes what is read finer than it saves
constexpr int steps = 8;
constexpr int few_steps = 4;
constexpr std::int64_t many = 15'000;  // dots
constexpr double most_change = 0.4;    // of all dots that come or go: else all may be new

Plane<float> reduced(const Plane<float>& density, std::int64_t count) {
  const double spacing =
      std::sqrt(static_cast<double>(density.size()) / static_cast<double>(count));
  const double times = spacing / pixels_a_spacing;
  if (times < worth_reducing) return density;
  const auto side = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels / times)));
  };
  Plane<float> smaller = resample(density, side(density.width()), side(density.height()));
  const double sum = sum_of(smaller);
  if (!(sum > 0)) return density;
  const auto unit = static_cast<float>(static_cast<double>(count) / sum);
  for (float& d : smaller.values()) d *= unit;
  return smaller;
}

// Dots of the start that stay, without so many of those where the density is less now.
void keep_some(const DraftStart& start, const Plane<float>& density, std::int64_t gone,
               PointSet& dots) {
  std::vector<double> shares(start.dots.size());  // of each that is to go
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto x = static_cast<int>(start.dots.x[i]);
    const auto y = static_cast<int>(start.dots.y[i]);
    const auto before = static_cast<double>(start.density(x, y));
    const double less = before - static_cast<double>(density(x, y));
    // All go a little, so that there are enough.
    shares[i] = 1e-6 + (before > 0 ? std::max(0.0, less / before) : 0);
    sum += shares[i];
  }
  // What is over is passed on along the curve.
  double over = 0;
  std::int64_t left = gone;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    over += shares[i] * static_cast<double>(gone) / sum;
    const bool must = left >= static_cast<std::int64_t>(shares.size() - i);
    if (left > 0 && (over >= 0.5 || must)) {
      over -= 1;
      --left;
    } else {
      dots.add(start.dots[i], 0);
    }
  }
}

// The start's dots as the density has changed; none where that is too much.
PointSet changed(const DraftStart& start, const Plane<float>& density, std::int64_t count,
                 Context& context) {
  PointSet dots;
  const Plane<float>& before = start.density;
  if (before.width() != density.width() || before.height() != density.height()) return dots;
  Plane<float> more(density.width(), density.height());
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    more.values()[i] = std::max(0.0f, density.values()[i] - before.values()[i]);
    sum += static_cast<double>(more.values()[i]);
  }
  const auto there = static_cast<std::int64_t>(start.dots.size());
  const std::int64_t come = std::max(std::int64_t{std::llround(sum)}, count - there);
  const std::int64_t gone = there + come - count;
  if (static_cast<double>(come + gone) > most_change * static_cast<double>(count)) return dots;
  PointSet mixed;
  keep_some(start, density, gone, mixed);
  if (come > 0 && sum > 0) {
    const PointSet fresh = walk_dots(more, come, context);
    for (std::size_t i = 0; i < fresh.size(); ++i) mixed.add(fresh[i], 0);
  }
  if (static_cast<std::int64_t>(mixed.size()) != count) return dots;
  dots.domain = {1.0 * density.width(), 1.0 * density.height(), false};
  for (const std::uint32_t i : morton_order(mixed.x, mixed.y)) dots.add(mixed[i], 0);
  return dots;
}

}  // namespace

PointSet draft_dots(const Plane<float>& density, std::int64_t count, const KernelOptions& options,
                    DraftStart& start, Context& context) {
  Plane<float> smaller = reduced(density, count);
  PointSet dots;
  if (!start.dots.empty()) dots = changed(start, smaller, count, context);
  if (dots.empty()) dots = walk_dots(smaller, count, context);
  KernelOptions quick = options;
  quick.quick_steps = count > many ? few_steps : steps;
  relax_kernel(dots, smaller, quick, context);
  start = {dots, std::move(smaller)};
  const double wide = 1.0 * density.width() / start.density.width();
  const double high = 1.0 * density.height() / start.density.height();
  scale(dots, wide, high);
  dots.domain = {1.0 * density.width(), 1.0 * density.height(), false};
  return dots;
}

}  // namespace dapple
