#include "relax/kernel/relaxed_dots.hpp"

#include <algorithm>
#include <cmath>

#include "relax/class_energy.hpp"
#include "relax/dot_classes.hpp"
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

constexpr double rim = 2;  // spacings of a first part

double from_frame(const Points& dots, std::size_t i) {
  return std::min(std::min(dots.x[i], dots.domain.width - dots.x[i]),
                  std::min(dots.y[i], dots.domain.height - dots.y[i]));
}

// Returns the dots of a round near the frame, by distance from the nearest other dot of `first`.
std::vector<std::pair<double, std::size_t>> of_rim(const Points& dots, const Points& first,
                                                   std::int32_t round) {
  const PointIndex index(first);
  const double deep = rim * std::sqrt(dots.domain.area() / static_cast<double>(first.size()));
  std::vector<std::pair<double, std::size_t>> found;
  std::vector<Neighbor> near;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (dots.class_id[i] != round || from_frame(dots, i) > deep) continue;
    index.nearest(dots[i], 2, near);
    // A dot of `first` is its own nearest neighbor.
    double distance = near.empty() ? 0 : near.front().distance;
    if (distance == 0 && near.size() > 1) distance = near.back().distance;
    found.emplace_back(distance, i);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

void complete_rounds(Points& dots) {
  if (dots.class_id.empty()) return;
  std::size_t wanted = dots.size();
  for (std::int32_t r = *std::max_element(dots.class_id.begin(), dots.class_id.end()) - 1; r >= 0;
       --r) {
    wanted /= 2;
    Points first;
    first.domain = dots.domain;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      if (dots.class_id[i] <= r) first.add(dots[i], 0);
    }
    if (first.size() == wanted || first.size() == 0) continue;
    const bool too_few = first.size() < wanted;
    std::vector<std::pair<double, std::size_t>> rim_dots = of_rim(dots, first, too_few ? r + 1 : r);
    // Removes the most crowded dots, or adds the dots that fill the largest gaps.
    if (too_few) std::reverse(rim_dots.begin(), rim_dots.end());
    const std::size_t off = too_few ? wanted - first.size() : first.size() - wanted;
    for (std::size_t k = 0; k < std::min(off, rim_dots.size()); ++k) {
      dots.class_id[rim_dots[k].second] = too_few ? r : r + 1;
    }
  }
}

InkOfDots::InkOfDots(const Points& dots, const Plane<float>& density, const DotSplit& split) {
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
  for (const std::int32_t c : dots.class_id) {
    masses_.push_back(split.inks[static_cast<std::size_t>(c)] * unit);
  }
}

KernelOptions InkOfDots::in(KernelOptions options) const {
  options.masses = masses_;
  if (!wanted_.empty()) options.wanted = &wanted_;
  return options;
}

Points relaxed_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                    const KernelOptions& options, Context& context) {
  Points dots = walk_dots(density, count, context);
  std::vector<DotPart> parts;
  if (split.shares.size() > 1) {
    dots.class_id = dot_classes(dots, shares_at(dots, split.shares), context);
    // With inks, dots make room for each other by their masses, so parts are not needed.
    if (split.inks.empty()) parts = parts_of_classes(dots.class_id, split.shares);
  } else if (split.rounds) {
    parts = first_parts(progressive_order(dots, context));
    dots.class_id = rounds_of(dots.size(), parts);
  }
  const InkOfDots ink(dots, density, split);
  KernelOptions with_parts = ink.in(options);
  with_parts.parts = parts;
  relax_kernel(dots, density, with_parts, context);
  return dots;
}

}  // namespace dapple
