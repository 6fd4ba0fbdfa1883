// Pictures that stipplings are tested on.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string_view>

#include "dapple/analyze.hpp"
#include "dapple/stipple.hpp"

namespace dapple::test {

// Lightness 0..1 by place, as a gray sRGB image.
inline Image picture(int width, int height,
                     const std::function<double(double, double)>& lightness) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.channels[0](x, y) =
          static_cast<float>(lightness((x + 0.5) / width, (y + 0.5) / height));
    }
  }
  return image;
}

// A soft blob, a hard edge and a slope.
inline Image scene(int width = 160, int height = 120) {
  return picture(width, height, [](double x, double y) {
    const double blob = 0.6 * std::exp(-20 * ((x - 0.6) * (x - 0.6) + (y - 0.4) * (y - 0.4)));
    return std::clamp(0.95 - 0.3 * y - blob - (x < 0.2 ? 0.5 : 0.0), 0.0, 1.0);
  });
}

inline double figure(const QualityReport& report, std::string_view name) {
  for (const Measurement& m : report.measurements) {
    if (m.name == name) return m.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

inline PictureOptions tone_field() {
  return {};
}

}  // namespace dapple::test
