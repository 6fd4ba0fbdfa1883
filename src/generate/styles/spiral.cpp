// Draws one spiral that swings where the picture is dark: `style spiral`.
//
// The spiral of Archimedes starts in the middle of the picture and reaches its corners; the pen is
// lifted beyond the frame. A turn is one spacing away from the turn before. Spirals of further inks
// have other middles, so that lines cross.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "generate/styles/wave.hpp"

namespace dapple::styles {
namespace {

constexpr double off_middle = 0.3;  // of the shorter side, for inks after the first

}  // namespace

Marks draw_spiral(const Request& request) {
  const double width = request.control.width();
  const double height = request.control.height();
  const double aside = request.ink > 0 ? off_middle * std::min(width, height) : 0;
  const Vec2 middle = Vec2{0.5 * width, 0.5 * height} + direction(request.ink) * aside;
  const double reach = length({0.5 * width, 0.5 * height}) + aside;
  // A spiral of n turns is as long as n circles of half of its radius, but for its first turn.
  const double way = std::numbers::pi * reach * reach / request.spacing;
  Marks marks;
  swing(
      request, {}, way, 0,
      [&](double along) {
        const double turns = std::sqrt(along / (std::numbers::pi * request.spacing));
        const Vec2 out = direction(turns);
        return Guide{middle + out * (turns * request.spacing), out};
      },
      marks);
  return marks;
}

}  // namespace dapple::styles
