#include "relax/sequence/temporal_dots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/morton.hpp"
#include "field/blur.hpp"
#include "relax/sequence/motion.hpp"
#include "relax/smooth_step.hpp"
#include "relax/voronoi.hpp"

namespace dapple {
namespace {

constexpr double seen_over = 0.7;  // spacings over which the density around a dot is averaged
// Relative changes of density below which a dot cannot move, and above which it is free.
constexpr double unmoved_below = 0.02;
constexpr double free_above = 0.08;
// Motion is never known exactly. A dot that the picture moves by these shares of a spacing or more
// may settle unnoticed.
constexpr double carried_below = 0.02;
constexpr double carried_above = 0.25;
constexpr double free_when_carried = 0.25;
constexpr double stirred = 4;        // spacings around a dot that is new or has gone
constexpr double together = 5;       // spacings over which hardly free dots have no mean movement
constexpr int last_flows = 2;        // with more, dots fall behind in a pan
constexpr double last_share = 0.65;  // of the way, each time
// In a zoom dots come and go everywhere, so the tone is off everywhere.
constexpr double zoom_flows = 1200;  // additional flows per relative growth of the picture
constexpr int most_zoom_flows = 6;
constexpr double fewest_kept = 0.5;  // of the dots; below it the picture is another one

double spacing_of(const Points& dots) {
  return std::sqrt(dots.domain.area() / static_cast<double>(std::max<std::size_t>(1, dots.size())));
}

float read(const Plane<float>& plane, Vec2 p) {
  return plane(std::clamp(static_cast<int>(p.x), 0, plane.width() - 1),
               std::clamp(static_cast<int>(p.y), 0, plane.height() - 1));
}

// Returns the relative growth of the picture around a center, by least squares; below 0: it
// shrinks.
double growth_of(const Points& dots, const std::vector<Vec2>& ways) {
  const double one = 1 / static_cast<double>(dots.size());
  Vec2 middle;
  Vec2 mean;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    middle = middle + dots[i] * one;
    mean = mean + ways[i] * one;
  }
  double outwards = 0;
  double squares = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    outwards += dot(ways[i] - mean, dots[i] - middle);
    squares += length_squared(dots[i] - middle);
  }
  return squares > 0 ? outwards / squares : 0;
}

}  // namespace

const Points& TemporalDots::next(const Plane<float>& tone, const Plane<float>& density,
                                 std::int64_t count, Context& context) {
  const auto before = static_cast<std::int64_t>(dots_.size());
  lost_ = before;
  const bool first = tone_.empty();
  if (first || before == 0 || count == 0) {
    start(density, count, context);
  } else {
    carry(tone, context);
    const std::vector<Vec2> changed = recount(density, count, context);
    if (static_cast<double>(before - lost_) < fewest_kept * static_cast<double>(before)) {
      lost_ = before;
      start(density, count, context);
    } else {
      settle(density, changed, context);
    }
  }
  tone_ = tone;
  return dots_;
}

void TemporalDots::start(const Plane<float>& density, std::int64_t count, Context& context) {
  dots_ = Points();
  dots_.domain = domain_of(density);
  past_.clear();
  if (count == 0) return;
  dots_ = walk_dots(density, count, context);
  relax_kernel(dots_, density, options_, context);
  dots_.id.resize(dots_.size());
  std::iota(dots_.id.begin(), dots_.id.end(), next_id_);
  next_id_ += static_cast<std::int32_t>(dots_.size());
  const Plane<float> seen = gaussian_blurred(density, seen_over * spacing_of(dots_), context);
  for (std::size_t i = 0; i < dots_.size(); ++i) past_.push_back({read(seen, dots_[i]), 0});
}

// Moves dots with the picture. Dots that leave it are dropped.
void TemporalDots::carry(const Plane<float>& tone, Context& context) {
  const double spacing = spacing_of(dots_);
  const Motion motion(tone_, tone, spacing, context);
  Points carried;
  carried.domain = dots_.domain;
  std::vector<Past> past;
  std::vector<Vec2> ways;
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    const Vec2 way = motion.at(dots_[i]);
    const Vec2 p = dots_[i] + way;
    ways.push_back(way);
    if (!dots_.domain.contains(p)) continue;
    carried.add(p, 0);
    carried.id.push_back(dots_.id[i]);
    const double share = smooth_step(carried_below, carried_above, length(way) / spacing);
    past.push_back({past_[i].seen, static_cast<float>(free_when_carried * share)});
  }
  growth_ = growth_of(dots_, ways);
  dots_ = std::move(carried);
  past_ = std::move(past);
}

