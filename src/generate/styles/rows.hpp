// Lays straight rows across a picture.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "generate/styles/style.hpp"

namespace dapple::styles {

// Calls draw(row, from, to) for rows about the request's spacing apart that cover its picture,
// `turns` from level, from one side to the other. Every second row runs back.
template <class Draw>
void each_row(const Request& request, double turns, const Draw& draw) {
  const Vec2 along = direction(turns);
  const Vec2 across{-along.y, along.x};
  const double width = request.control.width();
  const double height = request.control.height();
  const double wide = std::abs(width * across.x) + std::abs(height * across.y);
  const double half = 0.5 * (std::abs(width * along.x) + std::abs(height * along.y));
  const Vec2 middle{0.5 * width, 0.5 * height};
  // Rows fill the picture, so their spacing differs a little from that of the request.
  const int rows = std::max(1, static_cast<int>(std::lround(wide / request.spacing)));
  const double spacing = wide / rows;
  for (int row = 0; row < rows; ++row) {
    check_cancel(request);
    const Vec2 center = middle + across * ((row - 0.5 * (rows - 1)) * spacing);
    const Vec2 side = along * (row % 2 == 0 ? half : -half);
    draw(row, center - side, center + side);
  }
}

}  // namespace dapple::styles
