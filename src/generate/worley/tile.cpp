// Divides the image into tiles and keeps their lists of sites.
#include "generate/worley/tile.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::cells {

std::size_t TileSites::load(const SiteGrid& grid) {
  const std::size_t n = exact.size();
  reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(exact[i].x);
    y[i] = static_cast<float>(exact[i].y);
    slot[i] = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; grid.is_lifted() && i < n; ++i) {
    lift[i] = static_cast<float>(grid.lift(exact[i].id));
  }
  return n;
}

void TileSites::reserve(std::size_t n) {
  if (x.size() >= n) return;
  n += n / 2;
  x.resize(n);
  y.resize(n);
  lift.resize(n);
  slot.resize(n);
  near.resize(n);
  far.resize(n);
}

void for_tiles(const SiteGrid& grid, RowRange range, Context& context,
               const std::function<void(const PixelBox&)>& body, int smallest) {
  const int width = static_cast<int>(grid.domain().width);
  const int height = static_cast<int>(grid.domain().height);
  int side = smallest;
  while (side < largest_tile && side < 6 * grid.spacing()) side *= 2;
  const int columns = (width + side - 1) / side;
  const int rows = (range.count() + side - 1) / side;
  // Batches of rows of tiles have about a million pixels, so that progress shows in between.
  const std::int64_t row_pixels = static_cast<std::int64_t>(width) * side;
  const int batch = static_cast<int>(std::max<std::int64_t>(1, (1 << 20) / row_pixels));
  for (int row = 0; row < rows; row += batch) {
    const int count = std::min(batch, rows - row);
    parallel_for(context, static_cast<std::size_t>(count) * static_cast<std::size_t>(columns),
                 [&](std::size_t i) {
                   const int tile = static_cast<int>(i);
                   const int x = tile % columns * side;
                   const int y = range.first + (row + tile / columns) * side;
                   body({x, y, std::min(width, x + side), std::min(range.last, y + side)});
                 });
    context.progress(static_cast<double>(range.first + (row + count) * side) / height);
  }
}

bool covers(const SiteGrid& grid, const Box& window) {
  const Domain& domain = grid.domain();
  if (domain.wrap) return window.width() >= domain.width && window.height() >= domain.height;
  return window.x0 < 0 && window.y0 < 0 && window.x1 > domain.width && window.y1 > domain.height;
}

}  // namespace dapple::cells
