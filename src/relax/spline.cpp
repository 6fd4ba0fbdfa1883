#include "relax/spline.hpp"

#include <algorithm>
#include <vector>

namespace dapple {

Plane<float> refined(const Plane<float>& cells) {
  const int w = cells.width();
  const int h = cells.height();
  Plane<float> fine(2 * w, 2 * h);
  std::vector<float> row(static_cast<std::size_t>(w));
  for (int y = 0; y < 2 * h; ++y) {
    const float* near = cells.row(y / 2);
    const float* far = cells.row(std::clamp(y / 2 + (y % 2 == 0 ? -1 : 1), 0, h - 1));
    for (int x = 0; x < w; ++x) {
      row[static_cast<std::size_t>(x)] = 0.75f * near[x] + 0.25f * far[x];
    }
    float* to = fine.row(y);
    for (int x = 0; x < w; ++x) {
      const float here = 0.75f * row[static_cast<std::size_t>(x)];
      to[2 * x] = here + 0.25f * row[static_cast<std::size_t>(std::max(0, x - 1))];
      to[2 * x + 1] = here + 0.25f * row[static_cast<std::size_t>(std::min(w - 1, x + 1))];
    }
  }
  return fine;
}

}  // namespace dapple
