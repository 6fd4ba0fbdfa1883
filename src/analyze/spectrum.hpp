// What figures read from power spectra.
#pragma once

#include <vector>

#include "core/figures/rings.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The radius past which the mean power inside the disc stays above 0.1 (Heck et al. 2013).
double effective_nyquist(const PowerSpectrum& spectrum);
// 10 * rms deviation from 1 past the first arrival at 1, less what chance alone would give.
double oscillation(const std::vector<Ring>& rings);

// The full plane as a picture of at most `size` pixels a side, |fx|, |fy| <= extent.
Plane<float> spectrum_picture(const PowerSpectrum& spectrum, double extent, int size);

}  // namespace dapple
