// Compares parts of a face with discs along the surface. Paths within a face are straight, so its
// places are farther than the center of a part by at most their distance from it. No rays between
// windows are needed, and splitting ends as fast as with balls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample/geodesic/disc.hpp"
#include "sample/surface/block.hpp"

namespace dapple::geodesic {

// Distance, in radii, below which points conflict and places are covered. Candidates are those near
// in space, in floats that may err by 2e-6 (surface::near_radius).
constexpr double near_along = 1.000002;

// The centers of a block and of its parts, relative to the sides of the face.
class Parts {
 public:
  Parts(const Net& net, const surface::Piece& piece, const surface::Block& block);

  // Returns the live parts that the disc does not cover within `reach`; 0 if it covers the block.
  std::uint32_t uncovered(std::uint32_t live, const Disc& disc, double reach);

 private:
  static constexpr int whole = 32;  // the index of the block, after the bits of parts
  Seen seen(std::int32_t side, int bit);

  const Net& net_;
  std::int32_t face_;
  Vec3 corner_, u_, v_;  // of the block, in the unit of the frame
  double around_;        // radius of a ball around the center of a part that contains it
  std::array<std::array<Seen, whole + 1>, 3> seen_;
  std::array<std::uint64_t, 3> known_{};
};

}  // namespace dapple::geodesic
