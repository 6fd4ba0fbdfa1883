// Leaves memory for points untouched until there are any, and squares until the first visit.
#include "sample/darts/tile_points.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"

namespace dapple {

std::size_t TilePoints::add(const Tile& tile, std::size_t index, Place place, float r) {
  const std::size_t n = count_[index]++;
  if (n >= tile.capacity) {
    throw Error(ErrorKind::internal, "a tile of the sampler holds more points than possible");
  }
  const std::size_t at = tile.first + n;
  Chunk& to = chunks_[at / chunk];
  const std::size_t k = at % chunk;
  if (k == 0) to = {};  // radius 0: no point
  to.u[k] = place.u;
  to.v[k] = place.v;
  to.r[k] = r;
  return at;
}

void TilePoints::remove(const Tile& tile, std::size_t index, std::uint32_t n) {
  const std::size_t at = tile.first + n;
  const std::size_t last = tile.first + --count_[index];
  Chunk& from = chunks_[last / chunk];
  Chunk& to = chunks_[at / chunk];
  to.u[at % chunk] = from.u[last % chunk];
  to.v[at % chunk] = from.v[last % chunk];
  to.r[at % chunk] = from.r[last % chunk];
  from.r[last % chunk] = 0;
}

void TilePoints::begin_again(std::size_t index, std::span<const TileLink> links,
                             std::size_t first_link) {
  begun_[index] = 0;
  for (std::size_t k = 0; k < links.size(); ++k) seen_[first_link + k] = 0;
}

std::uint64_t* TilePoints::live_rows(const Tile& tile, std::size_t index) {
  std::uint64_t* rows = live_.get() + tile.rows;
  if (begun_[index] != 0) return rows;
  begun_[index] = 1;
  // Squares outside the domain are dead.
  const auto inside = [&](double extent, double size) {
    return std::min(8 * tile.cells, static_cast<int>(std::ceil(extent / size * 8)));
  };
  const int width = inside(tile.box.width(), tile.cell_width);
  const int height = inside(tile.box.height(), tile.cell_height);
  std::fill_n(rows, height, ~std::uint64_t{0} >> (64 - width));
  std::fill_n(rows + height, 8 * tile.cells - height, std::uint64_t{0});
  return rows;
}

}  // namespace dapple
