// Throws darts on pixels, for the starting pattern of masks.
#include <algorithm>
#include <cmath>

#include "core/modulo.hpp"
#include "core/random.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

// Pixels that a dart may still hit.
class Targets {
 public:
  Targets(int width, int height, double r) : barred_(width, height) {
    const double r2 = r * r;
    for (int dy = 0; dy < r; ++dy) {
      int half = 0;
      while ((half + 1) * (half + 1) + dy * dy < r2) ++half;
      half_.push_back(half);
    }
  }

  bool is_free(std::size_t i) const { return barred_.values()[i] == 0; }
  std::size_t size() const { return barred_.size(); }

  Pixel hit(std::size_t i) {
    const int width = barred_.width();
    const Pixel p{static_cast<int>(i) % width, static_cast<int>(i) / width};
    const int rows = static_cast<int>(half_.size()) - 1;
    for (int dy = -rows; dy <= rows; ++dy) {
      std::uint8_t* row = barred_.row(modulo(p.y + dy, barred_.height()));
      const int half = half_[static_cast<std::size_t>(std::abs(dy))];
      if (2 * half + 1 >= width) {
        std::fill_n(row, width, std::uint8_t{1});
        continue;
      }
      const int left = modulo(p.x - half, width);
      const int first = std::min(2 * half + 1, width - left);
      std::fill_n(row + left, first, std::uint8_t{1});
      std::fill_n(row, 2 * half + 1 - first, std::uint8_t{1});
    }
    return p;
  }

 private:
  Plane<std::uint8_t> barred_;
  std::vector<int> half_;  // half widths of a disc's rows, by distance from its middle
};

}  // namespace

std::vector<Pixel> dart_pixels(int width, int height, double r, std::uint64_t seed) {
  Targets targets(width, height, r);
  Random random(seed, Stream::mask, 2);
  std::vector<Pixel> darts;
  const auto below = [&](std::size_t n) { return random.below(static_cast<std::uint32_t>(n)); };
  // Throws at all pixels at first, and then only at the pixels that are left.
  for (std::size_t i = 0; i < targets.size() / 8; ++i) {
    const std::size_t at = below(targets.size());
    if (targets.is_free(at)) darts.push_back(targets.hit(at));
  }
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets.is_free(i)) left.push_back(i);
  }
  while (!left.empty()) {
    darts.push_back(targets.hit(left[below(left.size())]));
    std::erase_if(left, [&](std::size_t i) { return !targets.is_free(i); });
  }
  return darts;
}

}  // namespace dapple::mask
