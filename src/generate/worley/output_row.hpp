// An output of a cell texture: how it is named, what it needs and how it is made.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/cells.hpp"

namespace dapple::cells {

class Texture;

// The first of the lowest values and the last of the highest, of planes in the order of rows.
struct Extremes {
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();

  bool known() const { return lowest <= highest; }
  void add(const Plane<float>& plane) {
    const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
    if (*low < lowest) lowest = *low;
    if (*high >= highest) highest = *high;
  }
  // Of heights: F1 is 0 at the sites and the others are 0 on the borders, wherever pixels happen to
  // be.
  float low() const { return std::min(lowest, 0.0f); }
  float range() const { return std::max(highest, 0.0f) - low(); }
  float lifted(float height) const { return range() > 0 ? (height - low()) / range() : 0.0f; }
};

// The searches that outputs need before they are made.
struct OutputNeeds {
  CellQuery cells;
  bool edges = false;
  bool traced = false;  // edges by what is nearest, in metrics whose borders are not straight
  bool corners = false;
  bool shapes = false;
  bool ranks = false;
  bool borders = false;  // of each cell, for gradients
  bool relief = false;   // Relief is asked for heights
  bool range = false;    // that of heights, before outputs are made
  int planes = 0;        // while some outputs are made, beside their own
  bool whole = false;    // some pixels need all others, or those of other rows

  // Straight borders and what follows from them exist for the Euclidean metric only.
  bool euclidean() const { return (edges && !traced) || corners || shapes; }
};

// The range that 0 and full scale of an integer file stand for.
enum class Span {
  distance,         // from 0 (the lowest where that is below) to the highest, in pixels
  count,            // from 0 to the highest
  id,               // likewise
  fraction,         // 0..1
  color,            // likewise
  position,         // the width or the height
  direction,        // -1..1
  way,              // pixels, as far to both sides of 0
  slope,            // likewise, a number
  packed_direction  // -1..1, stored as 0..1 already
};

// Whether a look's levels and curve apply, and whether its black and white are swapped.
constexpr bool is_graded(Span span) {
  return span == Span::distance || span == Span::count || span == Span::fraction;
}

struct Output {
  std::string_view name;
  std::string_view parts;  // a letter each of the channels name.x, name.y; "": one channel
  Span span;
  std::string_view doc;
  void (*need)(const WorleyOptions& options, OutputNeeds& needs);
  // Either gives all channels, in order, or where the one that was searched for is.
  std::vector<Plane<float>> (*make)(const Texture& texture);
  Plane<float>& (*searched)(Texture& texture) = nullptr;
  PixelType type = PixelType::u16;  // of the numbers in an integer file of its own
};
// factor[0] F1 + factor[1] F2 + ...
struct DistanceSum {
  std::array<float, most_distances> factor{};
};
// One output as it is asked for: a row, or a sum of distances.
struct AskedOutput {
  const Output* row = nullptr;  // none: the sum
  DistanceSum sum;
  std::vector<std::string> channels;  // their names

  PixelType type() const { return row ? row->type : PixelType::u16; }
};

}  // namespace dapple::cells
