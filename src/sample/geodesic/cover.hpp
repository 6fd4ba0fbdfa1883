// Parts of a face against discs along the surface. A way within a face is no shorter than straight,
// so what is within some length of the middle of a part is at most that farther: no ray between
// windows needs to be known, and splitting ends as fast as with balls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample/geodesic/disc.hpp"
#include "sample/surface/block.hpp"

namespace dapple::paths {

// Radii within which points are near and places covered. Candidates are those near in space, by
// floats that may err by 2e-6 (surface::near_radius).
constexpr double near_along = 1.000002;

// The middles of a block and of its parts, as the sides of its face see them.
class Parts {
 public:
  Parts(const Net& net, const surface::Piece& piece, const surface::Block& block);

  // Of the live parts, those that the disc does not hold, nor all of them at once: within `reach`.
  std::uint32_t uncovered(std::uint32_t live, const Disc& disc, double reach);

 private:
  static constexpr int whole = 32;  // beside the bits of parts
  Seen seen(std::int32_t side, int bit);

  const Net& net_;
  std::int32_t face_;
  Vec3 corner_, u_, v_;  // of the block, in the unit of the frame
  double around_;        // a ball round the middle of a part
  std::array<std::array<Seen, whole + 1>, 3> seen_;
  std::array<std::uint64_t, 3> known_{};
};

}  // namespace dapple::paths
