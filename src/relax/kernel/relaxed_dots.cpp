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
  KernelOptions with_parts = options;
  with_parts.parts = parts;
  relax_kernel(dots, density, with_parts, context);
  return dots;
}

}  // namespace dapple
