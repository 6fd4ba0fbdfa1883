// Makes one step of a block of dots under the kernels. This inner loop of the relaxation uses the
// widest vectors of the machine and makes the same bits on all machines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dapple {

constexpr std::size_t block_dots = 16;

// Places are whole numbers of a unit far below anything visible. So differences are exact, and a
// block works in floats around its own center.
struct FixedPlaces {
  std::vector<std::int32_t> x, y;
  double unit = 1;  // pixels
};

// Dots that lie together and share a list of neighbors. In a block that is not full, the last dot
// fills the remaining lanes.
struct DotBlock {
  using Lanes = std::array<float, block_dots>;
  std::int32_t center_x = 0;  // in units
  std::int32_t center_y = 0;
  // Dots that any dot of the block feels, nearest first: up to `core_count` with all forces, up to
  // `narrow_count` with all but the core's, the rest only through the wide kernel.
  std::vector<std::int32_t> seen;
  std::size_t core_count = 0, narrow_count = 0;
  // The dots felt through the mirrors of the borders, and the mirror of each.
  std::vector<std::int32_t> mirrored, mirror;
  Lanes spacing{};     // h, pixels
  Lanes scale{};       // exponent of the widest Gaussian: exp2(-scale d^2)
  Lanes pull[4]{};     // factors of the four Gaussians, the widest last
  Lanes core_scale{};  // 1 / d^2 of the distance d below which dots repel each other, pixels
  Lanes core{};        // strength of that repulsion
  Lanes gain{};        // from force to movement, in spacings per step
  Lanes frame{};       // distance of the narrow kernel's mirrors beyond the frame, pixels
  // The image term: force at (x, y), pixels from the center, and its derivatives.
  Lanes x{}, y{}, force_x{}, force_y{}, xx{}, xy{}, yy{};
  Lanes part_x{}, part_y{};          // the force within parts
  Lanes velocity_x{}, velocity_y{};  // spacings per step
  bool still = false;                // true: none of its dots may move
};

// A reflection p -> sign p + shift, in units.
struct FixedMirror {
  std::int32_t sign_x = 1, sign_y = 1;
  std::int32_t shift_x = 0, shift_y = 0;
};

struct StepRules {
  double momentum = 0;
  double speed_limit = 0;   // spacings per step
  std::int32_t last_x = 0;  // largest coordinates in the domain, in units
  std::int32_t last_y = 0;
  const FixedMirror* mirrors = nullptr;
  // The force with which each dot pushes others, such as its ink; nullptr: all alike.
  const float* masses = nullptr;
};

// Moves block `b` one step, from `from` to `to`.
void step_block(std::size_t b, DotBlock& block, const StepRules& rules, const FixedPlaces& from,
                FixedPlaces& to);

// The reach of the dots of a block, the box of the dots, and the largest reach.
struct Sight {
  DotBlock::Lanes inverse_far2{};        // 1 / square of the reach of each dot, pixels
  float core2 = 1, narrow2 = 1;          // squares of the reach of these forces, in reaches
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // box of the dots, pixels from the center of the block
  float far = 0;
};

// Dots by the forces that reach from them to a block (DotBlock::seen).
struct DotsByDistance {
  struct List {
    std::vector<std::int32_t> dots;
    std::size_t count = 0;  // of the dots in use
  };
  List core, narrow, wide;

  // Empties the lists and makes room for `most` dots in each, and for a dot that is not kept.
  void clear(std::size_t most) {
    for (List* list : {&core, &narrow, &wide}) {
      if (list->dots.size() <= most) list->dots.resize(2 * most + 1);
      list->count = 0;
    }
  }
};

// Sets `kept` to the dots of `blocks`, in order, seen through a mirror, that any dot of the block
// sees. Indices from `count` on are not dots.
void keep_near(const DotBlock& block, const Sight& sight, const FixedPlaces& places,
               const FixedMirror& mirror, const std::vector<std::int32_t>& blocks,
               std::size_t count, DotsByDistance& kept);

}  // namespace dapple
