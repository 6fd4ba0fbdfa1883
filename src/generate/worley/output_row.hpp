// An output of a cell texture: how it is named, what it needs and how it is made.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/cells.hpp"

namespace dapple::cells {

class Texture;

// The searches that outputs need before they are made.
struct OutputNeeds {
  CellQuery cells;
  bool edges = false;
  bool corners = false;
  bool shapes = false;
  bool borders = false;  // of each cell, for gradients
  bool relief = false;   // Relief is asked for heights
  bool whole = false;    // some pixels need all others, or those of other rows

  // Straight borders and what follows from them exist for the Euclidean metric only.
  bool euclidean() const { return edges || corners || shapes; }
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
};

}  // namespace dapple::cells
