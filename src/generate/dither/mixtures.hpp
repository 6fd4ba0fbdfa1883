// Keeps mixtures for both ways to dither to a palette, so that none is computed twice.
#pragma once

#include <bit>

#include "generate/dither/palette.hpp"
#include "generate/dither/picture_rows.hpp"
#include "generate/dither/table.hpp"

namespace dapple::dithering {

// The mixtures of recent colors, found by exact values.
class Mixtures {
 public:
  explicit Mixtures(const MixtureTable& table) : table_(table), slots_(slots) {}

  const palette::Mixture& of(const std::array<float, 3>& rgb) {
    std::uint64_t key = 0;
    for (const float v : rgb) key = key * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint32_t>(v);
    Slot& slot = slots_[((key * 0x9e3779b97f4a7c15ULL) >> 32) % slots];
    if (!slot.used || slot.rgb != rgb) {
      palette::Mixture& similar = similar_[MixtureTable::cell_of(rgb) % slots];
      similar = table_.mix(rgb, similar);
      slot = {true, rgb, similar};
    }
    return slot.mixture;
  }

 private:
  static constexpr std::size_t slots = 4096;
  struct Slot {
    bool used = false;
    std::array<float, 3> rgb{};
    palette::Mixture mixture;
  };
  const MixtureTable& table_;
  std::vector<Slot> slots_;
  // The last mixture in each cell. The next mixture in the cell mostly has the same parts.
  std::vector<palette::Mixture> similar_{slots};
};

}  // namespace dapple::dithering
