#include "field/blur.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "field/fill_rows.hpp"

namespace dapple {
namespace {

// Returns weights of a Gaussian at 0, 1, 2, ... cells or at 0.5, 1.5, ... cells. They sum to 1 with
// their mirror images.
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

constexpr std::size_t fewest_shared = 1 << 15;  // cells; threads are no gain for fewer

// Convolves rows by a Gaussian of `variance` (cells^2) and transposes. `halve` merges two cells.
Plane<float> pass(const Plane<float>& in, double variance, bool halve, Context& context) {
  const std::vector<float> weights = weights_of(variance, halve ? 0.5 : 0.0);
  const int reach = static_cast<int>(weights.size());
  const int size = in.width();
  const int cells = halve ? (size + 1) / 2 : size;
  Plane<float> out = touched(in.height(), cells, context);
  constexpr int block = 16;
  const int blocks = (in.height() + block - 1) / block;
  parallel_for(
      context, static_cast<std::size_t>(blocks),
      [&](std::size_t b) {
        std::vector<float> padded(static_cast<std::size_t>(size + 2 * reach + 2));
        std::vector<float> row_sums(static_cast<std::size_t>(cells));
        float* sums = row_sums.data();
        const int first = static_cast<int>(b) * block;
        for (int y = first; y < std::min(in.height(), first + block); ++y) {
          const float* row = in.row(y);
          std::fill_n(sums, cells, 0.0f);
          for (int i = -reach; i < size + reach + 2; ++i) {
            padded[static_cast<std::size_t>(i + reach)] =
                i >= 0 && i < size ? row[i] : row[mirrored(i, size)];
          }
          const float* at = padded.data() + reach;
          // The loop goes weight by weight, so that cells are added by vectors.
          for (int k = 0; k < reach; ++k) {
            const float weight = weights[static_cast<std::size_t>(k)];
            if (halve) {
              for (int x = 0; x < cells; ++x)
                sums[x] += weight * (at[2 * x - k] + at[2 * x + k + 1]);
            } else if (k == 0) {
              for (int x = 0; x < cells; ++x) sums[x] = weight * at[x];
            } else {
              for (int x = 0; x < cells; ++x) sums[x] += weight * (at[x - k] + at[x + k]);
            }
          }
          for (int x = 0; x < cells; ++x) out(y, x) = sums[x];
        }
      },
      in.size() < fewest_shared ? static_cast<std::size_t>(blocks) + 1 : 2);
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
