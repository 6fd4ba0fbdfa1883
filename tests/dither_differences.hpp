// Measures how far a dithered picture is from the original after a blur, in Oklab.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "dapple/plane.hpp"

namespace dapple {

// Of each pixel.
using Lab = std::vector<std::array<double, 3>>;

// The space of an average: light, as the eye sees it, or encoded values, as programs scale
// pictures.
enum class Averages { light, values };

// Returns the light of sRGB values after a blur; sigma 0: as they are.
inline std::vector<double> blurred(const Plane<float>& plane, double sigma, Averages space) {
  const int w = plane.width();
  const int h = plane.height();
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel;
  if (sigma <= 0) kernel.push_back(1);
  for (int i = -reach; sigma > 0 && i <= reach; ++i)
    kernel.push_back(std::exp(-i * i / (2 * sigma * sigma)));
  double sum = 0;
  for (const double k : kernel) sum += k;
  std::vector<double> from(plane.size());
  std::vector<double> to(plane.size());
  for (std::size_t i = 0; i < plane.size(); ++i) {
    const float v = plane.values()[i];
    from[i] = static_cast<double>(space == Averages::light ? srgb_to_linear(v) : v);
  }
  for (const bool across : {true, false}) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        double value = 0;
        for (int i = -reach; i <= reach; ++i) {
          const int u = across ? std::clamp(x + i, 0, w - 1) : x;
          const int v = across ? y : std::clamp(y + i, 0, h - 1);
          value += kernel[static_cast<std::size_t>(i + reach)] *
                   from[static_cast<std::size_t>(v) * static_cast<std::size_t>(w) +
                        static_cast<std::size_t>(u)];
        }
        to[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
           static_cast<std::size_t>(x)] = value / sum;
      }
    }
    std::swap(from, to);
  }
  if (space == Averages::values) {
    for (double& v : from) v = static_cast<double>(srgb_to_linear(static_cast<float>(v)));
  }
  return from;
}

inline Lab seen(const Image& image, double sigma, Averages space = Averages::light) {
  std::vector<std::vector<double>> light;
  for (std::size_t c = 0; c < 3; ++c) {
    light.push_back(blurred(image.channels[image.channels.size() >= 3 ? c : 0], sigma, space));
  }
  Lab lab(light[0].size());
  for (std::size_t i = 0; i < lab.size(); ++i) {
    const double r = light[0][i];
    const double g = light[1][i];
    const double b = light[2][i];
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[i] = {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
              1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
              0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
  }
  return lab;
}

// The root mean square, times 1000, of pixels that are no lighter than that in `b`.
inline double difference(const Lab& a, const Lab& b, double lightest = 10) {
  double sum = 0;
  double pixels = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i][0] > lightest) continue;
    for (std::size_t k = 0; k < 3; ++k) sum += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
    pixels += 1;
  }
  return 1000 * std::sqrt(sum / std::max(pixels, 1.0));
}

inline const double dark_lightness = std::cbrt(0.02);  // the lightness of a fiftieth of the light

}  // namespace dapple
