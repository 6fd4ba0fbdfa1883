// Power spectra of point sets and of patterns on a raster, and what is read from them.
#pragma once

#include <vector>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Power by frequency, white noise = 1, on the half plane that a real signal leaves independent.
// Column i holds the frequency i * step_x, row j the frequency (j - zero_row) * step_y. Points
// measure frequency in units of sqrt(N / area), rasters in cycles per pixel.
struct PowerSpectrum {
  Plane<float> power;  // negative: not measured, or a copy of its mirror image
  int zero_row = 0;
  bool periodic = false;  // row -height/2 is row height/2, as in the transform of a raster
  double step_x = 0;
  double step_y = 0;
  double limit = 0;  // whole rings are known up to this frequency

  // The power at a place of the full plane, -1 where it is not known.
  float at(int column, int row) const;
};

// A ring of the spectrum: its mean power and how far its frequencies differ.
struct Ring {
  double frequency = 0;   // mean over the ring
  double outer = 0;       // outer radius
  double power = 0;       // mean
  double anisotropy = 0;  // variance / mean^2: 1 for an isotropic random pattern
  int count = 0;          // independent frequencies
};

// |sum w exp(-2 pi i f x)|^2 / sum w^2 for |fx|, |fy| <= 4 sqrt(N / area), at whole numbers of
// periods over the domain: all of them, or, where they are more than the transform holds, every
// q-th in x and y. On a torus w = 1. A flat domain is seen through a Hann window, and the
// frequencies at which the window itself has power are left out. Relative error 1e-6.
PowerSpectrum point_spectrum(const PointSet& points, Context& context);

// The spectrum of a periodic raster: |F|^2 / (pixels * variance), up to the corners.
PowerSpectrum raster_spectrum(const Plane<float>& raster, Context& context);

// Rings of equal width from frequency 0 to `limit`, each joined with its neighbors until it holds
// `least` independent frequencies.
std::vector<Ring> rings(const PowerSpectrum& spectrum, double width, int least);

// Mean power over 0 < |f| < frequency; 0 where no frequency lies there.
double mean_power_below(const PowerSpectrum& spectrum, double frequency);
// The radius past which the mean power inside the disc stays above 0.1 (Heck et al. 2013).
double effective_nyquist(const PowerSpectrum& spectrum);
// 10 * rms deviation from 1 past the first arrival at 1, less what chance alone would give.
double oscillation(const std::vector<Ring>& rings);
// 10 log10 of the mean anisotropy of the rings, each weighted by its frequencies; 0 = isotropic.
double anisotropy_db(const std::vector<Ring>& rings);

// The full plane as a picture of at most `size` pixels a side, |fx|, |fy| <= extent.
Plane<float> spectrum_picture(const PowerSpectrum& spectrum, double extent, int size);

}  // namespace dapple
