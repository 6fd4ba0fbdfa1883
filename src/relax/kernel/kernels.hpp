// Derives two Gaussians, by which dots push each other, and the number of steps from a regularity.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dapple {

// The kernels that a regularity stands for.
struct Kernels {
  double narrow = 0;  // width in local spacings; the wide one is twice as wide
  double narrow_weight = 1;
  double wide_weight = 0;
  double core_force = 0;  // in largest curvatures
  double reach = 0;       // radius of the neighborhood, in local spacings
  int iterations = 0;
  double flow_cell = 0;    // in local spacings
  double frame_play = 0;   // largest shift of the mirrors at the frame, in local spacings
  double least_apart = 0;  // least distance, as a share of the hexagonal distance
  bool pure = false;

  // At regularity 0 there is only one kernel, and dots are as disordered as even dots can be.
  // Toward 1/4 it gets narrower, and a wide kernel takes over the tone. Above 1/4 longer runs let
  // crystals grow, and above 1/2 also a lighter wide kernel. `to_be_cut`: dots along the border are
  // cut away, so up to four steps fewer suffice and patches of lattice stay smaller.
  explicit Kernels(double regularity, bool to_be_cut) {
    const double both = std::min(1.0, 4 * regularity);
    const double longer = std::max(0.0, 4 * std::min(regularity, 0.5) - 1);
    const double order = std::max(0.0, 2 * regularity - 1);
    narrow = 0.82 - 0.37 * both - 0.05 * order;
    wide_weight = 16 * both * both * both - 12 * order;
    core_force = 0.05 * both;
    reach = std::clamp(3.6 * 2 * narrow, 3.0, 3.6);
    if (regularity == 0) reach = 3;
    const double more = to_be_cut ? 18 : 22;
    iterations =
        static_cast<int>(std::lround(68 - 34 * both + more * longer + (140 - more) * order));
    flow_cell = 3 - 1.4 * both;
    frame_play = 0.3 * both * both;
    least_apart = 0.705 + 0.02 * both;
    pure = regularity < 0.125;
  }

  // Returns the largest curvature of the energy of dots at density 1 under both kernels. The
  // curvature 2 pi w k^2 exp(-sigma^2 k^2 / 2) is largest at k^2 = 2 / sigma^2.
  double largest_curvature() const {
    return 4 * std::numbers::pi / std::numbers::e * (narrow_weight + wide_weight / 4) /
           (narrow * narrow);
  }
};

}  // namespace dapple
