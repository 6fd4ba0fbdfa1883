// Visits to tiles: throwing darts and filling what they leave.
#pragma once

#include <span>

#include "sample/darts/gap_fill.hpp"
#include "sample/darts/tile_points.hpp"

namespace dapple {

struct VisitJob {
  const TileSet& set;
  TilePoints& points;
  const SafeField& field;
  ConflictRule rule;
  std::uint64_t seed;
  int round = 0;     // of darts; no matter for a fill
  double darts = 0;  // an area of r^2, in a round
  // Of tiles at jumps of the radius, coarse ones go first and fine ones throw a few darts while
  // they do: those of this octave all of theirs. `smooth`: the tiles that are at no jump.
  int octave = Tile::smooth;
};
// Visits tiles one after the other; none of them may be visited, or be a neighbor of one that is,
// at the same time.
void throw_darts(const VisitJob& job, std::span<const std::uint32_t> tiles);
void fill_tiles(const VisitJob& job, std::span<const std::uint32_t> tiles);

}  // namespace dapple
