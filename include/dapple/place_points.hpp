// Points of a file brought to a picture.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

// How large a picture the points were made for. auto: as their file says; where it says nothing,
// they are pixels as they are, or, where they do not fit, of their bounding box. none: pixels as
// they are, whatever it says.
struct PointsSize {
  enum class Rule { automatic, none, size };
  Rule rule = Rule::automatic;
  Size size = {};  // pixels

  friend bool operator==(const PointsSize&, const PointsSize&) = default;
};
std::string to_text(const PointsSize& size);
void from_text(std::string_view text, PointsSize& size);

// The points with the domain that lies over a picture of this size, corner on corner. Warns where
// that is not as large, so that they are scaled. Throws Error(input) for points outside of it.
PointSet placed(const PointSet& points, const PointsSize& size, int width, int height,
                Context& context);

}  // namespace dapple
