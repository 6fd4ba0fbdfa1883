// Power spectra of point sets and of patterns on a raster, and what is read from them.
#pragma once

#include <vector>

#include "core/figures/rings.hpp"
#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// |sum w exp(-2 pi i f x)|^2 / sum w^2 for |fx|, |fy| <= 4 sqrt(N / area), at whole numbers of
// periods over the domain: all of them, or, where they are more than the transform holds, every
// q-th in x and y. On a torus w = 1. A flat domain is seen through a Hann window, and the
// frequencies at which the window itself has power are left out. Relative error 1e-6.
PowerSpectrum point_spectrum(const PointSet& points, Context& context);

// The spectrum of a periodic raster: |F|^2 / (pixels * variance), up to the corners.
PowerSpectrum raster_spectrum(const Plane<float>& raster, Context& context);

// The radius past which the mean power inside the disc stays above 0.1 (Heck et al. 2013).
double effective_nyquist(const PowerSpectrum& spectrum);
// 10 * rms deviation from 1 past the first arrival at 1, less what chance alone would give.
double oscillation(const std::vector<Ring>& rings);

// The full plane as a picture of at most `size` pixels a side, |fx|, |fy| <= extent.
Plane<float> spectrum_picture(const PowerSpectrum& spectrum, double extent, int size);

}  // namespace dapple
