// Makes masks to compare with: white noise, and the ordered dither of Bayer (1973, "An optimum
// method for two-level rendition of continuous-tone pictures").
#include <algorithm>
#include <bit>
#include <utility>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {

Plane<std::int32_t> white_ranks(int width, int height, std::uint64_t seed) {
  Plane<std::int32_t> ranks(width, height);
  const Random random(seed, Stream::mask);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(ranks.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = {random.at(i), static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks.values()[order[i].second] = static_cast<std::int32_t>(i);
  }
  return ranks;
}

Plane<std::int32_t> bayer_ranks(int width, int height) {
  const auto power = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
  if (!power(width) || !power(height)) {
    throw Error(ErrorKind::usage, "`method bayer` needs sides that are powers of two, not " +
                                      std::to_string(width) + "x" + std::to_string(height) +
                                      "; `method void-and-cluster` takes any size");
  }
  // The lowest bits of the place decide most. Bits of the longer side beyond a square come last.
  const int bits = std::countr_zero(static_cast<unsigned>(std::min(width, height)));
  const int beyond = std::countr_zero(static_cast<unsigned>(std::max(width, height))) - bits;
  Plane<std::int32_t> ranks(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int rank = 0;
      for (int i = 0; i < bits; ++i) {
        rank = rank * 4 + (((x ^ y) >> i) & 1) * 2 + ((y >> i) & 1);
      }
      for (int i = 0; i < beyond; ++i) {
        rank = rank * 2 + (((width > height ? x : y) >> (bits + i)) & 1);
      }
      ranks(x, y) = rank;
    }
  }
  return ranks;
}

}  // namespace dapple::mask
