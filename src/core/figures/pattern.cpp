// Figures of sets of pixels. The transform is Stockham's, which needs no reordering, of any
// factors, over many lines at once.
#include "core/figures/pattern.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/figures/pattern.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/constants.hpp"
#include "core/lanes.hpp"
#include "core/portable.hpp"

#ifndef DAPPLE_COMPLEX_RUN
#define DAPPLE_COMPLEX_RUN
namespace dapple {
namespace {

template <class T>
struct ComplexRun {
  T* real;
  T* imaginary;

  ComplexRun operator+(std::ptrdiff_t i) const { return {real + i, imaginary + i}; }
};
struct Turn {
  float cosine, sine;
};

}  // namespace
}  // namespace dapple
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
// The sum of two runs, and their difference turned, one after the other.
void halve(ComplexRun<const float> one, ComplexRun<const float> other, ComplexRun<float> to,
           std::ptrdiff_t run, float c, float d) {
  each_vector<float, 16>(run, [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    const Vector a = Vector::load(one.real + i);
    const Vector b = Vector::load(one.imaginary + i);
    const Vector e = Vector::load(other.real + i);
    const Vector f = Vector::load(other.imaginary + i);
    const Vector x = a - e;
    const Vector y = b - f;
    (a + e).store(to.real + i);
    (b + f).store(to.imaginary + i);
    (x * c - y * d).store(to.real + run + i);
    (x * d + y * c).store(to.imaginary + run + i);
  });
}

// The sum of several runs, which lie `apart`, each turned.
void turn(ComplexRun<const float> from, std::ptrdiff_t apart, ComplexRun<float> to,
          std::ptrdiff_t run, std::span<const Turn> turns) {
  each_vector<float, 16>(run, [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    Vector re = 0.0f;
    Vector im = 0.0f;
    ComplexRun<const float> at = from + i;
    for (const Turn& by : turns) {
      const Vector a = Vector::load(at.real);
      const Vector b = Vector::load(at.imaginary);
      re += a * by.cosine - b * by.sine;
      im += a * by.sine + b * by.cosine;
      at = at + apart;
    }
    re.store(to.real + i);
    im.store(to.imaginary + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(halve);
HWY_EXPORT(turn);

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
  // No set is spaced wider than the lattice, but for what rounding to pixels and a small torus add.
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
  // A pixel beyond the window, so that a set of far pixels has a spacing too.
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

PatternSpectrum::Line::Line(int of) : length(of) {
  int left = of;
  for (int p = 2; left > 1; ++p) {
    for (; left % p == 0; left /= p) factors.push_back(p);
    if (p * p > left && left > 1) p = left - 1;
  }
  for (int i = 0; i < of; ++i) {
    const double turns = static_cast<double>(i) / of;
    cosine.push_back(static_cast<float>(portable_cosine(turns)));
    sine.push_back(-static_cast<float>(portable_sine(turns)));
  }
}

PatternSpectrum::PatternSpectrum(int width, int height) : across_(width), down_(height) {
  for (Lines* lines : {&at_, &spare_}) {
    lines->real.resize(size_of(width, height));
    lines->imaginary.resize(size_of(width, height));
  }
}

void PatternSpectrum::transform(const Line& line, int count, Lines& at, Lines& spare) {
  const auto lines = static_cast<std::ptrdiff_t>(count);
  int n = line.length;   // of the transforms that are left
  std::ptrdiff_t s = 1;  // how many of them
  std::vector<Turn> turns;
  for (const int p : line.factors) {
    const int m = n / p;
    const std::ptrdiff_t run = s * lines;
    const ComplexRun<const float> from{at.real.data(), at.imaginary.data()};
    const ComplexRun<float> to{spare.real.data(), spare.imaginary.data()};
    for (int q = 0; q < m && p == 2; ++q) {
      const auto part = static_cast<std::size_t>(q * (line.length / n));
      HWY_DYNAMIC_DISPATCH(halve)
      (from + q * run, from + (q + m) * run, to + 2 * q * run, run, line.cosine[part],
       line.sine[part]);
    }
    for (int q = 0; q < m && p > 2; ++q) {
      for (int r = 0; r < p; ++r) {
        turns.clear();
        for (int j = 0; j < p; ++j) {
          const std::int64_t part = static_cast<std::int64_t>(r) *
                                    (q * (line.length / n) + j * (line.length / p)) % line.length;
          turns.push_back({line.cosine[static_cast<std::size_t>(part)],
                           line.sine[static_cast<std::size_t>(part)]});
        }
        HWY_DYNAMIC_DISPATCH(turn)
        (from + q * run, m * run, to + (p * q + r) * run, run, turns);
      }
    }
    at.real.swap(spare.real);
    at.imaginary.swap(spare.imaginary);
    n = m;
    s *= p;
  }
}

PowerSpectrum PatternSpectrum::of(std::span<const float> values) {
  const int width = across_.length;
  const int height = down_.length;
  // Several sums, as each waits for its last.
  std::array<double, 8> sums{}, squares_of{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto v = static_cast<double>(values[i]);
    sums[i % 8] += v;
    squares_of[i % 8] += v * v;
  }
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  const double squares = std::accumulate(squares_of.begin(), squares_of.end(), 0.0);
  const double pixels = static_cast<double>(values.size());
  const double energy = squares - sum * sum / pixels;
  // Rows first, side by side as columns.
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      at_.real[size_of(x, height) + static_cast<std::size_t>(y)] =
          values[size_of(y, width) + static_cast<std::size_t>(x)];
    }
  }
  std::fill(at_.imaginary.begin(), at_.imaginary.end(), 0.0f);
  transform(across_, height, at_, spare_);
  const int columns = width / 2 + 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < columns; ++x) {
      const std::size_t from = size_of(x, height) + static_cast<std::size_t>(y);
      const std::size_t to = size_of(y, columns) + static_cast<std::size_t>(x);
      spare_.real[to] = at_.real[from];
      spare_.imaginary[to] = at_.imaginary[from];
    }
  }
  at_.real.swap(spare_.real);
  at_.imaginary.swap(spare_.imaginary);
  transform(down_, columns, at_, spare_);
  const auto scale = static_cast<float>(energy > 0 ? 1 / energy : 0.0);
  return spectrum_of_raster(width, height, [&](int i, int j) {
    const std::size_t k = size_of(j, columns) + static_cast<std::size_t>(i);
    const float re = at_.real[k];
    const float im = at_.imaginary[k];
    return (re * re + im * im) * scale;
  });
}

}  // namespace dapple
#endif
