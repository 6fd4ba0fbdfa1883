// Power spectra and pair correlation of point sets and of patterns on a raster: the curves behind
// the figures of analyze_points() and analyze_mask(). docs/quality.md has what they mean.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Power by frequency, white noise = 1, on the half plane that a real signal leaves independent.
// Column i holds the frequency i * step_x, row j the frequency (j - zero_row) * step_y. Points
// measure frequency in units of sqrt(N / area), rasters in cycles a pixel.
struct PowerSpectrum {
  Plane<float> power = {};  // negative: not measured, or a copy of its mirror image
  int zero_row = 0;
  bool periodic = false;  // row -height/2 is row height/2, as in the transform of a raster
  double step_x = 0;
  double step_y = 0;
  double limit = 0;  // whole rings are known up to this frequency

  // The power at a place of the full plane, -1 where it is not known.
  float at(int column, int row) const;
};

// The periodogram of points (Bartlett 1964): |sum w exp(-2 pi i f x)|^2 / sum w^2 for |fx|, |fy| <=
// 4 sqrt(N / area), at whole numbers of periods over the domain: all of them, or, where they are
// more than the transform holds, every q-th in x and y. On a torus w = 1. A flat domain is seen
// through a Hann window, and the frequencies at which the window itself has power are left out.
// Relative error 1e-6. Empty for no points. Throws Error(input) for columns of the wrong length and
// places that are not finite, Error(limit) where memory is short.
// O(N + M log M) for M frequencies, 64 N or less.
PowerSpectrum power_spectrum(const PointSet& points, Context& context);
// Of a periodic raster: |F|^2 / (pixels * variance), up to the corners; 0 where all values are one.
// Throws Error(input) for values that are not finite. O(pixels log pixels).
PowerSpectrum power_spectrum(const Plane<float>& raster, Context& context);

// A ring of a spectrum: its mean power and how far its frequencies differ.
struct Ring {
  double frequency = 0;   // mean over the ring
  double outer = 0;       // outer radius
  double power = 0;       // mean
  double anisotropy = 0;  // variance / mean^2 (Ulichney 1988): 1 for an isotropic random pattern
  int count = 0;          // independent frequencies
};

// The radially averaged power (Ulichney 1988): rings of equal width from frequency 0 to the
// spectrum's limit, each joined with its neighbors until it holds `least` independent frequencies.
// `width`: of a ring, in the spectrum's frequencies; 0: its larger step. Throws Error(usage) for a
// width below 0 and for `least` below 1. O(frequencies).
std::vector<Ring> radial_power(const PowerSpectrum& spectrum, double width = 0, int least = 16);

// How many points lie at a distance from another, over what a random set of as many has there.
struct PairCorrelation {
  double width = 0;            // of a bin, pixels
  std::vector<double> g = {};  // of distances from k * width to (k + 1) * width
};

// The pair correlation function g(r) up to `farthest` pixels in so many bins. On a torus exact; in
// a flat domain each pair counts for as many as the border hides of its kind (Ohser, Stoyan 1981).
// Throws Error(usage) unless `farthest` is above 0 and at most half of the shorter side of a torus,
// or nine tenths of that of a flat domain, and bins are 1 to 100,000; Error(input) for fewer than
// two points, columns of the wrong length, places that are not finite or outside. O(N log N +
// pairs).
PairCorrelation pair_correlation(const PointSet& points, double farthest, int bins,
                                 Context& context);

}  // namespace dapple
