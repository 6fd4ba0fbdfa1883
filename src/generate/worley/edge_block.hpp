// Finds distances to the nearest border block by block, without cutting out cells. Suits small
// cells whose sites are spread about evenly.
#pragma once

#include <cmath>
#include <vector>

#include "generate/worley/nearest_bins.hpp"

namespace dapple::cells {

// A pixel that is nearer to a border than doubtful_edge in float is computed in double. If its
// distance is then at most on_border, the pixel lies on the border and stays 0.
inline constexpr float doubtful_edge = 1e-4f;
inline constexpr double on_border = 1e-6;

// Finds the distances of the tile's pixels to the nearest border; `sites` belong to the tile. Adds
// to `open` each block that has an undecided pixel; its results are invalid.
void search_edge_blocks(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                        Band<float>& edges, std::vector<PixelBox>& open);

}  // namespace dapple::cells
