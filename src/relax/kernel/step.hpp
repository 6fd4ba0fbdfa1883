// One step of a block of dots under the kernels: the inner loop of the relaxation, for the widest
// vectors of the machine, with the same bits on all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dapple {

constexpr std::size_t block_dots = 16;

// Places are whole numbers of a unit far below what can be seen, so that a difference of two is
// exact and a block works in floats about its own center.
struct FixedPlaces {
  std::vector<std::int32_t> x, y;
  double unit = 1;  // pixels
};

// Dots that lie together and share a list of neighbors. Lanes of a block that is not full repeat
// its last dot.
struct DotBlock {
  using Lanes = std::array<float, block_dots>;
  std::int32_t center_x = 0;  // in units
  std::int32_t center_y = 0;
  std::vector<std::int32_t> seen;  // dots that some dot of the block feels
  // The dots felt through the mirrors of the borders: the dot, and which mirror.
  std::vector<std::int32_t> mirrored, mirror;
  Lanes spacing{};     // h, pixels
  Lanes scale{};       // of the exponent of the widest Gaussian: exp2(-scale d^2)
  Lanes pull[4]{};     // of the four Gaussians, widest last
  Lanes core_scale{};  // 1 / d^2 within which dots shun each other, pixels
  Lanes core{};        // how strongly
  Lanes gain{};        // from force to movement, in spacings a step
  Lanes frame{};       // how far beyond the frame the mirrors of the narrow kernel stand, pixels
  // The image term: force at (x, y), pixels from the center, and its derivatives.
  Lanes x{}, y{}, force_x{}, force_y{}, xx{}, xy{}, yy{};
  Lanes part_x{}, part_y{};          // the force within parts
  Lanes velocity_x{}, velocity_y{};  // spacings a step
  bool still = false;                // none of its dots may move
};

// A reflection p -> sign p + shift, in units.
struct FixedMirror {
  std::int32_t sign_x = 1, sign_y = 1;
  std::int32_t shift_x = 0, shift_y = 0;
};

struct StepRules {
  double momentum = 0;
  double speed_limit = 0;   // spacings a step
  std::int32_t last_x = 0;  // of the domain, in units
  std::int32_t last_y = 0;
  const FixedMirror* mirrors = nullptr;
  // How hard each dot pushes others, such as by its ink; nullptr: all alike.
  const float* masses = nullptr;
};

// Moves block number b one step, from `from` to `to`.
void step_block(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                FixedPlaces& to);

// How far the dots of a block see: squared, dot by dot; and the box round it that holds all of
// that.
struct Sight {
  DotBlock::Lanes far2{};                // pixels
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // of the dots, pixels from the center of the block
  float far = 0;
};

// Appends to `kept` the dots of whole blocks of `places`, seen through a mirror, that some dot of
// the block sees, in order. Dots from number `count` on are none.
void keep_near(const DotBlock& block, const Sight& sight, const FixedPlaces& places,
               const FixedMirror& mirror, const std::vector<std::int32_t>& blocks,
               std::size_t count, std::vector<std::int32_t>& kept);

}  // namespace dapple
