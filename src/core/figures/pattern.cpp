#include "core/figures/pattern.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/constants.hpp"

namespace dapple {
namespace {

std::int64_t wrapped(int a, int b, int side) {
  const int d = std::abs(a - b);
  return std::min(d, side - d);
}

std::size_t size_of(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

double smallest_spacing(std::span<const RasterPlace> set, int width, int height) {
  if (set.size() < 2) return 0;
  const double pixels = static_cast<double>(width) * height;
  const double hexagonal = std::sqrt(hexagonal_packing * pixels / static_cast<double>(set.size()));
  // No set is spaced wider than the lattice, except for rounding to pixels and on a small torus.
  const int window = static_cast<int>(std::ceil(1.5 * hexagonal)) + 1;
  const auto cells_along = [&](int side) { return side / window < 3 ? 1 : side / window; };
  const int columns = cells_along(width);
  const int rows = cells_along(height);
  const auto cell = [](int at, int side, int count) {
    return static_cast<int>(static_cast<std::int64_t>(at) * count / side);
  };
  std::vector<std::vector<std::size_t>> members(size_of(columns, rows));
  const auto members_at = [&](int column, int row) -> std::vector<std::size_t>& {
    return members[size_of((row + rows) % rows, columns) +
                   static_cast<std::size_t>((column + columns) % columns)];
  };
  // The start value lies beyond the window, so that a set of distant pixels has a spacing too.
  std::int64_t best = static_cast<std::int64_t>(window) * window;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const int column = cell(set[i].x, width, columns);
    const int row = cell(set[i].y, height, rows);
    for (int v = rows == 1 ? 0 : -1; v <= (rows == 1 ? 0 : 1); ++v) {
      for (int u = columns == 1 ? 0 : -1; u <= (columns == 1 ? 0 : 1); ++u) {
        for (const std::size_t j : members_at(column + u, row + v)) {
          const std::int64_t dx = wrapped(set[i].x, set[j].x, width);
          const std::int64_t dy = wrapped(set[i].y, set[j].y, height);
          best = std::min(best, dx * dx + dy * dy);
        }
      }
    }
    members_at(column, row).push_back(i);
  }
  return std::sqrt(static_cast<double>(best)) / hexagonal;
}

double fullest_quarter(std::span<const RasterPlace> set, int width, int height) {
  if (set.empty()) return 0;
  std::array<std::size_t, 4> rows{};
  std::array<std::size_t, 4> columns{};
  for (const RasterPlace& p : set) {
    ++columns[size_of(p.x, 4) / static_cast<std::size_t>(width)];
    ++rows[size_of(p.y, 4) / static_cast<std::size_t>(height)];
  }
  const std::size_t most = std::max(*std::max_element(rows.begin(), rows.end()),
                                    *std::max_element(columns.begin(), columns.end()));
  return 4 * static_cast<double>(most) / static_cast<double>(set.size());
}

PatternSpectrum::PatternSpectrum(int width, int height)
    : width_(width), height_(height), transform_(width, height) {
  one_thread_.threads = 1;
}

PowerSpectrum PatternSpectrum::of(std::span<const float> values) {
  // Eight sums run side by side, because each addition waits for the previous one to the same sum.
  std::array<double, 8> sums{}, squares_of{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto v = static_cast<double>(values[i]);
    sums[i % 8] += v;
    squares_of[i % 8] += v * v;
  }
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  const double squares = std::accumulate(squares_of.begin(), squares_of.end(), 0.0);
  const double energy = squares - sum * sum / static_cast<double>(values.size());
  const auto fill = [&](int first, int count, float* rows) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(size_of(first, width_)),
                size_of(count, width_), rows);
  };
  const auto transformed = transform_(width_ / 2 + 1, fill, one_thread_);
  const auto scale = static_cast<float>(energy > 0 ? 1 / energy : 0.0);
  return spectrum_of_raster(width_, height_, [&](int i, int j) {
    const std::complex<float> value = transformed(i, j);
    return (value.real() * value.real() + value.imag() * value.imag()) * scale;
  });
}

}  // namespace dapple
