// Measures sets of pixels on a torus: spacing, balance, power.
#pragma once

#include <cstddef>
#include <span>

#include "core/figures/raster_transform.hpp"
#include "core/figures/rings.hpp"
#include "dapple/context.hpp"

namespace dapple {

struct RasterPlace {
  int x, y;
};

// Returns the smallest distance of two pixels on the torus, as a share of the spacing in a
// hexagonal lattice of as many pixels; 0 for fewer than two.
double smallest_spacing(std::span<const RasterPlace> set, int width, int height);

// Returns the largest share of pixels in a quarter of the rows or columns, divided by the quarter's
// share of the torus. It is 1 if all quarters hold equally many.
double fullest_quarter(std::span<const RasterPlace> set, int width, int height);

// Computes spectra of patterns of one size (white noise = 1) to 1e-5. It is quick for small rasters
// whose sides have small factors, and O(N) per pixel for a prime side N.
class PatternSpectrum {
 public:
  PatternSpectrum(int width, int height);
  // Returns the spectrum of `values`, which are given row by row.
  PowerSpectrum of(std::span<const float> values);

 private:
  int width_, height_;
  RasterTransform<float> transform_;
  Context one_thread_;
};

}  // namespace dapple
