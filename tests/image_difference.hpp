// Compares two pictures of one size, one of which may be stored in fewer colors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "source_files.hpp"

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

// Compares a picture that the program made with the recorded one, or records it if tests update.
inline void expect_recorded(const std::filesystem::path& made,
                            const std::filesystem::path& recorded) {
  if (is_updating()) {
    std::filesystem::copy_file(made, recorded, std::filesystem::copy_options::overwrite_existing);
    return;
  }
  const Image now = read_image(made.string(), Context());
  const Image then = read_image(recorded.string(), Context());
  ASSERT_EQ(now.width(), then.width()) << recorded;
  ASSERT_EQ(now.height(), then.height()) << recorded;
  EXPECT_LT(difference(now, then), 0.05)
      << recorded << " differs from what the program draws: record it again, and look";
}

}  // namespace dapple::test
