#include "relax/kernel/relaxed_dots.hpp"

#include "relax/dot_classes.hpp"
#include "relax/even_parts.hpp"
#include "relax/progressive_order.hpp"

namespace dapple {
namespace {

std::vector<std::int32_t> rounds_of(std::size_t dots, std::span<const DotPart> firsts) {
  std::vector<std::int32_t> round(dots, static_cast<std::int32_t>(firsts.size()));
  for (const DotPart& first : firsts) {
    for (const std::int32_t i : first.dots) --round[static_cast<std::size_t>(i)];
  }
  return round;
}

}  // namespace

InkOfDots::InkOfDots(const PointSet& dots, const Plane<float>& density, const DotSplit& split) {
  if (split.inks.empty()) return;
  wanted_ = Plane<float>(density.width(), density.height());
  double ink = 0;
  double number = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    float mean = 0;
    for (std::size_t c = 0; c < split.inks.size(); ++c) {
      mean += split.inks[c] * split.shares[c].values()[i];
    }
    wanted_.values()[i] = density.values()[i] * mean;
    ink += static_cast<double>(wanted_.values()[i]);
    number += static_cast<double>(density.values()[i]);
  }
  const auto unit = static_cast<float>(number / ink);
  for (float& w : wanted_.values()) w *= unit;
  for (const std::int32_t c : dots.klass) {
    masses_.push_back(split.inks[static_cast<std::size_t>(c)] * unit);
  }
}

KernelOptions InkOfDots::in(KernelOptions options) const {
  options.masses = masses_;
  if (!wanted_.empty()) options.wanted = &wanted_;
  return options;
}

PointSet relaxed_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                      const KernelOptions& options, Context& context) {
  PointSet dots = walk_dots(density, count, context);
  std::vector<DotPart> parts;
  if (split.shares.size() > 1) {
    dots.klass = dot_classes(dots, shares_at(dots, split.shares), context);
    parts = parts_of_classes(dots.klass, split.shares);
  } else if (split.rounds) {
    parts = first_parts(progressive_order(dots, context));
    dots.klass = rounds_of(dots.size(), parts);
  }
  const InkOfDots ink(dots, density, split);
  KernelOptions with_parts = ink.in(options);
  with_parts.parts = parts;
  relax_kernel(dots, density, with_parts, context);
  return dots;
}

}  // namespace dapple
