// Fits points of a file to a picture.
#pragma once

#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

// The size of the picture that the points were made for. auto: the size in their file; without one,
// their coordinates are pixels if they fit, otherwise pixels of their bounding box. none: their
// coordinates are pixels, whatever the file says.
struct PointsSize {
  enum class Rule { automatic, none, size };
  Rule rule = Rule::automatic;
  Size size = {};  // pixels

  friend bool operator==(const PointsSize&, const PointsSize&) = default;
};
std::string to_text(const PointsSize& size);
void from_text(std::string_view text, PointsSize& size);

// Returns the points with a domain that covers a picture of `width` x `height` pixels. Warns if the
// domain has another size, so that points are scaled. Throws Error(input) for points outside it.
PointSet placed(const PointSet& points, const PointsSize& size, int width, int height,
                Context& context);

}  // namespace dapple
