// Lays out the kernel of a search for voids for tiles.
#include "generate/mask/tiles.hpp"

namespace dapple::mask {

TileKernel::TileKernel(const Kernel& kernel) : shape_{} {
  const int reach = kernel.reach;
  shape_.reach = reach;
  shape_.columns = (2 * reach + tile_width - 1) / tile_width + 1;
  shape_.rows = (2 * reach + tile_height - 1) / tile_height + 1;
  shape_.height = (shape_.rows + 1) * tile_height - 1;
  numbers_.resize(static_cast<std::size_t>(shape_.columns) *
                  static_cast<std::size_t>(shape_.height) * tile_width * tile_width);
  for (int place = 0; place < tile_width; ++place) {
    for (int y = 0; y <= 2 * reach; ++y) {
      for (int x = 0; x <= 2 * reach; ++x) {
        const int lane = x + tile_width - 1 - place;
        const std::ptrdiff_t row = shape_.place_of(place + lane / tile_width * tile_width, y);
        // The kernel takes its middle pixel: a separate store would delay the loads of the row.
        const bool middle = x == reach && y == reach;
        numbers_[static_cast<std::size_t>(row + lane % tile_width)] =
            middle ? std::uint16_t{EnergyField::taken}
                   : static_cast<std::uint16_t>(kernel.at(x - reach, y - reach));
      }
    }
  }
}

TileWeights TileKernel::weights() const {
  TileWeights result = shape_;
  result.numbers = numbers_.data();
  return result;
}

}  // namespace dapple::mask
