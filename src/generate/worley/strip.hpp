// Nearest sites of every pixel where sites lie about evenly: short runs of bins, no tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// Rows of pixels that are compared with a site at once, at most.
inline constexpr int tallest = 8;

// Sites round a few rows of a tile, relative to its middle, and room for a vector more.
struct StretchSites {
  std::size_t count = 0;
  std::vector<float> x, y;
};

// Sites round a tile in bins of their own, in pixels relative to the tile's middle; bins of a row
// lie one after the other. One a thread, used again for every tile.
struct StripSites {
  float margin = 0;  // every site is listed that is so near to the center of a pixel of the tile
  float x0 = 0, y0 = 0;
  float bins_a_pixel = 0;
  int columns = 0, rows = 0;
  std::vector<std::uint32_t> starts;  // of each bin, row by row, and the end
  std::vector<float> x, y;
  std::vector<std::int32_t> id;
  std::vector<float> dy2;  // scratch: squared heights over `tallest` rows of pixels
  std::vector<float> from_strip, from_block;  // scratch: squares of distances
  std::vector<std::uint32_t> bin_of;          // scratch: of those gathered
  SiteList gathered;                          // scratch
  std::vector<float> near_x, near_y, near_d;  // scratch: the sites round a block, and squares
  std::vector<StretchSites> stretches;        // scratch: by how far they reach

  // Rows are those of the grid, where all of the tile's sites are in one image and not crowded.
  enum class Bins { squares, rows };
  // False where sites are too few or too far for it; `nearest`: how many are to be found per pixel.
  bool fill(const SiteGrid& grid, const PixelBox& tile, int nearest, Bins bins);

  // No farther: two images of a site must not both be near, and distances must be exact in float.
  static double widest(const SiteGrid& grid);

  // Makes room for so many, and the widest vector.
  void reserve(std::size_t n);
  // Lists the sites of a window by the grid's own rows of bins; returns how many there are.
  // `whole`: all of its bins, which takes less time than to tell which are inside, where a search
  // for the nearest alone meets them.
  std::size_t take_rows(const SiteGrid& grid, const Box& window, Vec2 middle, bool whole);

  int column(float at) const { return bin(at - x0, columns); }
  int row(float at) const { return bin(at - y0, rows); }
  int bin(float offset, int count) const {
    return static_cast<int>(std::clamp(offset * bins_a_pixel, 0.0f, static_cast<float>(count - 1)));
  }
};

// Euclidean distances of the tile's pixels to their `nearest` nearest sites (1 to 4, or
// most_distances), and which is the nearest where cells.nearest is there, for which `nearest` must
// be 2 or more. Adds blocks to `open` that have a pixel for which this could not be told; they hold
// nothing of use.
void search_strips(StripSites& sites, const PixelBox& tile, int nearest, Cells& cells,
                   std::vector<PixelBox>& open);

}  // namespace dapple::cells
