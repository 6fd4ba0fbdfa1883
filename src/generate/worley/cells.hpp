// Declares the query and the result of a search in a cell texture.
#pragma once

#include <array>
#include <cstdint>

#include "dapple/worley.hpp"
#include "generate/worley/tile.hpp"

namespace dapple::cells {

inline constexpr std::size_t most_distances = 8;

struct CellQuery {
  std::array<bool, most_distances> distances{};  // F1, F2, ...; not beyond the number of sites
  bool nearest = false;
  Metric metric;

  // Returns the K of the farthest distance, or 0 if the query has none.
  int farthest() const;
};

struct Cells {
  std::array<Band<float>, most_distances> distance;  // in pixels; empty if not requested
  Band<std::int32_t> nearest;  // index of the nearest site, the lowest in a tie
};

}  // namespace dapple::cells
