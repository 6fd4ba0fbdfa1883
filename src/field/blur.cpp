#include "field/blur.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"

namespace dapple {
namespace {

// Weights of a Gaussian at 0, 1, 2, ... cells, or at 0.5, 1.5, ... of it, summing to 1 with their
// mirror images.
std::vector<float> weights_of(double variance, double offset) {
  if (variance <= 1e-9) return {offset > 0 ? 0.5f : 1.0f};
  const int reach = static_cast<int>(std::ceil(4 * std::sqrt(variance))) + 1;
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i <= reach; ++i) {
    const double d = i + offset;
    weights.push_back(portable_exp(-d * d / (2 * variance)));
    sum += weights.back() * (d == 0 ? 1 : 2);
  }
  std::vector<float> out;
  for (const double w : weights) out.push_back(static_cast<float>(w / sum));
  return out;
}

// Convolves rows by a Gaussian of that variance (cells) and transposes; `halve`: two cells become
// one.
Plane<float> pass(const Plane<float>& in, double variance, bool halve, Context& context) {
  const std::vector<float> weights = weights_of(variance, halve ? 0.5 : 0.0);
  const int reach = static_cast<int>(weights.size());
  const int size = in.width();
  const int cells = halve ? (size + 1) / 2 : size;
  Plane<float> out(in.height(), cells);
  constexpr int block = 16;
  const int blocks = (in.height() + block - 1) / block;
  parallel_for(context, static_cast<std::size_t>(blocks), [&](std::size_t b) {
    std::vector<float> padded(static_cast<std::size_t>(size + 2 * reach + 2));
    const int first = static_cast<int>(b) * block;
    for (int y = first; y < std::min(in.height(), first + block); ++y) {
      const float* row = in.row(y);
      for (int i = -reach; i < size + reach + 2; ++i) {
        padded[static_cast<std::size_t>(i + reach)] =
            i >= 0 && i < size ? row[i] : row[mirrored(i, size)];
      }
      for (int x = 0; x < cells; ++x) {
        const float* at = padded.data() + reach + (halve ? 2 * x : x);
        float sum = 0;
        if (halve) {
          for (int k = 0; k < reach; ++k) {
            sum += weights[static_cast<std::size_t>(k)] * (at[-k] + at[k + 1]);
          }
        } else {
          sum = weights[0] * at[0];
          for (int k = 1; k < reach; ++k) {
            sum += weights[static_cast<std::size_t>(k)] * (at[-k] + at[k]);
          }
        }
        out(y, x) = sum;
      }
    }
  });
  return out;
}

}  // namespace

Plane<float> gaussian_pass(const Plane<float>& map, double variance, bool halve, Context& context) {
  return pass(pass(map, variance, halve, context), variance, halve, context);
}

Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context) {
  return gaussian_pass(map, sigma * sigma, false, context);
}

}  // namespace dapple
