// Errors of a mask's patterns as seen through a Gaussian.
#include "core/gray_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"

namespace dapple {
namespace {

// A sampled Gaussian over [-reach, reach] whose values add up to 1.
std::vector<double> gaussian(double sigma, int reach) {
  std::vector<double> values;
  for (int i = -reach; i <= reach; ++i)
    values.push_back(portable_exp(-0.5 * i * i / (sigma * sigma)));
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& v : values) v /= sum;
  return values;
}

constexpr int grays = 64;
constexpr int reach = 16;  // of displacements: where the widest autocorrelation is 1e-7 of its peak

// One row or column blurred on the circle.
void blur_line(const std::vector<double>& bell, std::vector<double>& line,
               std::vector<double>& spare) {
  const int n = static_cast<int>(line.size());
  const int half = static_cast<int>(bell.size()) / 2;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int d = -half; d <= half; ++d) {
      const int at = modulo(i + d, n);
      sum += bell[static_cast<std::size_t>(d + half)] * line[static_cast<std::size_t>(at)];
    }
    spare[static_cast<std::size_t>(i)] = sum;
  }
  line.swap(spare);
}

}  // namespace

GrayError::GrayError(const Plane<float>& place, Context& context)
    : width_(place.width()),
      height_(place.height()),
      sums_(2 * reach + 1, reach + 1),
      set_(grays + 1, 0.0) {
  const int stride = width_ + 2 * reach;
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(stride) *
                                   static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < stride; ++x) {
      const int from = modulo(x - reach, width_);
      const auto q = static_cast<std::uint8_t>(
          std::min(grays - 1.0, std::floor(static_cast<double>(place(from, y)) * grays)));
      padded[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride) +
             static_cast<std::size_t>(x)] = q;
      if (x >= reach && x < reach + width_) ++set_[q + 1u];
    }
  }
  std::partial_sum(set_.begin(), set_.end(), set_.begin());
  parallel_for(context, sums_.size(), [&](std::size_t i) {
    const int dx = static_cast<int>(i) % sums_.width() - reach;
    const int dy = static_cast<int>(i) / sums_.width();
    std::int64_t sum = 0;
    for (int y = 0; y < height_; ++y) {
      const std::uint8_t* a = padded.data() + static_cast<std::ptrdiff_t>(y) * stride + reach;
      const std::uint8_t* b =
          padded.data() + static_cast<std::ptrdiff_t>((y + dy) % height_) * stride + reach + dx;
      std::uint32_t row = 0;
      for (int x = 0; x < width_; ++x) row += std::max(a[x], b[x]);
      sum += row;
    }
    sums_(dx + reach, dy) = sum;
  });
}

double GrayError::seen(double sigma) const {
  const std::vector<double> bell = gaussian(sigma, reach);
  std::vector<double> twice(2 * reach + 1, 0.0);  // its autocorrelation
  for (int d = -reach; d <= reach; ++d) {
    for (int i = -reach; i <= reach; ++i) {
      if (i + d < -reach || i + d > reach) continue;
      twice[static_cast<std::size_t>(d + reach)] +=
          bell[static_cast<std::size_t>(i + reach)] * bell[static_cast<std::size_t>(i + d + reach)];
    }
  }
  const double pixels = static_cast<double>(width_) * height_;
  // The mean of (blurred - g)^2 is that of blurred^2, less 2 g (share set) - g^2.
  double constant = 0;
  for (int i = 1; i < grays; ++i) {
    const double g = static_cast<double>(i) / grays;
    constant += 2 * g * set_[static_cast<std::size_t>(i)] / pixels - g * g;
  }
  double sum = 0;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const std::int64_t larger = dy >= 0 ? sums_(dx + reach, dy) : sums_(-dx + reach, -dy);
      const double both = grays - 1 - static_cast<double>(larger) / pixels;
      sum += twice[static_cast<std::size_t>(dx + reach)] *
             twice[static_cast<std::size_t>(dy + reach)] * (both - constant);
    }
  }
  return 255 * std::sqrt(std::max(0.0, sum) / (grays - 1));
}

double ramp_error(const Plane<float>& place, double sigma, Context& context) {
  const int width = place.width();
  const int height = place.height();
  const std::vector<double> bell = gaussian(sigma, static_cast<int>(std::ceil(6 * sigma)));
  Plane<double> error(width, height);
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    std::vector<double> line(static_cast<std::size_t>(width));
    std::vector<double> spare(line.size());
    for (int x = 0; x < width; ++x) {
      const double g = (x + 0.5) / width;
      line[static_cast<std::size_t>(x)] = (static_cast<double>(place(x, y)) < g ? 1.0 : 0.0) - g;
    }
    blur_line(bell, line, spare);
    std::copy(line.begin(), line.end(), error.row(y));
  });
  const double sum = parallel_sum(context, static_cast<std::size_t>(width), [&](std::size_t x) {
    std::vector<double> line(static_cast<std::size_t>(height));
    std::vector<double> spare(line.size());
    for (int y = 0; y < height; ++y)
      line[static_cast<std::size_t>(y)] = error(static_cast<int>(x), y);
    blur_line(bell, line, spare);
    return std::inner_product(line.begin(), line.end(), line.begin(), 0.0);
  });
  return 255 * std::sqrt(sum / static_cast<double>(place.size()));
}

}  // namespace dapple
