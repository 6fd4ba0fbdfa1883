// How far two distributions are apart, and a mean from 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace dapple {

// Kolmogorov and Smirnov: the largest difference of two distributions, in units in which 1.95 is
// passed once in a thousand.
inline double distribution_difference(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double worst = 0;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j] <= a[i]) ++j;
    const double share = static_cast<double>(j) / static_cast<double>(b.size());
    // Between equal values the distribution makes one step.
    if (i + 1 < a.size() && a[i + 1] == a[i]) continue;
    worst = std::max(worst,
                     std::abs(share - static_cast<double>(i + 1) / static_cast<double>(a.size())));
  }
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  return worst * std::sqrt(n * m / (n + m));
}
// What passes it once in a thousand.
inline constexpr double one_in_a_thousand = 1.95;

// How far from 0 the mean of some values is, in its standard errors.
inline double mean_in_errors(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::abs(mean) * count / std::sqrt(squares);
}

}  // namespace dapple
