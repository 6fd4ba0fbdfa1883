// The image term of a block of dots: its spacing, its kernels, and how the picture pulls it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/constants.hpp"
#include "relax/density_stack.hpp"
#include "relax/kernel/step.hpp"

namespace dapple {

// The levels of a stack as vectors read them.
struct LevelTable {
  explicit LevelTable(const DensityStack& stack);
  const float* cells;
  std::int32_t first, last;  // levels
  std::vector<std::int32_t> offset, width, height;
  std::vector<float> per_pixel;  // cells
};

struct ImageRules {
  const LevelTable* table = nullptr;
  // What the picture asks for where dots push by their masses; nullptr: the same.
  const LevelTable* ink = nullptr;
  double smallest = 0;  // spacings, pixels
  double largest = 0;
  double narrow = 0;  // kernel width in local spacings; the wide one is twice as wide
  double narrow_weight = 0;
  double wide_weight = 0;
  // Dots push by Gaussians of just their width, and only the picture is read as a mixture of
  // levels: the same order at any spacing, at some cost in tone. Else both are the same mixture.
  bool pure = false;
  double edges = 0;  // how much kernels shrink across edges, 0..1
  double core = 0;   // distance within which dots shun each other, in local spacings
  double core_force = 0;
  double rate = 0;  // of the steps
};

// Measures the spacing of the dots of block number b, from the last value on in so many steps, and
// sets its kernels and its image term.
void look_at_image(std::size_t b, DotBlock& block, const ImageRules& rules,
                   const FixedPlaces& places, int measurings);

// Bit k: dot k of block number b has another nearer than `least` times the hexagonal distance of
// the density that it sees through a Gaussian of `seen_at` pixels.
std::uint32_t dots_too_near(std::size_t b, const DotBlock& block, const LevelTable& table,
                            double seen_at, double least, const FixedPlaces& places);

}  // namespace dapple
