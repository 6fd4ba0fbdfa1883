// Why no window of fixed size is right: the fourth distance of a jittered lattice.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/worley.hpp"
#include "lattice_cells.hpp"

namespace dapple {
namespace {

TEST(WorleyLattice, ThreeByThreeSquaresAreNotEnough) {
  constexpr int across = 64, pixels = 8, side = across * pixels;
  const LatticeCells lattice(across, pixels);
  const Points sites = lattice.sites();
  WorleyOptions options;
  options.outputs = {"f1", "f4"};
  Context context;
  const Image image = worley(sites, side, side, options, context);
  int wrong_f4 = 0;
  std::vector<double> distance(sites.size());
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto seen =
          lattice.nearest<4>(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      const float f1 = image.channels[0](x, y);
      const float f4 = image.channels[1](x, y);
      // Sites that are not seen can only be nearer.
      ASSERT_GE(std::sqrt(seen[0]), f1 - 1e-4f);
      ASSERT_GE(std::sqrt(seen[3]), f4 - 1e-4f);
      if (std::sqrt(seen[3]) <= f4 + 1e-3f) continue;
      ++wrong_f4;
      for (std::size_t i = 0; i < sites.size(); ++i) {
        distance[i] = sites.domain.distance({x + 0.5, y + 0.5}, sites[i]);
      }
      std::nth_element(distance.begin(), distance.begin() + 3, distance.end());
      ASSERT_NEAR(static_cast<double>(f4), distance[3], 1e-4);
    }
  }
  const double percent = 100.0 / (side * side);
  EXPECT_GT(wrong_f4 * percent, 2.5);
  EXPECT_LT(wrong_f4 * percent, 3.5);
}

}  // namespace
}  // namespace dapple
