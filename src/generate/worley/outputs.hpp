// What a cell texture can give: one row an output, and sums of distances.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/search.hpp"

namespace dapple::cells {

class Texture;

// The first of the lowest values and the last of the highest, of planes in the order of rows.
struct Extremes {
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();

  void add(const Plane<float>& plane) {
    const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
    if (*low < lowest) lowest = *low;
    if (*high >= highest) highest = *high;
  }
};
// Heights from 0 to 1.
void lift_heights(Plane<float>& heights, const Extremes& found);

// What is searched for before outputs are made.
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

// What 0 and full scale of an integer file stand for.
enum class Span {
  distance,         // from 0 (the lowest where that is below) to the highest, in pixels
  count,            // from 0 to the highest
  id,               // likewise, and a look's levels do not apply
  fraction,         // 0..1
  color,            // likewise, and levels do not apply
  position,         // the width or the height
  direction,        // -1..1
  way,              // pixels, as far to both sides of 0
  slope,            // likewise, a number
  packed_direction  // -1..1, stored as 0..1 already
};

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
std::span<const Output> output_rows();

// factor[0] F1 + factor[1] F2 + ...
struct DistanceSum {
  std::array<float, most_distances> factor{};
};
// f1 .. f8 with signs and factors: f2-f1, 2*f1-0.5f3.
std::optional<DistanceSum> parse_sum(std::string_view text);

// One output as it is asked for: a row, or a sum of distances.
struct AskedOutput {
  const Output* row = nullptr;  // none: the sum
  DistanceSum sum;
  std::vector<std::string> channels;  // their names
};
// Throws Error(usage) for unknown ones.
AskedOutput parse_output(const std::string& text);
std::vector<AskedOutput> parse_outputs(std::span<const std::string> texts);
// In metadata, before the name of a channel: what 0 and full scale of an integer file stand for.
inline const std::string scale_key = "dapple:scale.";

// Of all outputs that are asked for, which are those of the options. Throws Error(usage) for what
// does not go together.
OutputNeeds needs_of(std::span<const AskedOutput> outputs, const WorleyOptions& options);
inline OutputNeeds needs_of(const WorleyOptions& options) {
  return needs_of(parse_outputs(options.outputs), options);
}
// The span of a channel by its name.
Span span_of_channel(std::string_view name);
// The texture's image; what was searched for is moved out of the texture.
Image take_image(Texture& texture);

}  // namespace dapple::cells
