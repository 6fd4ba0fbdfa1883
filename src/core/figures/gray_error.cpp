// Computes errors of a mask's patterns as seen through a Gaussian.
#include "core/figures/gray_error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/figures/gray_error.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/deterministic_math.hpp"
#include "core/lanes.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"

#ifndef DAPPLE_MOVED_ROWS
#define DAPPLE_MOVED_ROWS
namespace dapple {
namespace {

// Rows of numbers below 64, and a copy of the rows that is moved down and wraps.
struct MovedRows {
  const std::uint8_t* fixed;
  std::ptrdiff_t fixed_stride;
  const std::uint8_t* moved;
  std::ptrdiff_t moved_stride;
  int rows;
  int down;   // rows
  int count;  // numbers per row, a multiple of 32
};

}  // namespace
}  // namespace dapple
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

using Floats = Lanes<float, 16>;

// Returns the sum of the larger of two numbers over all rows, by vectors of `most` bytes.
template <std::size_t most>
std::int64_t sum_by_vectors(const MovedRows& of) {
  using Bytes = Lanes<std::uint8_t, most>;
  constexpr int together = 4;  // the sum of 4 numbers below 64 fits a byte
  ByteSums<most> sum;
  Bytes open = std::uint8_t{0};
  int left = together;
  for (int y = 0; y < of.rows; ++y) {
    const int below = y + of.down < of.rows ? y + of.down : (y + of.down) % of.rows;
    const std::uint8_t* a = of.fixed + y * of.fixed_stride;
    const std::uint8_t* b = of.moved + below * of.moved_stride;
    for (int i = 0; i < of.count; i += int{Bytes::count}) {
      open += max(Bytes::load(a + i), Bytes::load(b + i));
      if (--left > 0) continue;
      sum.add(open);
      open = std::uint8_t{0};
      left = together;
    }
  }
  sum.add(open);
  return sum.total();
}

std::int64_t sum_of_larger(const MovedRows& of) {
  return of.count % 64 == 0 ? sum_by_vectors<64>(of) : sum_by_vectors<32>(of);
}

// Convolves one line with a bell of 2 half + 1 weights: to[i] sums the values around from[i].
// `stride` is the distance between the values of one sum.
void weigh(const float* from, std::ptrdiff_t stride, std::span<const float> bell, float* to,
           int count) {
  const auto half = static_cast<std::ptrdiff_t>(bell.size() / 2);
  for (int i = 0; i < count; i += int{Floats::count}) {
    Floats sum = Floats::load(from + i) * bell[bell.size() / 2];
    for (std::ptrdiff_t d = 1; d <= half; ++d) {
      const Floats both = Floats::load(from + i - d * stride) + Floats::load(from + i + d * stride);
      sum += both * bell[static_cast<std::size_t>(half + d)];
    }
    sum.store(to + i);
  }
}

// Stores pattern - gradient of a row: the pattern is 1 where a threshold is below the gradient.
void beyond_gradient(const float* place, const float* gradient, float* to, int count) {
  each_vector<float, 16>(count, [&](auto vector, std::ptrdiff_t i) HWY_ATTR {
    using Vector = decltype(vector);
    const Vector gray = Vector::load(gradient + i);
    const auto set = Vector::load(place + i) < gray;
    (select(set, Vector(1.0f), Vector(0.0f)) - gray).store(to + i);
  });
}

// Adds squares to eight sums: the square of number i to sum i % 8.
void add_squares(const float* from, int count, double* sums) {
  using Doubles = Lanes<double, 8>;
  for (std::size_t part = 0; part < 8; part += Doubles::count) {
    Doubles sum = Doubles::load(sums + part);
    for (int i = 0; i < count; i += 8) {
      const auto numbers = Lanes<float, Doubles::count>::load(from + i + part);
      const auto e = convert<Doubles>(numbers);
      sum += e * e;
    }
    sum.store(sums + part);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(sum_of_larger);
HWY_EXPORT(weigh);
HWY_EXPORT(beyond_gradient);
HWY_EXPORT(add_squares);

constexpr int lanes = 32;

// Returns a sampled Gaussian over [-reach, reach] whose values add up to 1.
std::vector<double> gaussian(double sigma, int reach) {
  std::vector<double> values;
  for (int i = -reach; i <= reach; ++i)
    values.push_back(portable_exp(-0.5 * i * i / (sigma * sigma)));
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& v : values) v /= sum;
  return values;
}

constexpr int most_grays = 64;
constexpr int reach = 13;  // largest displacement: the widest autocorrelation is 3e-5 of its peak

constexpr int round_up(int n) {
  return (n + lanes - 1) / lanes * lanes;
}

}  // namespace

