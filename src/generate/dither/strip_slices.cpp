#include "generate/dither/strip_slices.hpp"

#include <algorithm>
#include <cmath>

#include "core/preconditions.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

// Returns the longer side of a frame over its shorter side; infinite if the frames do not fit.
double stretch_of(int width, int height, int along, int count) {
  if (along % count != 0) return INFINITY;
  return 1.0 * std::max(width, height) / std::min(width, height);
}

}  // namespace

Image slices_of_strip(Image strip, int count, const std::string& name) {
  require_planes(strip);
  if (strip.slices == count || count <= 1) return strip;
  const int width = strip.width();
  const int height = strip.height();
  if (strip.slices > 1) {
    throw Error(ErrorKind::input,
                "has " + std::to_string(strip.slices) + " slices by itself, not " +
                    std::to_string(count) + "; leave out `slices`",
                name);
  }
  const double below = stretch_of(width, std::max(height / count, 1), height, count);
  const double beside = stretch_of(std::max(width / count, 1), height, width, count);
  if (std::isinf(below) && std::isinf(beside)) {
    throw Error(ErrorKind::input,
                "has " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels, of which neither side is a multiple of `slices " +
                    std::to_string(count) + "`",
                name);
  }
  if (beside < below) {
    const int part = width / count;
    for (Plane<float>& plane : strip.channels) {
      Plane<float> stacked(part, height * count);
      for (int y = 0; y < height; ++y) {
        for (int i = 0; i < count; ++i) {
          std::copy_n(plane.row(y) + i * part, part, stacked.row(i * height + y));
        }
      }
      plane = std::move(stacked);
    }
  }
  strip.slices = count;
  return strip;
}

}  // namespace dapple
