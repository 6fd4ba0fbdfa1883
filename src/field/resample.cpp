// Resamples along one axis after the other. Each value is a weighted mean of its neighbors.
#include "field/resample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "field/curve_table.hpp"

namespace dapple {
namespace {

struct Taps {
  int first = 0;
  std::vector<double> weights;  // sum 1
};

double tent(double distance) {
  return std::max(0.0, 1 - distance);
}

// Cubic convolution (Keys 1981, a = -1/2).
double cubic(double d) {
  if (d >= 2) return 0;
  return d < 1 ? 1 + d * d * (1.5 * d - 2.5) : 2 + d * (d * (2.5 - 0.5 * d) - 4);
}

// `kernel`: weight at a distance in pixels of the coarser raster, 0 from `radius` on.
std::vector<Taps> taps(int from, int to, double (*kernel)(double), int radius) {
  const double step = static_cast<double>(from) / to;
  const double pixel = std::max(step, 1.0);
  const double reach = radius * pixel;
  std::vector<Taps> all(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double center = (i + 0.5) * step;
    Taps& t = all[static_cast<std::size_t>(i)];
    t.first = std::max(0, static_cast<int>(std::floor(center - reach)));
    const int last = std::min(from - 1, static_cast<int>(std::ceil(center + reach)));
    double sum = 0;
    for (int j = t.first; j <= last; ++j) {
      t.weights.push_back(kernel(std::abs(j + 0.5 - center) / pixel));
      sum += t.weights.back();
    }
    for (double& weight : t.weights) weight /= sum;
  }
  return all;
}

Plane<float> resampled(const Plane<float>& source, int width, int height, double (*kernel)(double),
                       int radius, Context& context) {
  if (source.width() == width && source.height() == height) return source;
  Plane<float> narrow = Plane<float>::unset(width, source.height());
  const std::vector<Taps> across = taps(source.width(), width, kernel, radius);
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
  const std::vector<Taps> down = taps(source.height(), height, kernel, radius);
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

// Returns slice `i` of a plane as the values to resample: light, times the opacity.
Plane<float> light_of(const Plane<float>& plane, const Plane<float>* alpha, const Image& image,
                      int i) {
  Plane<float> light = slice_of(plane, i, image.slices);
  const bool decode = image.encoding == Encoding::srgb && &plane != alpha;
  const int top = i * light.height();
  for (int y = 0; y < light.height(); ++y) {
    for (int x = 0; x < light.width(); ++x) {
      float& v = light(x, y);
      if (!std::isfinite(v)) {
        throw Error(ErrorKind::input, "pixel " + std::to_string(x) + "," + std::to_string(top + y) +
                                          " holds " + shortest(v) + ", which is no number");
      }
      if (decode) v = to_linear()(v);
      if (alpha != nullptr && &plane != alpha) v *= (*alpha)(x, top + y);
    }
  }
  return light;
}

}  // namespace

Plane<float> resample(const Plane<float>& source, int width, int height) {
  Context alone;
  alone.threads = 1;
  return resample(source, width, height, alone);
}

Plane<float> resample(const Plane<float>& source, int width, int height, Context& context) {
  return resampled(source, width, height, tent, 1, context);
}

Image resized(const Image& image, int width, int height, Context& context) {
  context.require_pixels(width, 1.0 * height * image.slices, "the picture of this size");
  context.require_memory(
      4.0 * width * height * image.slices * 2 * static_cast<double>(image.channels.size()),
      "the picture of this size");
  const int found = image.encoding == Encoding::data ? -1 : image.find("A");
  const Plane<float>* const alpha =
      found < 0 ? nullptr : &image.channels[static_cast<std::size_t>(found)];
  const bool bounded = image.type == PixelType::u8 || image.type == PixelType::u16;
  Image made;
  made.names = image.names;
  made.encoding = image.encoding == Encoding::data ? Encoding::data : Encoding::linear;
  made.type = PixelType::f32;
  made.slices = image.slices;
  made.channels.assign(image.channels.size(), Plane<float>::unset(width, height * image.slices));
  for (int i = 0; i < image.slices; ++i) {
    Plane<float> opacity;
    if (alpha != nullptr) {
      opacity = resampled(light_of(*alpha, alpha, image, i), width, height, cubic, 2, context);
    }
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
      const Plane<float>& plane = image.channels[c];
      const Plane<float> light = &plane == alpha ? opacity
                                                 : resampled(light_of(plane, alpha, image, i),
                                                             width, height, cubic, 2, context);
      for (int y = 0; y < height; ++y) {
        float* to = made.channels[c].row(i * height + y);
        for (int x = 0; x < width; ++x) {
          float v = light(x, y);
          if (alpha != nullptr && &plane != alpha) v = opacity(x, y) > 0 ? v / opacity(x, y) : 0;
          to[x] = bounded ? std::clamp(v, 0.0f, 1.0f) : v;
        }
      }
    }
  }
  return made;
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
