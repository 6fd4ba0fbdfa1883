// Where the border of a solid runs through the tiles of a room.
#pragma once

#include "sample/box_space/solid.hpp"
#include "sample/box_space/tiles.hpp"

namespace dapple::space {

class Border {
 public:
  Border(const Solid& solid, const Tiles<3>& tiles);

  const Solid& solid() const { return solid_; }
  // Faces that may cross places of a tile.
  std::span<const std::uint32_t> near(std::uint32_t tile) const {
    return std::span(faces_).subspan(first_[tile], first_[tile + 1] - first_[tile]);
  }
  // A box that is seen from the middle of a tile, in units, as the solid sees it: wider by more
  // than floats lose, so that what no face crosses is on one side with all that is taken for it.
  SolidBox box(std::uint32_t tile, const VecD<3>& middle, const VecD<3>& half) const;
  // Leaves out the parts of a block that are outside, and sets whether faces cross others; of
  // `faces` those that cross it are found.
  void clip(Block<3>& block, const SolidBox& box, std::span<const std::uint32_t> faces) const;

 private:
  const Solid& solid_;
  const Tiles<3>& tiles_;
  double margin_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> faces_;
};

}  // namespace dapple::space
