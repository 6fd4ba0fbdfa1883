// Computes figures from the rings of a power spectrum: for points and patterns in `analyze`, and
// for masks that are made until one meets its goals.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dapple/spectra.hpp"

namespace dapple {

// A frequency of the half plane whose power is known.
struct Frequency {
  double radius;
  double power;
  std::size_t place;  // index in the plane
};

// Calls visit(frequency) for all known frequencies, or at least for those below `end`.
template <class Visit>
void visit_frequencies(const PowerSpectrum& spectrum, const Visit& visit,
                       double end = std::numeric_limits<double>::infinity()) {
  const int width = spectrum.power.width();
  for (int j = 0; j < spectrum.power.height(); ++j) {
    const double fy = (j - spectrum.zero_row) * spectrum.step_y;
    if (std::abs(fy) >= end) continue;
    for (int i = 0; i < width; ++i) {
      const double power = static_cast<double>(spectrum.power(i, j));
      const double fx = i * spectrum.step_x;
      if (fx >= end) break;
      if (power < 0) continue;
      const std::size_t place = static_cast<std::size_t>(j) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(i);
      visit(Frequency{std::sqrt(fx * fx + fy * fy), power, place});
    }
  }
}

// Returns the spectrum of a periodic raster. power(i, j) returns the power at column i and row j of
// the half plane; rows from 0 up come first, then rows below 0. The spectrum leaves out zero and
// the frequencies that a real signal repeats.
template <class Power>
PowerSpectrum spectrum_of_raster(int width, int height, const Power& power) {
  PowerSpectrum spectrum;
  spectrum.power = Plane<float>(width / 2 + 1, height);
  spectrum.zero_row = (height - 1) / 2;
  spectrum.periodic = true;
  spectrum.step_x = 1.0 / width;
  spectrum.step_y = 1.0 / height;
  spectrum.limit = 0.70710678118654752;
  for (int j = 0; j < height; ++j) {
    const int k = j - spectrum.zero_row;
    for (int i = 0; i <= width / 2; ++i) {
      spectrum.power(i, j) = power(i, k < 0 ? k + height : k);
    }
  }
  for (int j = 0; j <= spectrum.zero_row; ++j) spectrum.power(0, j) = -1;
  for (int j = 0; j < spectrum.zero_row && width % 2 == 0; ++j) spectrum.power(width / 2, j) = -1;
  return spectrum;
}

// The ring of every frequency, for radial_power() of several spectra with the same frequencies.
class RingTable {
 public:
  RingTable(const PowerSpectrum& spectrum, double ring_width);
  std::vector<Ring> of(const PowerSpectrum& spectrum, int least) const;

 private:
  struct Known {
    double frequency = 0;
    int count = 0;
  };

  double width_, limit_;
  std::vector<Known> rings_;
  std::vector<std::uint32_t> ring_;  // per frequency; rings_.size() if it lies beyond all rings
};

constexpr int least_in_ring_of_pattern = 32;  // independent frequencies
// Returns radial_power() of a pattern of a mask, in the rings that its figures use.
std::vector<Ring> rings_of_pattern(const PowerSpectrum& spectrum);

// Returns the mean power over 0 < |f| < frequency, or 0 if there is no such frequency.
double mean_power_below(const PowerSpectrum& spectrum, double frequency);
// Returns 10 log10 of the mean anisotropy of the rings, weighted by frequencies; 0 is isotropic.
double anisotropy_db(const std::vector<Ring>& rings);
// Returns the exponent a of power ~ frequency^a over the rings below a frequency, by least squares
// of the logarithms weighted by frequencies, or NaN for fewer than four rings with power. A set is
// hyperuniform if a > 0 (Torquato and Stillinger 2003).
double hyperuniform_exponent(const std::vector<Ring>& rings, double below);
// Returns the power of the highest ring.
double peak_of(const std::vector<Ring>& rings);
// Returns the largest share of a raster's power in one frequency and its mirror image.
double largest_line(const PowerSpectrum& spectrum, int width, int height);

}  // namespace dapple
