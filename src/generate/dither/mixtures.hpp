// Shared by both ways to dither to a palette: rows of colors, and mixtures that are not worked out
// twice.
#pragma once

#include <bit>
#include <cmath>

#include "generate/dither/palette.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {

// Rows of wanted colors; gray is three equal channels.
class PictureRows {
 public:
  explicit PictureRows(const Picture& picture) : picture_(picture) {
    rows_.resize(static_cast<std::size_t>(picture.channels()),
                 std::vector<float>(static_cast<std::size_t>(picture.width())));
  }
  void read(int y) {
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      picture_.read_row(static_cast<int>(c), y, rows_[c].data());
    }
  }
  std::array<float, 3> at(int x) const {
    const auto i = static_cast<std::size_t>(x);
    if (rows_.size() == 1) return {rows_[0][i], rows_[0][i], rows_[0][i]};
    return {rows_[0][i], rows_[1][i], rows_[2][i]};
  }

 private:
  const Picture& picture_;
  std::vector<std::vector<float>> rows_;
};

// Mixtures of recent colors, by their exact values.
class Mixtures {
 public:
  Mixtures(const palette::Mixer& mixer, double strength)
      : mixer_(mixer), strength_(strength), slots_(slots) {}

  const palette::Mixture& of(const std::array<float, 3>& rgb) {
    std::uint64_t key = 0;
    for (const float v : rgb) key = key * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint32_t>(v);
    Slot& slot = slots_[((key * 0x9e3779b97f4a7c15ULL) >> 32) % slots];
    if (!slot.used || slot.rgb != rgb) {
      palette::Mixture& similar = similar_[cell(rgb)];
      similar = mixer_.mix({rgb[0], rgb[1], rgb[2]}, similar);
      slot = {true, rgb, similar};
      if (strength_ < 1) slot.mixture.weaken(strength_);
    }
    return slot.mixture;
  }

 private:
  static constexpr std::size_t slots = 4096;
  // By the first four bits of the roots.
  static std::size_t cell(const std::array<float, 3>& rgb) {
    std::size_t index = 0;
    for (const float v : rgb) {
      index = index * 16 + std::min<std::size_t>(15, static_cast<std::size_t>(std::sqrt(v) * 16));
    }
    return index;
  }
  struct Slot {
    bool used = false;
    std::array<float, 3> rgb{};
    palette::Mixture mixture;
  };
  const palette::Mixer& mixer_;
  double strength_;
  std::vector<Slot> slots_;
  // The last mixture of a similar color: mostly of the same parts.
  std::vector<palette::Mixture> similar_{slots};
};

}  // namespace dapple::dithering
