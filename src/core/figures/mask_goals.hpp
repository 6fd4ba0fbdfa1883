// The goals of docs/quality.md for masks: what `analyze` and certificates name, and what decides
// which of several masks is taken.
#pragma once

#include <limits>

namespace dapple {

// Figures are at most, spacings (d256, d256_top) at least so much; what has no goal is never
// missed.
struct MaskGoals {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double grey_15 = none, grey_2 = none, ramp_1 = none;
  double p32 = none, pk2 = none, aniso = none;
  double line = none;
  double top = none;
  double d256 = -none, d256_top = -none;
};

// Of frames of an animation that share the ranks out among them: over time, and of the last levels.
struct FrameGoals {
  double time_10 = MaskGoals::none, time_25 = MaskGoals::none;
  double product = MaskGoals::none;
  double top = MaskGoals::none;
};

// Of a plain mask of one slice. None below 4 pixels a side, or where the mask is so narrow that it
// must repeat itself.
MaskGoals mask_goals(int width, int height);
// None of fewer than 8 frames, or of frames below 32 pixels a side.
FrameGoals frame_goals(int width, int height, int frames);

}  // namespace dapple
