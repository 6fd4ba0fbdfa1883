#include "relax/cut_pixels.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple {

Plane<float> cut_pixels(const Plane<float>& density, int cut, Context& context) {
  if (cut == 1) return density;
  // The relaxation makes copies of the picture that have this size too.
  context.require_memory(16.0 * cut * cut * static_cast<double>(density.size()),
                         "this many dots per pixel");
  Plane<float> finer(density.width() * cut, density.height() * cut);
  const auto share = static_cast<float>(1.0 / (cut * cut));
  parallel_for(context, static_cast<std::size_t>(finer.height()), [&](std::size_t y) {
    const float* from = density.row(static_cast<int>(y) / cut);
    float* to = finer.row(static_cast<int>(y));
    for (int x = 0; x < finer.width(); ++x) to[x] = from[x / cut] * share;
  });
  return finer;
}

void scale(Points& dots, double by_x, double by_y) {
  dots.domain.width = std::round(dots.domain.width * by_x);
  dots.domain.height = std::round(dots.domain.height * by_y);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    dots.x[i] = std::min(dots.x[i] * by_x, std::nextafter(dots.domain.width, 0.0));
    dots.y[i] = std::min(dots.y[i] * by_y, std::nextafter(dots.domain.height, 0.0));
  }
}

}  // namespace dapple
