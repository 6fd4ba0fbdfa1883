// Holds the radii of regions that are divided into tiles, and the edges of each tile.
#pragma once

#include <vector>

#include "dapple/sample_options.hpp"
#include "sample/regions/region_shapes.hpp"

namespace dapple {

// The radii of regions, and the edges that cross each tile.
struct RegionTiles {
  const RegionShapes& shapes;
  std::vector<float> radius;            // of each region, without the safety factor
  std::vector<float> least_radius;      // down to which `radius` may fall later
  ConflictRule rule;                    // capped_mean or mean
  std::vector<std::uint32_t> region{};  // of each tile
  Lists<std::uint32_t> edges{};         // of each tile

  // Adds a tile, which is the next one.
  void add(std::size_t region, const Box& box);
};

}  // namespace dapple
