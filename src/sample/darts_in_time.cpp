#include "sample/darts_in_time.hpp"

#include <cmath>

#include "core/portable.hpp"

namespace dapple {

double rate_of(int window) {
  return window < 2 ? 1 : std::ldexp(1.0, 2 * (window - 1));
}

// P(N >= 1) <= mean, so most of the small means need no exponential.
int poisson(double uniform, double mean) {
  if (uniform > mean) return 0;
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

std::vector<bool> settle(const std::vector<std::uint32_t>& first,
                         const std::vector<std::uint32_t>& earlier) {
  const std::size_t count = first.size() - 1;
  std::vector<bool> decided(count);
  std::vector<bool> stays(count);
  std::vector<std::uint32_t> open;
  // True once all that `dart` waits for is decided; else what it waits for is on top of `open`.
  const auto decide = [&](std::uint32_t dart) {
    for (std::uint32_t e = first[dart]; e < first[dart + 1]; ++e) {
      const std::uint32_t other = earlier[e];
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
