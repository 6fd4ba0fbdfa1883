// Makes weights of pairs of pixels from filters: masks that are best for a stated filter over
// pixels and frames (Donnelly, Wolfe, Buetepage and Valdes 2024, "Filter-adapted spatiotemporal
// sampling for real-time rendering").
//
// A filter h leaves of an error e the power sum |h * e|^2. This is the sum over pairs of pixels of
// A(p - q) e_p e_q, where A is the autocorrelation of h.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/deterministic_math.hpp"
#include "generate/mask/swaps.hpp"

namespace dapple::mask {
namespace {

// The part of the whole weight that pairs of a frame, pairs of a pixel's series, and all pairs
// have.
struct Shares {
  double space, time, product;
};
// These serve averages of 1 to 32 frames, seen from near and from afar: docs/notes/masks.md.
constexpr Shares balanced{0.13, 0.4, 0.47};
constexpr Shares separate{0.5, 0.5, 0};
constexpr Shares product{0, 0, 1};

// Parts of the middle weight at which endless filters are cut: exponential means are long.
constexpr double least_of_gauss = 1.0 / 64;
constexpr double least_of_ema = 1.0 / 16;
constexpr int most_reach = 40;

// An autocorrelation for distances from 0 on, 1 at 0.
using Curve = std::vector<double>;

// Gaussians and exponential means never end. They are cut smoothly, since sharp cuts ring.
template <class At>
Curve cut(int reach, const At& at) {
  Curve curve;
  for (int d = 0; d <= reach; ++d) {
    const double part = static_cast<double>(d) / (reach + 1);
    curve.push_back(at(d) * (1 - part * part * part * part));
  }
  return curve;
}

Curve gauss(double sigma) {
  const int reach = static_cast<int>(2 * sigma * std::sqrt(-portable_log(least_of_gauss)));
  return cut(std::clamp(reach, 1, most_reach),
             [&](int d) { return portable_exp(-d * d / (4 * sigma * sigma)); });
}

Curve ema(double alpha) {
  const double each = 1 - alpha;
  const double reach = each > 0 ? portable_log(least_of_ema) / portable_log(each) : 1;
  return cut(static_cast<int>(std::clamp(reach, 1.0, 1.0 * most_reach)),
             [&](int d) { return portable_pow(each, d); });
}

Curve box(double width) {
  const int n = static_cast<int>(std::lround(width));
  Curve curve;
  for (int d = 0; d < n; ++d) curve.push_back(1 - static_cast<double>(d) / n);
  return curve;
}

Curve binomial(double order) {
  const int n = static_cast<int>(std::lround(order));
  Curve curve{1};
  for (int d = 1; d <= n; ++d) curve.push_back(curve.back() * (n - d + 1) / (n + d));
  return curve;
}

double at(const Curve& curve, int d) {
  const auto i = static_cast<std::size_t>(std::abs(d));
  return i < curve.size() ? curve[i] : 0;
}

double size_or(double size, double usual) {
  return size > 0 ? size : usual;
}

Curve over_space(const MaskOptions& options) {
  const auto [shape, size] = options.filter_space;
  if (shape == MaskFilter::Shape::box) return box(size_or(size, 3));
  if (shape == MaskFilter::Shape::binomial) return binomial(size_or(size, 2));
  if (shape == MaskFilter::Shape::gauss) return gauss(size_or(size, 1));
  return cut(2, [](int d) { return portable_exp(-0.25 * d * d); });
}

Curve over_time(const MaskOptions& options) {
  const auto [shape, size] = options.filter_time;
  if (shape == MaskFilter::Shape::none) return {1};
  if (shape == MaskFilter::Shape::box) return box(size_or(size, 8));
  if (shape == MaskFilter::Shape::binomial) return binomial(size_or(size, 4));
  if (shape == MaskFilter::Shape::ema) return ema(size_or(size, 0.1));
  return gauss(size_or(size, 1.9));
}

// Adds up the weights of distances that are the same around the end of the animation.
Curve folded(const Curve& curve, int earlier, int later, int depth) {
  const int reach = static_cast<int>(curve.size()) - 1;
  Curve series;
  for (int dt = -earlier; dt <= later; ++dt) {
    double sum = 0;
    for (int t = dt - (reach + dt) / depth * depth; t <= reach; t += depth) sum += at(curve, t);
    series.push_back(sum);
  }
  return series;
}

}  // namespace

bool has_filter(const MaskOptions& options) {
  const bool frames = options.kind == MaskKind::spatiotemporal;
  return holds_points(options.values) || options.filter_space.shape != MaskFilter::Shape::usual ||
         (frames && options.filter_time.shape != MaskFilter::Shape::none);
}

PairWeights filter_weights(const MaskOptions& options, const Torus& torus, std::int64_t most) {
  const Curve space = over_space(options);
  const Curve time = over_time(options);
  PairWeights result;
  result.reach = static_cast<int>(space.size()) - 1;
  const int time_reach = static_cast<int>(time.size()) - 1;
  result.earlier = std::min(time_reach, torus.depth / 2);
  result.later = std::min(time_reach, (torus.depth - 1) / 2);
  const Curve series = folded(time, result.earlier, result.later, torus.depth);
  const Shares shares = time_reach == 0 || options.product ? product
                        : options.separate                 ? separate
                                                           : balanced;
  const double time_sum = std::accumulate(series.begin(), series.end(), 0.0);
  const double line = std::accumulate(space.begin() + 1, space.end(), 0.5) * 2;
  std::vector<double> weights;
  for (int dy = -result.reach; dy <= result.reach; ++dy) {
    for (int dx = -result.reach; dx <= result.reach; ++dx) {
      const double in_frame = at(space, dx) * at(space, dy) / (line * line);
      for (int dt = -result.earlier; dt <= result.later; ++dt) {
        const double in_time = series[static_cast<std::size_t>(dt + result.earlier)] / time_sum;
        double weight = shares.product * in_frame * in_time;
        if (dt == 0) weight += shares.space * in_frame;
        if (dx == 0 && dy == 0) weight += shares.time * in_time;
        weights.push_back(weight);
      }
    }
  }
  // A pixel does not count with itself.
  weights[weights.size() / static_cast<std::size_t>(result.frames()) / 2 *
              static_cast<std::size_t>(result.frames()) +
          static_cast<std::size_t>(result.earlier)] = 0;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double room = static_cast<double>(most) - 0.5 * static_cast<double>(weights.size());
  const double scale = sum > 0 ? std::max(room, 1.0) / sum : 0;
  for (const double w : weights) {  // rounding adds less than 1/2 to each
    const auto whole = static_cast<std::int16_t>(std::min(32767.0, w * scale + 0.5));
    result.weights.push_back(whole);
    result.sum += whole;
  }
  return result;
}

}  // namespace dapple::mask
