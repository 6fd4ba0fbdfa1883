// Resamples along one axis after the other. Each value is a weighted mean of its neighbors.
#include "field/resample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple {
namespace {

struct Taps {
  int first = 0;
  std::vector<double> weights;  // sum 1
};

std::vector<Taps> taps(int from, int to) {
  const double step = static_cast<double>(from) / to;
  const double reach = std::max(step, 1.0);
  std::vector<Taps> all(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double center = (i + 0.5) * step;
    Taps& t = all[static_cast<std::size_t>(i)];
    t.first = std::max(0, static_cast<int>(std::floor(center - reach)));
    const int last = std::min(from - 1, static_cast<int>(std::ceil(center + reach)));
    double sum = 0;
    for (int j = t.first; j <= last; ++j) {
      t.weights.push_back(std::max(0.0, 1 - std::abs(j + 0.5 - center) / reach));
      sum += t.weights.back();
    }
    for (double& weight : t.weights) weight /= sum;
  }
  return all;
}

}  // namespace

Plane<float> resample(const Plane<float>& source, int width, int height) {
  Context alone;
  alone.threads = 1;
  return resample(source, width, height, alone);
}

Plane<float> resample(const Plane<float>& source, int width, int height, Context& context) {
  if (source.width() == width && source.height() == height) return source;
  Plane<float> narrow = Plane<float>::unset(width, source.height());
  const std::vector<Taps> across = taps(source.width(), width);
  parallel_for(context, static_cast<std::size_t>(source.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const float* from = source.row(y);
    for (int x = 0; x < width; ++x) {
      const Taps& t = across[static_cast<std::size_t>(x)];
      double sum = 0;
      for (std::size_t k = 0; k < t.weights.size(); ++k) {
        sum += t.weights[k] * static_cast<double>(from[t.first + static_cast<int>(k)]);
      }
      narrow(x, y) = static_cast<float>(sum);
    }
  });
  Plane<float> result = Plane<float>::unset(width, height);
  const std::vector<Taps> down = taps(source.height(), height);
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const Taps& t = down[row];
    std::vector<double> sums(static_cast<std::size_t>(width));
    for (std::size_t k = 0; k < t.weights.size(); ++k) {
      const float* from = narrow.row(t.first + static_cast<int>(k));
      for (std::size_t x = 0; x < sums.size(); ++x) {
        sums[x] += t.weights[k] * static_cast<double>(from[x]);
      }
    }
    float* to = result.row(static_cast<int>(row));
    for (std::size_t x = 0; x < sums.size(); ++x) to[x] = static_cast<float>(sums[x]);
  });
  return result;
}

Image reduced(const Image& photo, int side, Context& context) {
  const int longest = std::max(photo.width(), photo.slice_height());
  if (longest <= side) return photo;
  const auto scaled = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(1.0 * length * side / longest)));
  };
  Image small;
  small.names = photo.names;
  small.encoding = photo.encoding;
  small.type = photo.type;
  small.metadata = photo.metadata;
  small.hints = photo.hints;
  const int width = scaled(photo.width());
  const int height = scaled(photo.slice_height());
  for (const Plane<float>& plane : photo.channels) {
    small.channels.push_back(
        photo.slices == 1 ? resample(plane, width, height, context)
                          : resample(slice_of(plane, 0, photo.slices), width, height, context));
  }
  return small;
}

}  // namespace dapple
