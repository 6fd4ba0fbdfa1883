// Computes the mixtures of all colors of a picture from a few mixtures of the whole palette, and
// keeps recent ones, for both ways to dither to a palette.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "generate/dither/palette.hpp"
#include "generate/dither/parts.hpp"
#include "generate/dither/picture_rows.hpp"

namespace dapple::dithering {

// A table of the cells of a cube of roots of light, or of encoded values. At corners of cells that
// the picture meets, mixtures use all colors of the palette. Inside a cell, each color is mixed
// from the colors of the eight corners, so means stay as exact as with all. The metric belongs to
// the cell's center.
//
// The cost: let corners have mixtures m_k. A color sum a_k corner_k could be mixed as sum a_k m_k.
// The error of its mean is no more than the corners', as the distance to a convex hull is convex.
// Its variance is the corners' variance plus the squared size of the cell. The mixture used costs
// no more. It depends only on the color and the palette.
class MixtureTable {
 public:
  // Keeps a reference to the mixer.
  MixtureTable(const Picture& picture, const palette::Mixer& mixer, Context& context);

  static constexpr std::size_t side = 32;
  static std::size_t cell_of(const std::array<float, 3>& rgb);
  // Mixes a color of the picture. A mixture of another color in its cell as `guess` saves time.
  palette::Mixture mix(const std::array<float, 3>& rgb, const palette::Mixture& guess) const;

 private:
  static constexpr std::size_t corners = side + 1;
  static constexpr std::size_t most = 32;  // eight times four colors at most
  struct Cell {
    std::array<std::uint8_t, most> colors;
    int count = 0;  // 0 for a cell without pixels
    palette::Metric metric;
  };
  static std::size_t along(float v);
  static std::size_t corner_of(std::size_t cell, std::size_t which);
  std::vector<bool> cells_met(const Picture& picture, Context& context) const;

  const palette::Mixer& mixer_;
  std::vector<Cell> cells_;
};

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
