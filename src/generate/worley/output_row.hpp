// Declares an output of a cell texture: its name, its needs and how it is made.
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

// The lowest and highest value of planes: the first of equal lowest, the last of equal highest.
// Planes are added in the order of rows.
struct Extremes {
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();

  bool known() const { return lowest <= highest; }
  void add(const Plane<float>& plane) {
    const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
    if (*low < lowest) lowest = *low;
    if (*high >= highest) highest = *high;
  }
  // For heights the range includes 0: F1 is 0 at the sites and other heights are 0 on the borders,
  // even if no pixel lies there.
  float low() const { return std::min(lowest, 0.0f); }
  float range() const { return std::max(highest, 0.0f) - low(); }
  float lifted(float height) const { return range() > 0 ? (height - low()) / range() : 0.0f; }
};

// The searches that outputs need before they are made.
struct OutputNeeds {
  CellQuery cells;
  bool edges = false;
  bool traced = false;  // from nearest sites, for metrics with curved borders
  bool corners = false;
  bool shapes = false;
  bool ranks = false;
  bool borders = false;  // borders of each cell, for gradients
  bool relief = false;   // some output uses Relief
  bool range = false;    // the range of heights, before outputs are made
  int planes = 0;        // temporary planes, beside the outputs' planes
  bool whole = false;    // some pixels need all pixels, or pixels of other rows

  // Returns true if an output needs straight borders, which only the Euclidean metric has.
  bool euclidean() const { return (edges && !traced) || corners || shapes; }
};

// The range that 0 and full scale of an integer file stand for.
enum class Span {
  distance,         // from 0, or the lowest value if below 0, to the highest, in pixels
  count,            // from 0 to the highest
  id,               // from 0 to the highest
  fraction,         // 0..1
  color,            // 0..1
  position,         // from 0 to the width or the height
  direction,        // -1..1
  way,              // pixels, as far below 0 as above
  slope,            // a number, as far below 0 as above
  packed_direction  // -1..1, stored as 0..1 already
};

// Returns true if levels, curve and inversion of a look apply to the span.
constexpr bool is_graded(Span span) {
  return span == Span::distance || span == Span::count || span == Span::fraction;
}

struct Output {
  std::string_view name;
  std::string_view parts;  // one letter per channel name.x, name.y; "": one channel
  Span span;
  std::string_view doc;
  void (*need)(const WorleyOptions& options, OutputNeeds& needs);
  // Either `make` returns all channels in order, or `searched` the plane that a search filled.
  std::vector<Plane<float>> (*make)(const Texture& texture);
  Plane<float>& (*searched)(Texture& texture) = nullptr;
  PixelType type = PixelType::u16;  // of an integer file that holds only this output
};
// factor[0] F1 + factor[1] F2 + ...
struct DistanceSum {
  std::array<float, most_distances> factor{};
};
// A requested output: a row, or a sum of distances.
struct AskedOutput {
  const Output* row = nullptr;  // nullptr: the output is `sum`
  DistanceSum sum;
  std::vector<std::string> channels;  // names of its channels

  PixelType type() const { return row ? row->type : PixelType::u16; }
};

}  // namespace dapple::cells
