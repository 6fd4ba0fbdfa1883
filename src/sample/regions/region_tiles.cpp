#include "sample/regions/region_tiles.hpp"

namespace dapple {
namespace {

// Side of the smallest parts of a tile that are cleared, in squares of its map.
constexpr int least_part = 4;

}  // namespace

void RegionTile::clear_outside(const Tile& tile, std::uint64_t* rows) const {
  if (has_border()) clear(tile, rows, 0, 0, 8 * tile.cells);
}

void RegionTile::clear(const Tile& tile, std::uint64_t* rows, int x, int y, int size) const {
  const double w = tile.cell_width / 8;
  const double h = tile.cell_height / 8;
  const Box box{tile.box.x0 + x * w, tile.box.y0 + y * h, tile.box.x0 + (x + size) * w,
                tile.box.y0 + (y + size) * h};
  if (uniform(box)) {
    if (contains(center(box))) return;
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - size) << x;
    for (int j = y; j < y + size; ++j) rows[j] &= ~bits;
  } else if (size > least_part) {
    const int half = size / 2;
    for (int part = 0; part < 4; ++part) {
      clear(tile, rows, x + (part & 1) * half, y + (part >> 1) * half, half);
    }
  }
}

}  // namespace dapple
