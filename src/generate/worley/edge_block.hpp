// Distances to the nearest border where cells are small and sites lie about evenly: block by block,
// no cell is cut out.
#pragma once

#include <cmath>
#include <vector>

#include "generate/worley/strip.hpp"

namespace dapple::cells {

// Pixels that float puts nearer to a border than this are computed in double, and are on it below
// on_border: these stay 0.
inline constexpr float doubtful_edge = 1e-4f;
inline constexpr double on_border = 1e-6;

// Distances of the tile's pixels to the nearest border; `sites` are those of the tile. Adds blocks
// to `open` that have a pixel for which this could not be told; they hold nothing of use.
void search_edge_blocks(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                        Band<float>& edges, std::vector<PixelBox>& open);

}  // namespace dapple::cells
