// What a set of pixels of a torus looks like: spacing, balance, power.
#pragma once

#include <cstddef>
#include <span>

#include "core/figures/raster_transform.hpp"
#include "core/figures/rings.hpp"

namespace dapple {

struct RasterPlace {
  int x, y;
};

// Smallest distance between two of the pixels on the torus over that of a hexagonal lattice of as
// many; 0 for fewer than two.
double smallest_spacing(std::span<const RasterPlace> set, int width, int height);

// The largest share of the pixels that lies in a quarter of the rows or of the columns, over that
// quarter's part of the torus; 1 where all hold as many.
double fullest_quarter(std::span<const RasterPlace> set, int width, int height);

// Spectra of patterns of one size, white noise = 1, to 1e-5: quick for small rasters whose sides
// have small factors, O(N) a pixel for a prime side N.
class PatternSpectrum {
 public:
  PatternSpectrum(int width, int height);
  // `values` row by row.
  PowerSpectrum of(std::span<const float> values);

 private:
  int width_, height_;
  RasterTransform<float> transform_;
  Context one_thread_;
};

}  // namespace dapple
