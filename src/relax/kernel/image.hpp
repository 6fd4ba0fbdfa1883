// Computes the image term of a block of dots: spacing, kernels, and the pull of the picture.
#pragma once

#include <cstdint>
#include <vector>

#include "core/constants.hpp"
#include "relax/density_stack.hpp"
#include "relax/kernel/step.hpp"

namespace dapple {

// The levels of a DensityStack as arrays that vectors gather from.
struct LevelTable {
  explicit LevelTable(const DensityStack& stack);
  const float* cells;
  std::int32_t first, last;  // levels
  std::vector<std::int32_t> offset, width, height;
  std::vector<float> per_pixel;  // cells per pixel, of each level
};

struct ImageRules {
  const LevelTable* table = nullptr;
  // The ink that is wanted if dots push by their masses; nullptr: same as `table`.
  const LevelTable* ink = nullptr;
  double smallest = 0;  // smallest and largest spacing, pixels
  double largest = 0;
  double narrow = 0;  // kernel width in local spacings; the wide one is twice as wide
  double narrow_weight = 0;
  double wide_weight = 0;
  // Dots push by Gaussians of exactly their width; only the picture is a mixture of levels. The
  // order is then the same at any spacing, the tone less exact. Otherwise dots use mixtures too.
  bool pure = false;
  double core = 0;  // distance below which dots repel each other, in local spacings
  double core_force = 0;
  double rate = 0;  // factor of the steps
};

// Measures the spacing of the dots of block `b` and sets their kernels and image term. The
// measuring takes `measurings` iterations from the last value on.
void look_at_image(std::size_t b, DotBlock& block, const ImageRules& rules,
                   const FixedPlaces& places, int measurings);

// Returns a bit per dot of block `b`, set if another dot is too near. The limit is `least` times
// the hexagonal distance of the density, seen through a Gaussian of `seen_at` pixels.
std::uint32_t dots_too_near(std::size_t b, const DotBlock& block, const LevelTable& table,
                            double seen_at, double least, const FixedPlaces& places);

}  // namespace dapple
