// Sets goals by the shorter side, because figures scatter more if there are fewer pixels.
#include "core/figures/mask_goals.hpp"

#include <algorithm>

namespace dapple {

MaskGoals mask_goals(int width, int height) {
  const int side = std::min(width, height);
  const double pixels = static_cast<double>(width) * height;
  MaskGoals goals;
  if (side < 4 || std::max(width, height) > 8.0 * side * std::max(1.0, side / 8.0)) return goals;
  if (side < 32) {
    goals.grey_15 = 4.0;
    goals.grey_2 = 2.28;
    goals.ramp_1 = 10;
    goals.line = std::min(0.52, (side < 16 ? 20 : 26) / pixels);
    return goals;
  }
  goals.grey_15 = 3.95;
  goals.grey_2 = 2.25;
  goals.ramp_1 = 9.9;
  const bool scatters = side < 64;
  goals.p32 = scatters ? 0.08 : 0.065;
  goals.pk2 = scatters ? 3.0 : 2.6;
  goals.aniso = scatters ? 1.3 : 0.3;
  if (scatters) return goals;
  goals.d256 = 0.7;
  goals.d256_top = 0.55;
  goals.top = side < 128 ? 1.75 : 1.4;
  return goals;
}

FrameGoals frame_goals(int width, int height, int frames) {
  FrameGoals goals;
  if (std::min(width, height) < 32 || frames < 8) return goals;
  goals.time_10 = 0.4;
  goals.time_25 = 0.7;
  goals.product = 0.12;
  goals.top = 4.0 / 3;
  return goals;
}

}  // namespace dapple
