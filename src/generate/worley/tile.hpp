// Divides the image into tiles and lists the sites that can matter inside a tile.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// Pixels [x0, x1) x [y0, y1) of the image.
struct PixelBox {
  int x0, y0, x1, y1;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
};

// Rows [first, last) of the image. `first` is a multiple of largest_tile, so that tiles of some
// rows are also tiles of all rows.
struct RowRange {
  int first, last;
  int count() const { return last - first; }
  bool has(int y) const { return y >= first && y < last; }
};

// A plane of a range of rows, indexed by places in the image.
template <class T>
struct Band {
  Plane<T> plane;
  int first = 0;

  static Band unset(int width, RowRange rows) {
    return {Plane<T>::unset(width, rows.count()), rows.first};
  }
  bool empty() const { return plane.empty(); }
  T* row(int y) { return plane.row(y - first); }
  const T* row(int y) const { return plane.row(y - first); }
  T& operator()(int x, int y) { return plane(x, y - first); }
  const T& operator()(int x, int y) const { return plane(x, y - first); }
};

// Sites relative to the middle of a tile, in pixels. `exact` holds doubles by slot. The floats are
// a stack of lists, one per box into which the tile is halved.
struct TileSites {
  SiteList exact;
  std::vector<float> x, y, lift;  // lifts only if sites are lifted
  std::vector<std::int32_t> slot;
  std::vector<float> near, far;  // scratch of one cull

  // Makes `exact` the list at the bottom of the stack; returns its length.
  std::size_t load(const SiteGrid& grid);
  void reserve(std::size_t n);
};

// A box of pixel centers relative to a tile's middle. A pixel's center is at (x + 0.5, y + 0.5).
struct CenterBox {
  float x0, y0, x1, y1;
  CenterBox(const PixelBox& box, Vec2 middle)
      : x0(static_cast<float>(box.x0 + 0.5 - middle.x)),
        y0(static_cast<float>(box.y0 + 0.5 - middle.y)),
        x1(static_cast<float>(box.x1 - 0.5 - middle.x)),
        y1(static_cast<float>(box.y1 - 0.5 - middle.y)) {}
};

// Up to here float distances have a relative error below 1e-6, and all coordinates that matter are
// exact. Pixels with farther sites are computed in double.
inline constexpr float float_reach = 180;

inline constexpr int largest_tile = 64;  // pixels per side: the reach of exact floats

// Calls body(tile) for every tile of these rows, in parallel, with progress. The side of a tile
// follows the spacing of the sites, from `smallest` to `largest_tile`.
void for_tiles(const SiteGrid& grid, RowRange rows, Context& context,
               const std::function<void(const PixelBox&)>& body, int smallest = 16);

inline Vec2 middle_of(const PixelBox& box) {
  // The middle is in whole pixels: relative coordinates stay multiples of 2^-16.
  const int x = box.x0 + box.width() / 2;
  const int y = box.y0 + box.height() / 2;
  return {static_cast<double>(x), static_cast<double>(y)};
}

inline Box window_around(const PixelBox& box, double reach) {
  return {box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
}

// Returns true if a window holds every site: all of a flat domain, or a period of the torus.
bool covers(const SiteGrid& grid, const Box& window);

}  // namespace dapple::cells