// Changes the number of dots to `count`. Returns where dots came or went.
std::vector<Vec2> TemporalDots::recount(const Plane<float>& density, std::int64_t count,
                                        Context& context) {
  RecountedDots made = recount_dots(dots_, density, count, growth_, context);
  std::vector<Vec2> changed;
  std::vector<Past> past;
  std::vector<std::uint8_t> stays(dots_.size(), 0);
  for (std::size_t i = 0; i < made.dots.size(); ++i) {
    if (made.from[i] < 0) {
      changed.push_back(made.dots[i]);
      made.dots.id.push_back(next_id_++);
      past.emplace_back();
      continue;
    }
    const auto k = static_cast<std::size_t>(made.from[i]);
    made.dots.id.push_back(dots_.id[k]);
    past.push_back(past_[k]);
    stays[k] = 1;
    --lost_;
  }
  for (std::size_t k = 0; k < dots_.size(); ++k) {
    if (stays[k] == 0) changed.push_back(dots_[k]);
  }
  // Consecutive dots must lie together.
  Points sorted;
  sorted.domain = dots_.domain;
  past_.clear();
  for (const std::uint32_t i : morton_order(made.dots.x, made.dots.y)) {
    sorted.append(made.dots, i);
    past_.push_back(past[i]);
  }
  dots_ = std::move(sorted);
  return changed;
}

// Removes the common movement of hardly free dots. Otherwise all dots would drift slowly to a
// border where new parts of the picture appear, and no new dots would come there.
void TemporalDots::stay_with_neighbors(const Points& before, const std::vector<float>& mobility,
                                       Context& context) {
  const double cell = 2 * spacing_of(before);
  const auto cells = [cell](double side) { return static_cast<int>(std::ceil(side / cell)); };
  std::array<Plane<float>, 3> sums;  // sums of ways in x and y, and their number
  for (Plane<float>& sum : sums) {
    sum = Plane<float>(cells(before.domain.width), cells(before.domain.height));
  }
  const auto cell_of = [&](std::size_t i) {
    return std::pair{static_cast<int>(before.x[i] / cell), static_cast<int>(before.y[i] / cell)};
  };
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    const auto [x, y] = cell_of(i);
    sums[0](x, y) += static_cast<float>(dots_.x[i] - before.x[i]);
    sums[1](x, y) += static_cast<float>(dots_.y[i] - before.y[i]);
    sums[2](x, y) += 1;
  }
  for (Plane<float>& sum : sums) sum = gaussian_blurred(sum, 0.5 * together, context);
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    if (!(mobility[i] > 0)) continue;
    const double bound = 1 - smooth_step(free_when_carried, 1, static_cast<double>(mobility[i]));
    const auto [x, y] = cell_of(i);
    const double share = bound / static_cast<double>(sums[2](x, y));
    const Vec2 p =
        dots_[i] -
        Vec2{static_cast<double>(sums[0](x, y)), static_cast<double>(sums[1](x, y))} * share;
    if (!dots_.domain.contains(p)) continue;
    dots_.x[i] = p.x;
    dots_.y[i] = p.y;
  }
}

// Restores the tone by moving dots that move anyway. Dots that lie still stay where they are.
void TemporalDots::even_moving(const Plane<float>& density, std::span<const float> mobility,
                               Context& context) {
  std::vector<float> moving(mobility.size());
  for (std::size_t i = 0; i < moving.size(); ++i) {
    moving[i] =
        static_cast<float>(smooth_step(0, free_when_carried, static_cast<double>(mobility[i])));
  }
  KernelOptions options = options_;
  options.mobility = moving;
  const int more = static_cast<int>(std::lround(zoom_flows * std::abs(growth_)));
  even_tone(dots_, density, options, last_flows + std::min(more, most_zoom_flows), last_share,
            context);
}

// Lets dots move where the picture has changed since they last moved.
void TemporalDots::settle(const Plane<float>& density, const std::vector<Vec2>& changed,
                          Context& context) {
  const double spacing = spacing_of(dots_);
  const Plane<float> round = gaussian_blurred(density, seen_over * spacing, context);
  // The limit ignores small changes where there are hardly any dots.
  const double least = 0.05 / (spacing * spacing);
  std::vector<float> mobility(dots_.size());
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    const auto is = static_cast<double>(read(round, dots_[i]));
    const auto was = static_cast<double>(past_[i].seen);
    const double change = std::abs(is - was) / std::max({is, was, least});
    const auto free = static_cast<float>(smooth_step(unmoved_below, free_above, change));
    mobility[i] = std::max(past_[i].carried, free);
  }
  const PointIndex index(dots_);
  std::vector<Neighbor> found;
  for (const Vec2 p : changed) {
    const double here = std::max(static_cast<double>(read(round, p)), least);
    const double reach = stirred / std::sqrt(here);
    index.within(p, reach, found);
    for (const Neighbor& dot : found) {
      float& free = mobility[static_cast<std::size_t>(dot.index)];
      free = std::max(free, static_cast<float>(1 - dot.distance / reach));
    }
  }
  KernelOptions options = options_;
  options.mobility = mobility;
  const Points before = dots_;
  relax_kernel(dots_, density, options, context);
  stay_with_neighbors(before, mobility, context);
  even_moving(density, mobility, context);
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    past_[i].seen += mobility[i] * (read(round, dots_[i]) - past_[i].seen);
  }
}

}  // namespace dapple
