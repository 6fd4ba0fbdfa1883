// Finds the faces of a solid that cross the tiles and blocks of a domain.
#pragma once

#include "core/lists.hpp"
#include "sample/box_space/solid.hpp"
#include "sample/box_space/tiles.hpp"

namespace dapple::box_space {

class Border {
 public:
  Border(const Solid& solid, const Tiles<3>& tiles);

  const Solid& solid() const { return solid_; }
  // Returns the faces that may cross a tile.
  std::span<const std::uint32_t> near(std::uint32_t tile) const { return faces_.of(tile); }
  // Converts a box relative to the center of a tile, in units, to a box of the solid. Adds a margin
  // above the error of floats: if no face crosses the result, all of the box is on one side.
  SolidBox box(std::uint32_t tile, const VecD<3>& middle, const VecD<3>& half) const;
  // Drops the parts of a block that are outside. Sets whether faces cross the other parts. `faces`
  // must include all faces that cross the block.
  void clip(Block<3>& block, const SolidBox& box, std::span<const std::uint32_t> faces) const;

 private:
  const Solid& solid_;
  const Tiles<3>& tiles_;
  double margin_;
  Lists<std::uint32_t> faces_;  // of each tile
};

}  // namespace dapple::box_space
