// Mixtures of all colors of a picture, of few that are worked out whole.
#pragma once

#include <array>
#include <vector>

#include "generate/dither/palette.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {

// Cells of a cube of roots of light, or of encoded values. At the corners of those that the picture
// meets, mixtures are of all colors of the palette; inside they are of the colors of the eight
// corners, each for its own color, so that means are as right as they would be. The metric is that
// of the cell's middle.
//
// What this costs: between corners with mixtures m_k, a color that is sum a_k corner_k could be
// mixed as sum a_k m_k, whose error of the mean is no more than the corners' (the distance to a
// convex hull is convex) and whose variance is that of the corners and the square of the cell's
// size; what is taken costs no more. It depends on the color and the palette alone.
class MixtureTable {
 public:
  // Refers to the mixer.
  MixtureTable(const Picture& picture, const palette::Mixer& mixer, Context& context);

  static constexpr std::size_t side = 32;
  static std::size_t cell_of(const std::array<float, 3>& rgb);
  // Of a color that the picture has. The mixture of another of its cell as `guess` makes it faster.
  palette::Mixture mix(const std::array<float, 3>& rgb, const palette::Mixture& guess) const;

 private:
  static constexpr std::size_t corners = side + 1;
  static constexpr std::size_t most = 32;  // of eight times four colors
  struct Cell {
    std::array<std::uint8_t, most> colors;
    int count = 0;  // of a cell without pixels
    palette::Metric metric;
  };
  static std::size_t along(float v);
  static std::size_t corner_of(std::size_t cell, std::size_t which);
  std::vector<bool> cells_met(const Picture& picture, Context& context) const;

  const palette::Mixer& mixer_;
  std::vector<Cell> cells_;
};

}  // namespace dapple::dithering
