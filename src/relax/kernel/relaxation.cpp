#include "dapple/relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/morton.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "field/plane_sum.hpp"
#include "relax/kernel/kernel.hpp"
#include "relax/kernel/run.hpp"

namespace dapple {
namespace {

constexpr double most_change = 0.4;  // share of dots that may come or go; above it all may be new
constexpr double most_off = 0.01;    // largest relative error of the density's sum

void require_density(const Plane<float>& density, std::int64_t count) {
  if (density.empty()) throw Error(ErrorKind::usage, "a relaxation needs a density with pixels");
  if (count < 1) throw Error(ErrorKind::usage, "a relaxation needs at least 1 dot");
  for (const float d : density.values()) require_number("the density", static_cast<double>(d), 0);
  const double sum = sum_of(density);
  const auto wanted = static_cast<double>(count);
  if (std::abs(sum - wanted) <= std::max(1.0, most_off * wanted) && sum > 0) return;
  throw Error(ErrorKind::usage, "the density sums to " + std::to_string(sum) + ", not to about " +
                                    std::to_string(count) + " dots: scale it");
}

// Adds to `dots` the dots that stay. Leaves out `gone` dots, where the density decreased.
void keep_some(const Points& there, const Plane<float>& before, const Plane<float>& density,
               std::int64_t gone, Points& dots) {
  std::vector<double> shares(there.size());  // weight of each dot's removal
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto x = static_cast<int>(there.x[i]);
    const auto y = static_cast<int>(there.y[i]);
    const auto asked = static_cast<double>(before(x, y));
    const double less = asked - static_cast<double>(density(x, y));
    // Every dot has a small share, so that enough can go.
    shares[i] = 1e-6 + (asked > 0 ? std::max(0.0, less / asked) : 0);
    sum += shares[i];
  }
  // The remainder is carried along the curve.
  double over = 0;
  std::int64_t left = gone;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    over += shares[i] * static_cast<double>(gone) / sum;
    const bool must = left >= static_cast<std::int64_t>(shares.size() - i);
    if (left > 0 && (over >= 0.5 || must)) {
      over -= 1;
      --left;
    } else {
      dots.add(there[i], 0);
    }
  }
}

// Returns the dots for the changed density, or none if it changed too much.
Points changed(const Points& old, const Plane<float>& before, const Plane<float>& density,
               std::int64_t count, Context& context) {
  Points dots;
  if (before.width() != density.width() || before.height() != density.height()) return dots;
  Plane<float> more(density.width(), density.height());
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    more.values()[i] = std::max(0.0f, density.values()[i] - before.values()[i]);
    sum += static_cast<double>(more.values()[i]);
  }
  const auto there = static_cast<std::int64_t>(old.size());
  const std::int64_t come = std::max(std::int64_t{std::llround(sum)}, count - there);
  const std::int64_t gone = there + come - count;
  if (static_cast<double>(come + gone) > most_change * static_cast<double>(count)) return dots;
  Points mixed;
  keep_some(old, before, density, gone, mixed);
  if (come > 0 && sum > 0) {
    const Points fresh = walk_dots(more, come, context);
    for (std::size_t i = 0; i < fresh.size(); ++i) mixed.add(fresh[i], 0);
  }
  if (static_cast<std::int64_t>(mixed.size()) != count) return dots;
  dots.domain = domain_of(density);
  for (const std::uint32_t i : morton_order(mixed.x, mixed.y)) dots.add(mixed[i], 0);
  return dots;
}

}  // namespace

void describe(RelaxationOptions& options, OptionList& list) {
  list.add("regularity", options.regularity,
           "How regular the dots are: 0 organic, 0.5 even, 1 nearly hexagonal in areas of even "
           "density")
      .range(0, 1);
}

struct Relaxation::Run {
  KernelRun steps;

  Run(const Points& dots, const Plane<float>& density, const RelaxationOptions& options,
      Context& context)
      : steps(dots, density, {.regularity = options.regularity}, context) {}
};

Relaxation::Relaxation(Plane<float> density, std::int64_t count, const RelaxationOptions& options,
                       Context& context)
    : options_(options), density_(std::move(density)) {
  check(options_);
  require_density(density_, count);
  dots_ = walk_dots(density_, count, context);
}

Relaxation::Relaxation(Plane<float> density, Points dots, const RelaxationOptions& options)
    : options_(options), density_(std::move(density)) {
  check(options_);
  set_dots(std::move(dots));
}

Relaxation::~Relaxation() = default;
Relaxation::Relaxation(Relaxation&&) noexcept = default;
Relaxation& Relaxation::operator=(Relaxation&&) noexcept = default;

int Relaxation::steps_left() const {
  if (finished_ || dots_.size() < 2) return 0;
  return run_ ? run_->steps.steps_left() : Kernels(options_.regularity, false).iterations;
}

template <class Act>
void Relaxation::act(Context& context, const Act& act) {
  if (finished_ || dots_.size() < 2) return;
  if (!run_) run_ = std::make_unique<Run>(dots_, density_, options_, context);
  try {
    act(run_->steps);
  } catch (...) {
    run_->steps.read(dots_);
    throw;
  }
  run_->steps.read(dots_);
}

void Relaxation::step(int steps, Context& context) {
  act(context, [&](KernelRun& run) { run.steps(steps, context); });
}

void Relaxation::flow(Context& context) {
  act(context, [&](KernelRun& run) { run.flow(context); });
}

void Relaxation::finish(Context& context) {
  act(context, [&](KernelRun& run) { run.finish(context); });
  finished_ = true;
  run_.reset();
}

void Relaxation::set_dots(Points dots) {
  require_density(density_, static_cast<std::int64_t>(dots.size()));
  dots.domain = domain_of(density_);
  require_columns(dots);
  require_inside(dots);
  dots_ = std::move(dots);
  finished_ = false;
  run_.reset();
}

void Relaxation::set_density(Plane<float> density, std::int64_t count, Context& context) {
  require_density(density, count);
  Points dots = changed(dots_, density_, density, count, context);
  if (dots.empty()) dots = walk_dots(density, count, context);
  dots_ = std::move(dots);
  density_ = std::move(density);
  finished_ = false;
  run_.reset();
}

}  // namespace dapple
