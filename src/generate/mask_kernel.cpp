// The kernel in integers. exp and pow of the C library differ between systems in the last bit, so
// both are computed here from additions, products and quotients, which IEEE 754 fixes.
#include <cmath>

#include "dapple/error.hpp"
#include "generate/mask_engine.hpp"

namespace dapple::mask {

double portable_exp(double x) {
  int halvings = 0;
  while (x < -0.0625) {
    x *= 0.5;
    ++halvings;
  }
  double term = 1;
  double sum = 1;
  for (int i = 1; i < 12; ++i) {
    term *= x / i;
    sum += term;
  }
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

namespace {

// log(x) for 0 < x <= 1, by log x = 2 atanh((x - 1) / (x + 1)).
double portable_log(double x) {
  constexpr double log_2 = 0.69314718055994530942;
  double shift = 0;
  while (x < 0.70710678) {
    x *= 2;
    shift -= log_2;
  }
  const double z = (x - 1) / (x + 1);
  double power = z;
  double sum = 0;
  for (int i = 1; i < 24; i += 2) {
    sum += power / i;
    power *= z * z;
  }
  return shift + 2 * sum;
}

double value(const KernelShape& shape, double r2) {
  const double edge = 1 - r2 / (shape.edge * shape.edge);
  const double gaussians = portable_exp(-r2 / (2 * shape.narrow * shape.narrow)) +
                           shape.weight * portable_exp(-r2 / (2 * shape.wide * shape.wide));
  return gaussians * portable_exp(shape.taper * portable_log(edge));
}

}  // namespace

Kernel make_kernel(const KernelShape& shape, double scale, int peak, std::int64_t largest_sum) {
  Kernel kernel;
  kernel.reach = std::max(1, static_cast<int>(std::ceil(shape.edge * scale) - 1));
  KernelShape scaled = shape;
  scaled.edge = (kernel.reach + 1) / scale;
  std::vector<double> values;
  double sum = 0;
  for (int dy = -kernel.reach; dy <= kernel.reach; ++dy) {
    for (int dx = -kernel.reach; dx <= kernel.reach; ++dx) {
      const int r2 = dx * dx + dy * dy;
      const bool inside = r2 < (kernel.reach + 1) * (kernel.reach + 1);
      values.push_back(inside ? value(scaled, r2 / (scale * scale)) : 0.0);
      sum += values.back();
    }
  }
  // Rounding down keeps the sum of the integers below that of the numbers.
  const double middle = 1 + shape.weight;
  const double unit = std::min(peak / middle, static_cast<double>(largest_sum) / sum);
  for (const double v : values) {
    kernel.weights.push_back(static_cast<std::int16_t>(std::floor(v * unit)));
    kernel.sum += kernel.weights.back();
  }
  if (kernel.sum > largest_sum || kernel.sum <= 0) {
    throw Error(ErrorKind::internal, "the sum of the mask's kernel is out of its range");
  }
  return kernel;
}

}  // namespace dapple::mask
