// Computes power spectra and pair correlations of point sets and rasters: the curves behind the
// figures of analyze_points() and analyze_mask(). docs/quality.md explains them.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Power by frequency, white noise = 1, on the independent half plane of a real signal. Column i
// holds the frequency i * step_x, row j the frequency (j - zero_row) * step_y. Frequencies are in
// units of sqrt(N / area) for points, in cycles per pixel for rasters.
struct PowerSpectrum {
  Plane<float> power = {};  // negative: not measured, or a copy of its mirror image
  int zero_row = 0;
  bool periodic = false;  // row -height/2 is row height/2, as in the transform of a raster
  double step_x = 0;
  double step_y = 0;
  double limit = 0;  // whole rings are known up to this frequency

  // Returns the power at a place of the full plane, -1 if it is not known.
  float at(int column, int row) const;
};

// Returns the periodogram of points (Bartlett 1964): |sum w exp(-2 pi i f x)|^2 / sum w^2 for |fx|,
// |fy| <= 4 sqrt(N / area), at whole numbers of periods over the domain. If the transform cannot
// hold all of them, only every q-th in x and y is taken. On a torus w = 1. On a flat domain w is a
// Hann window; frequencies at which the window itself has power are left out. Relative error 1e-6.
// Empty for no points. Throws Error(input) for columns of the wrong length and places that are not
// finite, Error(limit) if memory is too small. O(N + M log M) for M frequencies, at most 64 N.
PowerSpectrum power_spectrum(const Points& points, Context& context);
// As above, but for a periodic raster: |F|^2 / (pixels * variance), up to the corners; 0 if all
// values are equal. Throws Error(input) for values that are not finite. O(pixels log pixels).
PowerSpectrum power_spectrum(const Plane<float>& raster, Context& context);

// A ring of a spectrum: its mean power and the spread of power over its frequencies.
struct Ring {
  double frequency = 0;   // mean over the ring
  double outer = 0;       // outer radius
  double power = 0;       // mean
  double anisotropy = 0;  // variance / mean^2 (Ulichney 1988): 1 for an isotropic random pattern
  int count = 0;          // independent frequencies
};

// Returns the radially averaged power (Ulichney 1988): rings of equal width from frequency 0 to the
// limit of the spectrum. A ring joins its neighbors until it holds `least` independent frequencies.
// `width` is the width of a ring, as a frequency of the spectrum; 0: the larger step. Throws
// Error(usage) for a width below 0 and for `least` below 1. O(frequencies).
std::vector<Ring> radial_power(const PowerSpectrum& spectrum, double width = 0, int least = 16);

// The number of points at a distance from another, relative to a random set of as many points.
struct PairCorrelation {
  double width = 0;            // of a bin, pixels
  std::vector<double> g = {};  // of distances from k * width to (k + 1) * width
};

// Returns the pair correlation function g(r) up to `farthest` pixels, in `bins` bins. Exact on a
// torus. In a flat domain each pair also counts for similar pairs that the border hides (Ohser,
// Stoyan 1981). `farthest` is above 0 and at most 0.5 times the shorter side of a torus, or 0.9
// times that side of a flat domain; `bins` is 1 to 100,000. Throws Error(usage) for other values;
// Error(input) for fewer than two points, columns of the wrong length, and places that are not
// finite or outside. O(N log N + pairs).
PairCorrelation pair_correlation(const Points& points, double farthest, int bins, Context& context);

}  // namespace dapple
