// Sorts by Morton codes. Large sets are sorted digit by digit from the lowest: linear and stable.
#include "core/morton.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace dapple {
namespace {

constexpr int bits_an_axis = 22;
constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::size_t longest_run = 256;  // points of one square that may stay unsorted

struct Coded {
  std::uint64_t code;
  std::uint32_t index;
};

// Sorts by code; stable.
void sort_by_code(std::vector<Coded>& from) {
  // For few codes, std::sort is faster than clearing the counters. The index makes it stable.
  if (from.size() < digits / 8) {
    std::sort(from.begin(), from.end(), [](const Coded& a, const Coded& b) {
      return std::pair(a.code, a.index) < std::pair(b.code, b.index);
    });
    return;
  }
  std::vector<Coded> to(from.size());
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
}

// Orders the points of one square by smaller squares over their own extent. If a few points lie far
// from the rest, all the rest falls into one square.
void order_crowd(std::span<Coded> crowd, std::span<const double> x, std::span<const double> y) {
  std::vector<double> own_x, own_y;
  for (const Coded& c : crowd) {
    own_x.push_back(x[c.index]);
    own_y.push_back(y[c.index]);
  }
  const std::vector<Coded> before(crowd.begin(), crowd.end());
  const std::vector<std::uint32_t> order = morton_order(own_x, own_y);
  for (std::size_t i = 0; i < crowd.size(); ++i) crowd[i] = before[order[i]];
}

}  // namespace

std::vector<std::uint32_t> morton_order(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  if (n == 0) return {};
  const auto [x0, x1] = std::minmax_element(x.begin(), x.end());
  const auto [y0, y1] = std::minmax_element(y.begin(), y.end());
  constexpr double last = (1 << bits_an_axis) - 1;
  const double side = std::clamp(std::max(*x1 - *x0, *y1 - *y0), 1e-300, 1e300);
  const double scale = last / side;
  const double left = *x0;
  const double top = *y0;
  std::vector<Coded> from(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = static_cast<std::uint32_t>(std::min((x[i] - left) * scale, last));
    const auto row = static_cast<std::uint32_t>(std::min((y[i] - top) * scale, last));
    from[i] = {spread_bits(column) | spread_bits(row) << 1, static_cast<std::uint32_t>(i)};
  }
  sort_by_code(from);
  for (std::size_t i = 0, end = 0; i < n; i = end) {
    while (end < n && from[end].code == from[i].code) ++end;
    // Points that all lie in one square count as equal.
    if (end - i > longest_run && end - i < n) order_crowd({&from[i], end - i}, x, y);
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = from[i].index;
  return order;
}

}  // namespace dapple
