// Power by frequency on a plane, and what its rings tell: of the points and patterns that `analyze`
// measures, and of the masks that are made until one will do.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dapple/spectra.hpp"

namespace dapple {

// A place of the half plane that is known.
struct Frequency {
  double radius;
  double power;
  std::size_t place;  // in the plane
};

// Calls visit(a frequency) for all, or at least for those below `end`.
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

// The spectrum of a periodic raster, whose power at column i and row j of the half plane power(i,
// j) tells: j from 0 on, then those below 0. What a real signal repeats, and zero itself, is left
// out.
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

// The ring of every place, for radial_power() of several spectra that know the same places.
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
  std::vector<std::uint32_t> ring_;  // of a place; what lies beyond all: their number
};

constexpr int least_in_ring_of_pattern = 32;  // independent frequencies
// radial_power() of a pattern of a mask, as its figures take them.
std::vector<Ring> rings_of_pattern(const PowerSpectrum& spectrum);

// Mean power over 0 < |f| < frequency; 0 where no frequency lies there.
double mean_power_below(const PowerSpectrum& spectrum, double frequency);
// 10 log10 of the mean anisotropy of the rings, each weighted by its frequencies; 0 = isotropic.
double anisotropy_db(const std::vector<Ring>& rings);
// The highest ring.
double peak_of(const std::vector<Ring>& rings);
// The largest share of a raster's power that lies in one frequency and its mirror image.
double largest_line(const PowerSpectrum& spectrum, int width, int height);

}  // namespace dapple
