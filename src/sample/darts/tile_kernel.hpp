// Visits tiles: throws darts and fills the gaps that they leave.
#pragma once

#include <span>

#include "sample/darts/gap_fill.hpp"
#include "sample/darts/tile_points.hpp"
#include "sample/regions/region_tiles.hpp"

namespace dapple {

template <class Field>
struct VisitJobOf {
  const TileSet& set;
  TilePoints& points;
  const Field& field;
  ConflictRule rule;
  std::uint64_t seed;
  int round = 0;     // of darts; a fill ignores it
  double darts = 0;  // per area of r^2, in a round
  // At jumps of the radius, coarse tiles go first. Tiles of this octave throw all their darts,
  // finer ones a few at the same time. `smooth`: visits the tiles that are at no jump.
  int octave = Tile::smooth;
};
using VisitJob = VisitJobOf<SafeField>;
using RegionJob = VisitJobOf<RegionTiles>;
// Visit tiles one after the other. Concurrent calls must not visit these tiles or their neighbors.
void throw_darts(const VisitJob& job, std::span<const std::uint32_t> tiles);
void fill_tiles(const VisitJob& job, std::span<const std::uint32_t> tiles);
// Throws darts at tiles of regions, or fills their gaps. The rule is capped_mean or mean.
void throw_darts(const RegionJob& job, std::span<const std::uint32_t> tiles);
void fill_tiles(const RegionJob& job, std::span<const std::uint32_t> tiles);

}  // namespace dapple
