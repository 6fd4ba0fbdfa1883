// Compares two pictures of one size, one of which may be stored in fewer colors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "dapple/image_files.hpp"

namespace dapple::test {

// Returns the root of the mean squared difference of red, green and blue, in 0..1.
inline double difference(const Image& a, const Image& b) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto channel = [c](const Image& image) {
      return image.channels[std::min(c, image.channels.size() - 1)].values();
    };
    for (std::size_t i = 0; i < channel(a).size(); ++i) {
      const auto by = static_cast<double>(channel(a)[i] - channel(b)[i]);
      sum += by * by;
      ++count;
    }
  }
  return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace dapple::test
