// Sorting by Morton codes, digit by digit from the lowest: linear and stable.
#include "core/morton.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dapple {
namespace {

constexpr int bits_an_axis = 22;
constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

struct Coded {
  std::uint64_t code;
  std::uint32_t index;
};

}  // namespace

std::vector<std::uint32_t> morton_order(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  if (n == 0) return {};
  const auto [x0, x1] = std::minmax_element(x.begin(), x.end());
  const auto [y0, y1] = std::minmax_element(y.begin(), y.end());
  const double side = std::max({*x1 - *x0, *y1 - *y0, 1e-300});
  const double scale = ((1 << bits_an_axis) - 1) / side;
  const double left = *x0;
  const double top = *y0;
  std::vector<Coded> from(n);
  std::vector<Coded> to(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = static_cast<std::uint32_t>((x[i] - left) * scale);
    const auto row = static_cast<std::uint32_t>((y[i] - top) * scale);
    from[i] = {spread_bits(column) | spread_bits(row) << 1, static_cast<std::uint32_t>(i)};
  }
  for (int shift = 0; shift < 2 * bits_an_axis; shift += digit_bits) {
    std::array<std::uint32_t, digits> place{};
    for (const Coded& c : from) ++place[(c.code >> shift) % digits];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = sum;
      sum += count;
    }
    for (const Coded& c : from) to[place[(c.code >> shift) % digits]++] = c;
    from.swap(to);
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = from[i].index;
  return order;
}

}  // namespace dapple
