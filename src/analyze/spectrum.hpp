// Measures power spectra and draws them.
#pragma once

#include <vector>

#include "core/figures/rings.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Returns the radius beyond which the mean power in the disc stays above 0.1 (Heck et al. 2013).
double effective_nyquist(const PowerSpectrum& spectrum);
// Returns 10 * rms deviation from 1 past the first arrival at 1, minus what chance would give.
double oscillation(const std::vector<Ring>& rings);

// Draws the full plane as a picture of at most `size` pixels per side, |fx|, |fy| <= extent.
Plane<float> spectrum_picture(const PowerSpectrum& spectrum, double extent, int size);

}  // namespace dapple
