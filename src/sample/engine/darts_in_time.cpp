#include "sample/engine/darts_in_time.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"

namespace dapple {

double rate_of(int window) {
  return window < 2 ? 1 : std::ldexp(1.0, 2 * (window - 1));
}

std::vector<std::vector<double>> rates_of_head_starts(const std::vector<double>& head_start) {
  std::vector<std::vector<double>> rates;
  for (std::size_t c = 0; c < head_start.size(); ++c) {
    double left = head_start[c];
    for (int window = 0; left > 0; ++window) {
      rates.emplace_back(head_start.size(), 0.0);
      rates.back()[c] = std::min(left, rate_of(window));
      left -= rates.back()[c];
    }
  }
  return rates;
}

std::vector<double> rates_of(int window, std::size_t classes,
                             const std::vector<std::vector<double>>& head_starts) {
  const auto place = static_cast<std::size_t>(window);
  if (place < head_starts.size()) return head_starts[place];
  return std::vector(classes, rate_of(static_cast<int>(place - head_starts.size())));
}

// Needs no exponential for most small means: P(N >= 1) = 1 - exp(-mean) < mean - mean^2 / 2 +
// mean^3 / 6.
int poisson(double uniform, double mean) {
  if (uniform > mean * (1 - mean * (0.5 - mean * (1.0 / 6)))) return 0;
  double chance = portable_exp(-mean);
  double beyond = 1 - chance;
  int n = 0;
  while (uniform < beyond && n < 1000) {
    ++n;
    chance *= mean / n;
    beyond -= chance;
  }
  return n;
}

int darts_in(double mean, Random& random) {
  constexpr double most = 16;
  int count = 0;
  for (; mean > most; mean -= most) count += poisson(random.uniform(), most);
  return count + poisson(random.uniform(), mean);
}

std::vector<bool> settle(const Lists<std::uint32_t, std::uint32_t>& earlier) {
  const std::size_t count = earlier.size();
  std::vector<bool> decided(count);
  std::vector<bool> stays(count);
  std::vector<std::uint32_t> open;
  // Decides `dart`; returns false if an undecided dart, now on top of `open`, must come first.
  const auto decide = [&](std::uint32_t dart) {
    for (const std::uint32_t other : earlier.of(dart)) {
      if (!decided[other]) {
        open.push_back(other);
        return false;
      }
      if (stays[other]) {
        decided[dart] = true;
        return true;
      }
    }
    decided[dart] = true;
    stays[dart] = true;
    return true;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    open.assign(1, i);
    while (!open.empty()) {
      if (decided[open.back()] || decide(open.back())) open.pop_back();
    }
  }
  return stays;
}

}  // namespace dapple
