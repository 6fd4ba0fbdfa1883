// What is searched for in a cell texture, and what the search finds.
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

  // The K of the farthest distance; 0: none.
  int farthest() const;
};

struct Cells {
  std::array<Band<float>, most_distances> distance;  // pixels; those asked for
  Band<std::int32_t> nearest;  // index of the nearest site, the lowest of equals
};

}  // namespace dapple::cells
