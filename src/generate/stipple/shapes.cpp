#include "generate/stipple/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "field/blur.hpp"

namespace dapple::stippling {
namespace {

constexpr std::size_t directions = 96;  // less than 4 degrees apart, so that no steps show

// Returns the slope of a plane at a place, by differences across its pixel.
Vec2 slope_at(const Plane<float>& plane, Vec2 place) {
  const auto pixel = [](double v, int size) {
    return std::clamp(static_cast<int>(std::floor(v)), 0, size - 1);
  };
  const int x = pixel(place.x, plane.width());
  const int y = pixel(place.y, plane.height());
  const auto at = [&](int i, int j) {
    return static_cast<double>(
        plane(std::clamp(i, 0, plane.width() - 1), std::clamp(j, 0, plane.height() - 1)));
  };
  return {at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1)};
}

}  // namespace

std::vector<Outline> shapes_of(const StippleOptions& options) {
  const Outline& whole = *options.outline.outline;
  return options.each_path ? parts_of(whole) : std::vector{whole};
}

DotShapes choose_shapes(const Points& dots, const Plane<float>& darkness,
                        const StippleOptions& options, Context& context) {
  const std::vector<Outline> shapes = shapes_of(options);
  Plane<float> seen;
  if (options.turn == DotTurn::gradient) {
    const double spacing = std::sqrt(static_cast<double>(darkness.size()) /
                                     static_cast<double>(std::max<std::size_t>(1, dots.size())));
    seen = gaussian_blurred(darkness, std::max(1.0, 0.7 * spacing), context);
  }
  constexpr std::int32_t unknown = -1;
  std::vector<std::int32_t> place_of(shapes.size() * directions, unknown);
  DotShapes chosen;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto who = dots.id.empty() ? i : static_cast<std::size_t>(dots.id[i]);
    Random random(context.seed, stream_of("shapes of dots"), who);
    const std::size_t shape = random.below(static_cast<std::uint32_t>(shapes.size()));
    double turns = 0;
    if (options.turn == DotTurn::random) turns = random.uniform();
    if (options.turn == DotTurn::gradient) {
      // The angle from the top, (0, -1), clockwise, as y goes down.
      const Vec2 darker = slope_at(seen, dots[i]);
      if (darker.x != 0 || darker.y != 0) {
        turns = portable_angle(darker.x, -darker.y) / full_circle;
      }
    }
    // The angle is at least -directions / 2 steps, so the sum is positive.
    const auto steps = std::lround(turns * directions) + static_cast<long>(directions);
    const std::size_t direction = static_cast<std::size_t>(steps) % directions;
    std::int32_t& place = place_of[shape * directions + direction];
    if (place == unknown) {
      place = static_cast<std::int32_t>(chosen.outlines.size());
      const double part = static_cast<double>(direction) / directions;
      chosen.outlines.push_back(std::make_shared<const Outline>(
          direction == 0 ? shapes[shape] : turned(shapes[shape], part)));
    }
    chosen.of_dots.push_back(static_cast<std::uint16_t>(place));
  }
  return chosen;
}

}  // namespace dapple::stippling