GrayError::GrayError(const Plane<float>& place, Context& context)
    : width_(place.width()),
      height_(place.height()),
      grays_(static_cast<int>(std::min<std::size_t>(most_grays, place.size()))),
      sums_(2 * reach + 1, reach + 1) {
  // The moved copy repeats at its sides. The other copy ends in the largest number, so that the
  // padding adds a known amount to each sum.
  constexpr std::uint8_t largest = most_grays - 1;
  const int padded = round_up(width_);
  const int stride = padded + 2 * reach;
  const auto size = [&](int row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(height_);
  };
  std::vector<std::uint8_t> fixed(size(padded), largest);
  std::vector<std::uint8_t> moved(size(stride));
  std::vector<double> set(static_cast<std::size_t>(grays_) + 1);
  for (int y = 0; y < height_; ++y) {
    std::uint8_t* row = &fixed[static_cast<std::size_t>(y) * static_cast<std::size_t>(padded)];
    std::uint8_t* wide = &moved[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride)];
    const float* from = place.row(y);
    for (int x = 0; x < width_; ++x) {
      const double gray = std::min(grays_ - 1.0, static_cast<double>(from[x]) * grays_);
      row[x] = static_cast<std::uint8_t>(gray);
    }
    for (int x = 0; x < width_; ++x) ++set[row[x] + 1u];
    std::copy_n(row, width_, wide + reach);
    for (int x = 0; x < reach; ++x) {
      wide[x] = row[modulo(x - reach, width_)];
      wide[reach + width_ + x] = row[x % width_];
    }
  }
  std::partial_sum(set.begin(), set.end(), set.begin());
  for (int i = 1; i < grays_; ++i) {
    const double share = set[static_cast<std::size_t>(i)] / static_cast<double>(place.size());
    squares_ += share * share;
  }
  parallel_for(
      context, sums_.size(),
      [&](std::size_t i) {
        const int dx = static_cast<int>(i) % sums_.width() - reach;
        const int dy = static_cast<int>(i) / sums_.width();
        // Along a row, both directions give the same sum.
        if (dx * dx + dy * dy > reach * reach || (dy == 0 && dx < 0)) return;
        const MovedRows rows{fixed.data(), padded, moved.data() + reach + dx, stride, height_,
                             dy,           padded};
        const std::int64_t beyond = std::int64_t{largest} * (padded - width_) * height_;
        sums_(dx + reach, dy) = HWY_DYNAMIC_DISPATCH(sum_of_larger)(rows) - beyond;
      },
      place.size() < 0x10000 ? ~std::size_t{0} : 2);
}

double GrayError::seen(double sigma) const {
  const std::vector<double> bell = gaussian(sigma, reach);
  std::vector<double> twice(2 * reach + 1, 0.0);  // autocorrelation of the bell
  for (int d = -reach; d <= reach; ++d) {
    for (int i = -reach; i <= reach; ++i) {
      if (i + d < -reach || i + d > reach) continue;
      twice[static_cast<std::size_t>(d + reach)] +=
          bell[static_cast<std::size_t>(i + reach)] * bell[static_cast<std::size_t>(i + d + reach)];
    }
  }
  const double pixels = static_cast<double>(width_) * height_;
  // The mean of (blurred - mean)^2 is the mean of blurred^2 minus the square of the mean.
  double sum = 0;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      if (dx * dx + dy * dy > reach * reach) continue;
      const bool other_half = dy < 0 || (dy == 0 && dx < 0);
      const std::int64_t larger = other_half ? sums_(-dx + reach, -dy) : sums_(dx + reach, dy);
      const double both = grays_ - 1 - static_cast<double>(larger) / pixels;
      sum += twice[static_cast<std::size_t>(dx + reach)] *
             twice[static_cast<std::size_t>(dy + reach)] * (both - squares_);
    }
  }
  return 255 * std::sqrt(std::max(0.0, sum) / std::max(1, grays_ - 1));
}

double ramp_error(const Plane<float>& place, double sigma, Context& context) {
  const int length = std::max(gradient_pixels, place.width());
  const int height = place.height();
  const int half = static_cast<int>(std::ceil(6 * sigma));
  const std::vector<double> precise = gaussian(sigma, half);
  const std::vector<float> bell(precise.begin(), precise.end());
  const int stride = round_up(length) + 2 * half + lanes;
  constexpr int strip = 64;
  const auto strips = static_cast<std::size_t>((height + strip - 1) / strip);
  std::vector<double> of_strip(strips);
  std::vector<float> gradient;
  for (int x = 0; x < length; ++x) {
    gradient.push_back((static_cast<float>(x) + 0.5f) / static_cast<float>(length));
  }
  parallel_for(context, strips, [&](std::size_t s) {
    const int y0 = static_cast<int>(s) * strip;
    const int count = std::min(strip, height - y0);
    Plane<float> error(stride, count + 2 * half);
    for (int i = 0; i < error.height(); ++i) {
      const float* from = place.row(modulo(y0 + i - half, height));
      float* to = error.row(i);
      for (int x0 = 0; x0 < length; x0 += place.width()) {
        HWY_DYNAMIC_DISPATCH(beyond_gradient)
        (from, gradient.data() + x0, to + x0, std::min(place.width(), length - x0));
      }
    }
    std::vector<float> down(static_cast<std::size_t>(stride));
    std::vector<float> seen(static_cast<std::size_t>(stride));
    std::array<double, 8> sums{};
    for (int y = 0; y < count; ++y) {
      HWY_DYNAMIC_DISPATCH(weigh)(error.row(y + half), stride, bell, down.data() + half, length);
      std::copy_n(down.begin() + length, half, down.begin());
      std::copy_n(down.begin() + half, half, down.begin() + half + length);
      HWY_DYNAMIC_DISPATCH(weigh)(down.data() + half, 1, bell, seen.data(), length);
      std::fill_n(seen.begin() + length, 8, 0.0f);
      HWY_DYNAMIC_DISPATCH(add_squares)(seen.data(), length, sums.data());
    }
    of_strip[s] = std::accumulate(sums.begin(), sums.end(), 0.0);
  });
  const double sum = std::accumulate(of_strip.begin(), of_strip.end(), 0.0);
  return 255 * std::sqrt(sum / (static_cast<double>(length) * height));
}

}  // namespace dapple
#endif
