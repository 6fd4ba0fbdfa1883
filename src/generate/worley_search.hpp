// The searches behind the cell textures: the nearest sites of every pixel and the distance to the
// nearest border between cells.
#pragma once

#include <array>

#include "dapple/worley.hpp"
#include "generate/worley_grid.hpp"

namespace dapple {

struct CellQuery {
  int distances = 1;  // F1 .. F3; at most as many as there are sites
  bool nearest = false;
  Metric metric = Metric::euclidean;
};

struct Cells {
  std::array<Plane<float>, 3> distance;  // pixels; those asked for
  Plane<std::int32_t> nearest;           // index of the nearest site, the lowest of equals
};

Cells search_cells(const SiteGrid& grid, const CellQuery& query, Context& context);

// Distance to the nearest border of the cells, Euclidean, from the first distance and the nearest
// sites of search_cells. On the torus a cell may border on its own image. Needs two distinct sites,
// or a torus.
Plane<float> search_edges(const SiteGrid& grid, const Cells& cells, Context& context);

}  // namespace dapple
