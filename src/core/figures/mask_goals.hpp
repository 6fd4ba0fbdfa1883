// Holds the goals of docs/quality.md for masks. `analyze` and certificates name the goals, and
// `mask` uses them to choose between masks.
#pragma once

#include <limits>

namespace dapple {

// Upper limits of figures, and lower limits of spacings (d256, d256_top). A figure without a goal
// never misses it.
struct MaskGoals {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double grey_15 = none, grey_2 = none, ramp_1 = none;
  double p32 = none, pk2 = none, aniso = none;
  double line = none;
  double top = none;
  double d256 = -none, d256_top = -none;
};

// Goals for the frames of an animation, which divide the ranks: over time, and for the last levels.
struct FrameGoals {
  double time_10 = MaskGoals::none, time_25 = MaskGoals::none;
  double product = MaskGoals::none;
  double top = MaskGoals::none;
};

// Returns the goals of a plain mask of one slice. It has no goals below 4 pixels a side, or if it
// is so narrow that it must repeat itself.
MaskGoals mask_goals(int width, int height);
// Returns the goals of frames. Fewer than 8 frames, or frames below 32 pixels a side, have none.
FrameGoals frame_goals(int width, int height, int frames);

}  // namespace dapple
