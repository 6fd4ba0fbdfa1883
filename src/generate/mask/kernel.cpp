// Makes the kernel in integers.
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/error.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {

namespace {

double value(const KernelShape& shape, double r2) {
  const double edge = 1 - r2 / (shape.edge * shape.edge);
  const double gaussians = portable_exp(-r2 / (2 * shape.narrow * shape.narrow)) +
                           shape.weight * portable_exp(-r2 / (2 * shape.wide * shape.wide));
  return gaussians * portable_exp(shape.taper * portable_log(edge));
}

// The shape with its lengths times `scale`, cut off at whole pixels.
class Scaled {
 public:
  Scaled(const KernelShape& shape, double scale)
      : reach_(std::max(1, static_cast<int>(std::ceil(shape.edge * scale) - 1))),
        scale_(scale),
        shape_(shape) {
    shape_.edge = (reach_ + 1) / scale;
  }
  int reach() const { return reach_; }
  // Returns the value at a squared distance in pixels.
  double at(int r2) const {
    return r2 < (reach_ + 1) * (reach_ + 1) ? value(shape_, r2 / (scale_ * scale_)) : 0.0;
  }

 private:
  int reach_;
  double scale_;
  KernelShape shape_;
};

// Converts `values`, which are largest in the middle, to integers.
Kernel in_integers(int reach, int depth_reach, const std::vector<double>& values, int peak,
                   std::int64_t largest_sum) {
  Kernel kernel;
  kernel.reach = reach;
  kernel.depth_reach = depth_reach;
  double sum = 0;
  for (const double v : values) sum += v;
  // Rounding down keeps the sum of the integers below the sum of the numbers.
  const double unit =
      std::min(peak / values[values.size() / 2], static_cast<double>(largest_sum) / sum);
  for (const double v : values) {
    kernel.weights.push_back(static_cast<std::int16_t>(std::floor(v * unit)));
    kernel.sum += kernel.weights.back();
  }
  if (kernel.sum > largest_sum || kernel.sum <= 0) {
    throw Error(ErrorKind::internal, "the sum of the mask's kernel is out of its range");
  }
  return kernel;
}

}  // namespace

Kernel make_kernel(const KernelShape& shape, double scale, int peak, std::int64_t largest_sum) {
  const Scaled scaled(shape, scale);
  const int reach = scaled.reach();
  std::vector<double> values;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) values.push_back(scaled.at(dx * dx + dy * dy));
  }
  return in_integers(reach, 0, values, peak, largest_sum);
}

Kernel make_volume_kernel(const KernelShape& shape, double scale, int peak,
                          std::int64_t largest_sum) {
  const Scaled scaled(shape, scale);
  const int reach = scaled.reach();
  std::vector<double> values;
  for (int dz = -reach; dz <= reach; ++dz) {
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        values.push_back(scaled.at(dx * dx + dy * dy + dz * dz));
      }
    }
  }
  return in_integers(reach, reach, values, peak, largest_sum);
}

Kernel make_frame_kernel(const KernelShape& shape, double scale, const KernelShape& time,
                         double time_weight, int peak, std::int64_t largest_sum) {
  const Scaled slice(shape, scale);
  const Scaled line(time, 1);
  const int reach = slice.reach();
  const int depth_reach = line.reach();
  std::vector<double> values;
  for (int dz = -depth_reach; dz <= depth_reach; ++dz) {
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        const bool on_line = dx == 0 && dy == 0;
        const double in_slice = dz == 0 ? slice.at(dx * dx + dy * dy) : 0;
        values.push_back(in_slice + (on_line ? time_weight * line.at(dz * dz) : 0));
      }
    }
  }
  return in_integers(reach, depth_reach, values, peak, largest_sum);
}

}  // namespace dapple::mask
