// Pictures to dither, and what is measured of the result, by formulas of their own.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "dapple/dither.hpp"

namespace dapple {

inline double light(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

inline Image flat(int side, std::vector<float> color, std::vector<std::string> names,
                  PixelType type = PixelType::f32) {
  Image image;
  image.names = std::move(names);
  image.type = type;
  for (const float v : color) image.channels.emplace_back(side, side, v);
  return image;
}

template <class F>
double mean(const Plane<float>& plane, F f) {
  double sum = 0;
  for (const float v : plane.values()) sum += f(v);
  return sum / static_cast<double>(plane.size());
}

inline DitherOptions small_options() {
  DitherOptions options;
  options.size = {64, 64};
  return options;
}

// A mask that is given has its own size.
inline void take_mask(DitherOptions& options, Image mask) {
  options.mask.image = std::make_shared<const Image>(std::move(mask));
  options.size = DitherOptions{}.size;
}

}  // namespace dapple
