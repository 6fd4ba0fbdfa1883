// Finds the nearest sites of every pixel from short runs of bins, for sites that lie evenly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// Largest number of rows of pixels that are compared with a site at once.
inline constexpr int tallest = 8;

// Sites around a few rows of a tile, relative to its middle, with room for one more vector.
struct StretchSites {
  std::size_t count = 0;
  std::vector<float> x, y;
};

// Sites around a tile in their own bins, in pixels relative to the tile's middle. The bins of a row
// follow each other. Each thread has one object and uses it again for every tile.
struct StripSites {
  float margin = 0;  // every site this near to the center of a pixel of the tile is listed
  float x0 = 0, y0 = 0;
  float bins_a_pixel = 0;
  int columns = 0, rows = 0;
  std::vector<std::uint32_t> starts;  // start of each bin, row by row, and the end
  std::vector<float> x, y;
  std::vector<std::int32_t> id;
  std::vector<float> dy2;                     // scratch: squared dy to `tallest` rows of pixels
  std::vector<float> from_strip, from_block;  // scratch: squared distances
  std::vector<std::uint32_t> bin_of;          // scratch: bin of each gathered site
  SiteList gathered;                          // scratch
  std::vector<float> near_x, near_y, near_d;  // scratch: sites around a block, squared distances
  std::vector<StretchSites> stretches;        // scratch: by reach

  // `rows`: the grid's rows of bins, if one image has the tile's sites and they are not crowded.
  enum class Bins { squares, rows };
  // Returns false if sites are too few or too far; `nearest`: how many to find per pixel.
  bool fill(const SiteGrid& grid, const PixelBox& tile, int nearest, Bins bins);

  // Returns the largest margin: no two images of a site may be near, and floats must be exact.
  static double widest(const SiteGrid& grid);

  // Makes room for `n` sites and the widest vector.
  void reserve(std::size_t n);
  // Lists the sites of a window by the grid's own rows of bins; returns their number. With `whole`
  // it lists all sites of these bins: a search for only the nearest site is then faster than a test
  // of each site against the window.
  std::size_t take_rows(const SiteGrid& grid, const Box& window, Vec2 middle, bool whole);

  int column(float at) const { return bin(at - x0, columns); }
  int row(float at) const { return bin(at - y0, rows); }
  int bin(float offset, int count) const {
    return static_cast<int>(std::clamp(offset * bins_a_pixel, 0.0f, static_cast<float>(count - 1)));
  }
};

// Finds the Euclidean distances of the tile's pixels to their `nearest` nearest sites (1 to 4, or
// most_distances). Also finds the nearest site if cells.nearest is not empty, which requires
// `nearest` >= 2. Adds to `open` each block that has an undecided pixel; its results are invalid.
void search_strips(StripSites& sites, const PixelBox& tile, int nearest, Cells& cells,
                   std::vector<PixelBox>& open);

}  // namespace dapple::cells
