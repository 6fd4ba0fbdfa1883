// Computes rings of power spectra (Ulichney 1988: radial mean, anisotropy).
#include "core/figures/rings.hpp"

#include <algorithm>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"

namespace dapple {

float PowerSpectrum::at(int column, int row) const {
  int x = column;
  int y = row;
  if (x < 0) {
    x = -x;
    y = -y;
  }
  const auto get = [&](int r) {
    int j = r + zero_row;
    if (periodic && j < 0) j += power.height();
    return x < power.width() && j >= 0 && j < power.height() ? power(x, j) : -1.0f;
  };
  const float value = get(y);
  // The zero column, and the last one of an even raster, hold only one of two mirror images.
  return value < 0 ? (x == 0 || x == power.width() - 1 ? get(-y) : -1.0f) : value;
}

RingTable::RingTable(const PowerSpectrum& spectrum, double ring_width)
    : width_(ring_width > 0 ? ring_width : std::max(spectrum.step_x, spectrum.step_y)),
      limit_(spectrum.limit),
      rings_(static_cast<std::size_t>(std::ceil(limit_ / width_ + 1e-9))),
      ring_(spectrum.power.size(), static_cast<std::uint32_t>(rings_.size())) {
  visit_frequencies(spectrum, [&](const Frequency& f) {
    if (f.radius > limit_ * (1 + 1e-12)) return;
    const auto at = std::min(rings_.size() - 1, static_cast<std::size_t>(f.radius / width_));
    ring_[f.place] = static_cast<std::uint32_t>(at);
    rings_[at].frequency += f.radius;
    ++rings_[at].count;
  });
}

std::vector<Ring> RingTable::of(const PowerSpectrum& spectrum, int least) const {
  struct Sums {
    double frequency = 0, power = 0, square = 0;
    int count = 0;
    void add(const Sums& s) {
      frequency += s.frequency;
      power += s.power;
      square += s.square;
      count += s.count;
    }
  };
  const std::size_t number = rings_.size();
  std::vector<Sums> narrow(number + 1);  // the last is for frequencies beyond all rings
  for (std::size_t i = 0; i < ring_.size(); ++i) {
    const auto power = static_cast<double>(spectrum.power.values()[i]);
    Sums& sums = narrow[ring_[i]];
    sums.power += power;
    sums.square += power * power;
  }
  std::vector<Sums> joined;
  std::vector<double> outer;
  Sums open;
  for (std::size_t i = 0; i < number; ++i) {
    narrow[i].frequency = rings_[i].frequency;
    narrow[i].count = rings_[i].count;
    open.add(narrow[i]);
    if (open.count < least) continue;
    joined.push_back(open);
    outer.push_back(static_cast<double>(i + 1) * width_);
    open = {};
  }
  if (open.count > 0) {
    // The remaining frequencies join the ring before. A lattice may have all its power there.
    if (joined.empty()) {
      joined.emplace_back();
      outer.push_back(0);
    }
    joined.back().add(open);
    outer.back() = limit_;
  }

  std::vector<Ring> result;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const Sums& s = joined[i];
    Ring ring;
    ring.count = s.count;
    ring.outer = outer[i];
    ring.frequency = s.frequency / s.count;
    ring.power = s.power / s.count;
    const double variance =
        s.count > 1 ? std::max(0.0, s.square - s.power * ring.power) / (s.count - 1) : 0.0;
    ring.anisotropy = ring.power > 0 ? variance / (ring.power * ring.power) : 1.0;
    result.push_back(ring);
  }
  return result;
}

std::vector<Ring> radial_power(const PowerSpectrum& spectrum, double ring_width, int least) {
  require_number("the width of a ring", ring_width, 0);
  require_number("the least number of frequencies per ring", least, 1);
  if (spectrum.power.empty()) return {};
  return RingTable(spectrum, ring_width).of(spectrum, least);
}

std::vector<Ring> rings_of_pattern(const PowerSpectrum& spectrum) {
  return radial_power(spectrum, 0, least_in_ring_of_pattern);
}

double mean_power_below(const PowerSpectrum& spectrum, double frequency) {
  double sum = 0;
  double count = 0;
  visit_frequencies(
      spectrum,
      [&](const Frequency& f) {
        if (f.radius >= frequency) return;
        sum += f.power;
        ++count;
      },
      frequency);
  return count > 0 ? sum / count : 0;
}

double anisotropy_db(const std::vector<Ring>& rings) {
  double sum = 0;
  double count = 0;
  for (const Ring& ring : rings) {
    sum += ring.anisotropy * ring.count;
    count += ring.count;
  }
  constexpr double log_10 = 2.302585092994046;
  return sum > 0 ? 10 * portable_log(sum / count) / log_10 : 0;
}

double hyperuniform_exponent(const std::vector<Ring>& rings, double below) {
  constexpr int fewest = 4;
  int used = 0;
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const Ring& ring : rings) {
    if (ring.outer > below || !(ring.power > 0)) continue;
    const double u = portable_log(ring.frequency);
    const double v = portable_log(ring.power);
    ++used;
    n += ring.count;
    x += ring.count * u;
    y += ring.count * v;
    xx += ring.count * u * u;
    xy += ring.count * u * v;
  }
  if (used < fewest) return std::numeric_limits<double>::quiet_NaN();
  return (n * xy - x * y) / (n * xx - x * x);
}

double peak_of(const std::vector<Ring>& rings) {
  double peak = 0;
  for (const Ring& ring : rings) peak = std::max(peak, ring.power);
  return peak;
}

double largest_line(const PowerSpectrum& spectrum, int width, int height) {
  double most = 0;
  for (int j = 0; j < spectrum.power.height(); ++j) {
    const int row = j - spectrum.zero_row;
    for (int i = 0; i < spectrum.power.width(); ++i) {
      // Some frequencies on the rim of the plane are their own mirror images.
      const bool single = (2 * i) % width == 0 && (2 * row) % height == 0;
      most = std::max(most, static_cast<double>(spectrum.power(i, j)) * (single ? 1 : 2));
    }
  }
  return most / (static_cast<double>(width) * height);
}

}  // namespace dapple
